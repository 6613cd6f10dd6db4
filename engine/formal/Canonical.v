(** Canonical positions: the smallest one of all images of a position under the symmetries of its game. *)
From Proofbase Require Export Checker.

(** ** An order of lists of numbers *)
Fixpoint compare_lists (a b : list N) : comparison :=
  match a, b with
  | [], [] => Eq
  | [], _ => Lt
  | _, [] => Gt
  | x :: a, y :: b => match (x ?= y)%N with Eq => compare_lists a b | other => other end
  end.

Lemma compare_lists_eq a : forall b, compare_lists a b = Eq -> a = b.
Proof.
  induction a as [|x a IH]; intros [|y b]; cbn; try discriminate; [reflexivity|].
  destruct (N.compare_spec x y) as [->| |]; try discriminate. intros same. f_equal. auto.
Qed.

Lemma compare_lists_opp a : forall b, compare_lists b a = CompOpp (compare_lists a b).
Proof.
  induction a as [|x a IH]; intros [|y b]; cbn; try reflexivity. rewrite N.compare_antisym, IH. destruct (x ?= y)%N; reflexivity.
Qed.

Lemma compare_lists_lt_trans a : forall b c, compare_lists a b <> Gt -> compare_lists b c <> Gt -> compare_lists a c <> Gt.
Proof.
  induction a as [|x a IH]; intros [|y b] [|z c]; cbn; try congruence.
  destruct (N.compare_spec x y) as [->|ab|]; [|destruct (N.compare_spec y z) as [->|bc|]|congruence].
  - destruct (y ?= z)%N; [apply IH|congruence|congruence].
  - rewrite (proj2 (N.compare_lt_iff _ _) ab). congruence.
  - rewrite (proj2 (N.compare_lt_iff x z) (N.lt_trans _ _ _ ab bc)). congruence.
  - congruence.
Qed.

Section Canonical.
(** [digits] writes a position as numbers, [images] are its images under all symmetries. *)
Context (P : Type) (digits : P -> list N) (digits_injective : forall p q, digits p = digits q -> p = q).
Context (images : P -> list P) (self_image : forall p, In p (images p)).
Hypothesis images_of_images : forall p q, In q (images p) -> incl (images q) (images p) /\ incl (images p) (images q).

Definition smaller (p q : P) : P := match compare_lists (digits p) (digits q) with Gt => q | _ => p end.
Definition smallest (p : P) : P := fold_left smaller (images p) p.

Lemma fold_smaller l : forall p, let s := fold_left smaller l p in
  (s = p \/ In s l) /\ compare_lists (digits s) (digits p) <> Gt
  /\ forall q, In q l -> compare_lists (digits s) (digits q) <> Gt.
Proof.
  assert (refl : forall a, compare_lists a a <> Gt).
  { intros a. assert (o := compare_lists_opp a a). destruct (compare_lists a a); cbn in o; congruence. }
  induction l as [|x l IH]; intros p; cbn; [repeat split; auto; intros _ []|].
  destruct (IH (smaller p x)) as (a & b & c).
  assert (both : compare_lists (digits (smaller p x)) (digits p) <> Gt
                 /\ compare_lists (digits (smaller p x)) (digits x) <> Gt /\ (smaller p x = p \/ smaller p x = x)).
  { unfold smaller. destruct (compare_lists (digits p) (digits x)) eqn:order; repeat split; auto; try congruence.
    rewrite compare_lists_opp, order. discriminate. }
  destruct both as (d & e & g). repeat split.
  - destruct a as [a|a]; [|auto]. rewrite a. destruct g as [-> | ->]; auto.
  - eauto using compare_lists_lt_trans.
  - intros q [<-|member]; [eauto using compare_lists_lt_trans|auto].
Qed.

Lemma smallest_is_image p : In (smallest p) (images p).
Proof. unfold smallest. destruct (fold_smaller (images p) p) as ([->|?] & _); auto. Qed.

Lemma smallest_of_image p q : In q (images p) -> smallest q = smallest p.
Proof.
  intros image. destruct (images_of_images p q image) as [ab ba]. apply digits_injective, compare_lists_eq.
  destruct (fold_smaller (images p) p) as (_ & _ & c). destruct (fold_smaller (images q) q) as (_ & _ & d).
  specialize (c (smallest q) (ab _ (smallest_is_image q))). specialize (d (smallest p) (ba _ (smallest_is_image p))).
  fold (smallest p) in c. fold (smallest q) in d. rewrite compare_lists_opp in c.
  destruct (compare_lists (digits (smallest q)) (digits (smallest p))); cbn in *; congruence.
Qed.

Lemma same_smallest p q : smallest p = smallest q -> In q (images p).
Proof.
  intros same. assert (i := smallest_is_image p). destruct (images_of_images p _ i) as [ab ba]. apply ab.
  rewrite same. apply (images_of_images q _ (smallest_is_image q)). apply self_image.
Qed.
End Canonical.

(** ** Games without rewards and without endless lines, with symmetries *)
Section Symmetric.
Context (G : game) (digits : position G -> list N) (images : position G -> list (position G)).
Context (same : forall p q : position G, {p = q} + {p <> q}) (code : position G -> positive) (limit : Z).
Context (diagrams : squares G) (threats : threat_rules G).

Record symmetric : Prop := {
  digits_injective : forall p q, digits p = digits q -> p = q;
  self_image : forall p, In p (images p);
  images_of_images : forall p q, In q (images p) -> incl (images q) (images p) /\ incl (images p) (images q);
  image_terminal : forall p q, In q (images p) -> terminal G q = terminal G p;
  image_moves : forall p q m, In q (images p) -> In m (moves G p) ->
    exists m', In m' (moves G q) /\ In (play G q m') (images (play G p m));
  goes_on_with_moves : forall p, terminal G p = None -> moves G p <> [];
  without_rewards : forall p m, reward G p m = 0;
  without_repetition : forall p, repetition G p = None;
  ends_within_limit : forall p v, terminal G p = Some v -> Z.abs v <= limit;
  shrinks : exists size : position G -> nat, forall p m, terminal G p = None -> In m (moves G p) ->
    (size (play G p m) < size p)%nat
}.

Hypothesis S : symmetric.

Lemma symmetric_fair : fair G.
Proof.
  split.
  - apply (goes_on_with_moves S).
  - intros p m _ _ _. rewrite !(without_repetition S). reflexivity.
  - intros own p f e. destruct (shrinks S) as [size falls]. destruct (no_endless_lines G size falls p f e).
Qed.

Definition canonical_image := smallest (position G) digits images.

Definition symmetric_ruleset : ruleset.
Proof.
  assert (image : forall p q, canonical_image p = canonical_image q -> In q (images p)).
  { intros p q. apply same_smallest; apply S. }
  refine (Ruleset G symmetric_fair canonical_image same _ _ _ code (fun _ => limit) _ _ diagrams threats).
  - intros p q c. symmetry. apply (image_terminal S), image, c.
  - intros p q _. rewrite !(without_repetition S). reflexivity.
  - intros p q m c _ is_move. destruct (image_moves S p q m (image p q c) is_move) as (m' & a & b).
    exists m'. rewrite !(without_rewards S). repeat split; auto. apply smallest_of_image; [apply S|apply S|apply S|exact b].
  - apply limits_are_guaranteed.
    + apply symmetric_fair.
    + apply (ends_within_limit S).
    + intros p r rho. rewrite (without_repetition S) in rho. discriminate.
    + intros p m _ _. rewrite (without_rewards S). cbn. lia.
  - reflexivity.
Defined.
End Symmetric.
