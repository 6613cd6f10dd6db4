(** Zones: a reply outside of the zone of a threat tree loses to the tree (docs/zones.md, theorems 2 and 3). *)
From Proofbase Require Export LineThreats.
From Coq Require Import NArith.

Section Zones.
(** The attacker is the first player or the second; the other side is the defender. *)
Context (B : board_kind) (first_player : bool).
Notation rules := (lines_rules B).
Notation s := (stone_of first_player).
Notation e := (stone_of (negb first_player)).

(** ** Definitions. [l] are the squares of a position. *)
Definition free (l : list cell) (x : nat) : Prop := (x < length l)%nat /\ on x l = Empty.

Definition attacked (m : N) (l : list cell) : list cell := put_on (N.to_nat m) s l.
Definition replied (r : nat) (l : list cell) : list cell := put_on r e l.

(** W: the attacker wins there at once. *)
Definition win_at (l : list cell) (w : nat) : Prop := free l w /\ has_line B s (put_on w s l) = true.

(** V: the defender completes a line there. *)
Definition fill_at (l : list cell) (v : nat) : Prop :=
  on v l = Empty /\ exists n, In n (lines B) /\ In v (fst n) /\ forall y, In y (fst n) -> y = v \/ on y l = e.

Definition quiet (l : list cell) : Prop := forall v, ~ fill_at l v.

(** R_k: a line of the defender without a stone of the attacker goes through [x] and lacks at most [k] stones. *)
Definition lacking (k : nat) (l : list cell) (x : nat) : Prop :=
  on x l = Empty /\ exists n gaps, In n (lines B) /\ In x (fst n) /\ (length gaps <= k)%nat
    /\ forall y, In y (fst n) -> on y l = e \/ (on y l = Empty /\ In y gaps).

(** After [d] the attacker wins on [w] and on [y]. *)
Definition double (l : list cell) (d w y : nat) : Prop :=
  free l d /\ w <> y /\ win_at (put_on d s l) w /\ win_at (put_on d s l) y.

(** E *)
Definition ending (l : list cell) : Prop := (exists w, win_at l w) \/ (quiet l /\ exists d w y, double l d w y).

Definition listed (after : list (N * tree)) (r : nat) : option tree :=
  option_map snd (find (fun x : N * tree => (fst x =? N.of_nat r)%N) after).

(** When a tree wins, the attacker to move. *)
Inductive wins : tree -> list cell -> Prop :=
| wins_ending tr l : ending l -> wins tr l
| wins_moving m after l : free l (N.to_nat m) -> quiet (attacked m l) -> ending (attacked m l) ->
    (forall r tr, free (attacked m l) r -> listed after r = Some tr -> wins tr (replied r (attacked m l))) ->
    (forall r, free (attacked m l) r -> listed after r = None -> ending (replied r (attacked m l))) ->
    wins (Attack m after) l.

(** [Z] has all squares of a zone of a tree, collected as in the table of docs/zones.md. *)
Inductive zone (Z : nat -> Prop) : tree -> list cell -> Prop :=
| zone_win tr l w : win_at l w -> Z w -> zone Z tr l
| zone_double tr l d w y : quiet l -> double l d w y -> Z d -> Z w -> Z y -> (forall x, lacking 2 l x -> Z x) -> zone Z tr l
| zone_two m after l w y : free l (N.to_nat m) -> quiet (attacked m l) -> Z (N.to_nat m) ->
    (forall x, lacking 2 (attacked m l) x -> Z x) ->
    w <> y -> win_at (attacked m l) w -> win_at (attacked m l) y -> Z w -> Z y -> zone Z (Attack m after) l
| zone_one m after l f : free l (N.to_nat m) -> quiet (attacked m l) -> Z (N.to_nat m) ->
    (forall x, lacking 2 (attacked m l) x -> Z x) ->
    win_at (attacked m l) f -> Z f ->
    zone Z (match listed after f with Some tr => tr | None => Ends end) (replied f (attacked m l)) ->
    zone Z (Attack m after) l
| zone_none m after l d0 w0 y0 : free l (N.to_nat m) -> quiet (attacked m l) -> Z (N.to_nat m) ->
    (forall x, lacking 3 (attacked m l) x -> Z x) ->
    double (attacked m l) d0 w0 y0 -> Z d0 -> Z w0 -> Z y0 ->
    (forall r, free (attacked m l) r -> listed after r = None -> quiet (replied r (attacked m l))
       /\ exists d w y, double (attacked m l) d w y /\ d <> r /\ w <> r /\ y <> r /\ Z d /\ Z w /\ Z y) ->
    (forall r tr, free (attacked m l) r -> listed after r = Some tr -> zone Z tr (replied r (attacked m l))) ->
    zone Z (Attack m after) l.

(** ** Squares *)
Lemma sides : is s e = false /\ is e s = false /\ is s Empty = false /\ is e Empty = false /\ is s s = true /\ is e e = true
  /\ s <> Empty /\ e <> Empty.
Proof. destruct first_player; cbn; repeat split; discriminate. Qed.

Lemma put_on_twice i j a b : forall l, i <> j -> put_on i a (put_on j b l) = put_on j b (put_on i a l).
Proof.
  intros l. revert i j. induction l as [|c l IH]; intros [|i] [|j] other; cbn; try congruence; f_equal. apply IH. congruence.
Qed.

Lemma on_other i c : forall l j, j <> i -> on j (put_on i c l) = on j l.
Proof.
  unfold on. intros l. revert i. induction l as [|a l IH]; intros [|i] [|j] other; cbn; try congruence. apply IH. congruence.
Qed.

Lemma on_itself l i c : (i < length l)%nat -> on i (put_on i c l) = c.
Proof. intros small. rewrite on_put_on by exact small. rewrite Nat.eqb_refl. reflexivity. Qed.

Lemma free_put l x i c : free l x -> x <> i -> free (put_on i c l) x.
Proof. intros [small is_free] other. split; [rewrite put_on_length; exact small|rewrite on_other by exact other; exact is_free]. Qed.

Lemma free_before l x i c : c <> Empty -> free (put_on i c l) x -> free l x /\ x <> i.
Proof.
  intros stone [small is_free]. rewrite put_on_length in small. assert (other : x <> i).
  { intros ->. rewrite on_itself in is_free by exact small. contradiction. }
  rewrite on_other in is_free by exact other. split; [split|]; assumption.
Qed.

(** Fact (iii). *)
Lemma win_put l x w : free l x -> (win_at (replied x l) w <-> win_at l w /\ w <> x).
Proof.
  destruct sides as (se & _ & s0 & _ & _ & _ & _ & stone). intros [small is_free]. unfold win_at, replied.
  assert (same : w <> x -> has_line B s (put_on w s (put_on x e l)) = has_line B s (put_on w s l)).
  { intros other. rewrite put_on_twice by exact other. apply has_line_put; [exact se|exact s0| |].
    - rewrite put_on_length. exact small.
    - rewrite on_other by congruence. exact is_free. }
  split.
  - intros [there full]. apply free_before in there; [|exact stone]. destruct there as [there other].
    rewrite same in full by exact other. auto.
  - intros [[there full] other]. rewrite same by exact other. split; [apply free_put; assumption|exact full].
Qed.

(** Fact (i). *)
Lemma quiet_put l x : free l x -> quiet l -> ~ lacking 2 l x -> quiet (replied x l).
Proof.
  destruct sides as (_ & _ & _ & _ & _ & _ & _ & stone). intros [small is_free] none far v (open & n & member & here & rest).
  unfold replied in *.
  assert (other : v <> x) by (intros ->; rewrite on_itself in open by exact small; contradiction).
  rewrite on_other in open by exact other. destruct (in_dec Nat.eq_dec x (fst n)) as [through|away].
  - apply far. split; [exact is_free|]. exists n, [x; v]. split; [exact member|]. split; [exact through|]. split; [cbn; lia|].
    intros y there. destruct (Nat.eq_dec y x) as [->|]; [right; cbn; auto|].
    destruct (rest y there) as [->|has]; [right; cbn; auto|left]. rewrite on_other in has by assumption. exact has.
  - apply (none v). split; [exact open|]. exists n. split; [exact member|]. split; [exact here|]. intros y there.
    destruct (rest y there) as [->|has]; [left; reflexivity|right]. rewrite on_other in has by congruence. exact has.
Qed.

(** Fact (ii). *)
Lemma quiet_put_two l x r : free l x -> free l r -> x <> r -> quiet (replied r l) -> ~ lacking 3 l x ->
  quiet (replied r (replied x l)).
Proof.
  destruct sides as (_ & _ & _ & _ & _ & _ & _ & stone).
  intros [small is_free] [small_r free_r] different none far v (open & n & member & here & rest). unfold replied in *.
  assert (other : v <> r) by (intros ->; rewrite on_itself in open by (rewrite put_on_length; exact small_r); contradiction).
  rewrite on_other in open by exact other.
  assert (other' : v <> x) by (intros ->; rewrite on_itself in open by exact small; contradiction).
  rewrite on_other in open by exact other'. destruct (in_dec Nat.eq_dec x (fst n)) as [through|away].
  - apply far. split; [exact is_free|]. exists n, [x; r; v]. split; [exact member|]. split; [exact through|]. split; [cbn; lia|].
    intros y there. destruct (Nat.eq_dec y x) as [->|]; [right; cbn; auto|].
    destruct (Nat.eq_dec y r) as [->|]; [right; cbn; auto|].
    destruct (rest y there) as [->|has]; [right; cbn; auto|left]. rewrite !on_other in has by assumption. exact has.
  - apply (none v). split; [rewrite on_other by exact other; exact open|].
    exists n. split; [exact member|]. split; [exact here|]. intros y there.
    destruct (rest y there) as [->|has]; [left; reflexivity|right]. rewrite put_on_twice in has by congruence.
    rewrite on_other in has by congruence. exact has.
Qed.

Lemma double_put l x d w y : free l x -> double l d w y -> d <> x -> w <> x -> y <> x -> double (replied x l) d w y.
Proof.
  intros there (is_free & different & win_w & win_y) dx wx yx. unfold double, replied.
  split; [apply free_put; assumption|]. split; [exact different|]. rewrite put_on_twice by exact dx.
  assert (free_x : free (put_on d s l) x) by (apply free_put; [exact there|congruence]).
  split; apply (win_put _ x _ free_x); auto.
Qed.

Lemma double_before l x d w y : free l x -> double (replied x l) d w y -> double l d w y /\ d <> x /\ w <> x /\ y <> x.
Proof.
  destruct sides as (_ & _ & _ & _ & _ & _ & _ & stone). intros there (is_free & different & win_w & win_y). unfold replied in *.
  apply free_before in is_free; [|exact stone]. destruct is_free as [is_free dx].
  assert (free_x : free (put_on d s l) x) by (apply free_put; [exact there|congruence]).
  rewrite put_on_twice in win_w, win_y by exact dx. apply (win_put _ x _ free_x) in win_w. apply (win_put _ x _ free_x) in win_y.
  unfold double. intuition.
Qed.

Lemma ends_by_double l d w y : quiet l -> double l d w y -> ending l.
Proof. intros none two. right. split; [exact none|]. exists d, w, y. exact two. Qed.

(** A win that the reply leaves. *)
Lemma ends_by_win l r w : free l r -> win_at l w -> w <> r -> ending (replied r l).
Proof. intros there win other. left. exists w. apply win_put; auto. Qed.

Lemma ends_by_one_of_two l r w y : free l r -> win_at l w -> win_at l y -> w <> y -> ending (replied r l).
Proof.
  intros there win_w win_y different. destruct (Nat.eq_dec w r) as [->|other].
  - apply (ends_by_win l r y); [exact there|exact win_y|congruence].
  - apply (ends_by_win l r w); assumption.
Qed.

Lemma child_wins after f l : wins (match listed after f with Some tr => tr | None => Ends end) l ->
  (forall tr, listed after f = Some tr -> wins tr l) /\ (listed after f = None -> ending l).
Proof.
  destruct (listed after f) as [tr|]; intros won; split; intros; try discriminate; [congruence|]. inversion won; assumption.
Qed.

Lemma lacking_more l x : lacking 2 l x -> lacking 3 l x.
Proof. intros (open & n & gaps & a & b & c & d). split; [exact open|]. exists n, gaps. repeat split; auto. Qed.

(** ** The theorem: a stone outside of the zone changes nothing *)
Theorem wins_outside_zone Z tr l : zone Z tr l -> forall x, free l x -> ~ Z x -> wins tr (replied x l).
Proof.
  destruct sides as (_ & _ & _ & _ & _ & _ & stone & _).
  assert (differs : forall x y : nat, Z y -> ~ Z x -> y <> x) by (intros x y a b ->; contradiction).
  assert (swap : forall m x k, N.to_nat m <> x -> attacked m (replied x k) = replied x (attacked m k)).
  { intros m x k other. apply put_on_twice, other. }
  induction 1 as [tr l w win inside|tr l d w y none two id iw iy near|m after l w y here none im near different win_w win_y iw iy
    |m after l f here none im near win inside below IH|m after l d0 w0 y0 here none im near two0 id0 iw0 iy0 others below IH];
    intros x there outside.
  - apply wins_ending. apply (ends_by_win l x w); auto.
  - apply wins_ending. apply (ends_by_double _ d w y); [apply quiet_put; auto|apply double_put; auto].
  - assert (mx := differs x _ im outside).
    assert (free_x : free (attacked m l) x) by (apply free_put; [exact there|congruence]).
    apply wins_moving; rewrite ?(swap m x l mx).
    + apply free_put; assumption.
    + apply quiet_put; auto.
    + apply (ends_by_win _ x w); auto.
    + intros r tr is_free _. apply wins_ending.
      apply (ends_by_one_of_two _ r w y); auto; apply win_put; auto.
    + intros r is_free _. apply (ends_by_one_of_two _ r w y); auto; apply win_put; auto.
  - assert (mx := differs x _ im outside). assert (fx := differs x _ inside outside).
    assert (free_x : free (attacked m l) x) by (apply free_put; [exact there|congruence]).
    assert (win' : win_at (replied x (attacked m l)) f) by (apply win_put; auto).
    assert (free_f : free (attacked m l) f) by apply win.
    destruct (child_wins after f _ (IH x (free_put _ _ f e free_x (fun same => fx (eq_sym same))) outside)) as [in_tree unlisted].
    assert (commute : replied x (replied f (attacked m l)) = replied f (replied x (attacked m l))) by (apply put_on_twice; congruence).
    rewrite commute in in_tree, unlisted.
    apply wins_moving; rewrite ?(swap m x l mx).
    + apply free_put; assumption.
    + apply quiet_put; auto.
    + left. exists f. exact win'.
    + intros r tr is_free in_list. destruct (Nat.eq_dec f r) as [<-|other]; [apply in_tree, in_list|].
      apply wins_ending. apply (ends_by_win _ r f); assumption.
    + intros r is_free not_in. destruct (Nat.eq_dec f r) as [<-|other]; [apply unlisted, not_in|].
      apply (ends_by_win _ r f); assumption.
  - assert (mx := differs x _ im outside).
    assert (free_x : free (attacked m l) x) by (apply free_put; [exact there|congruence]).
    assert (far : ~ lacking 3 (attacked m l) x) by auto.
    assert (back : forall r, free (replied x (attacked m l)) r -> free (attacked m l) r /\ r <> x).
    { intros r is_free. apply free_before in is_free; [exact is_free|]. apply sides. }
    apply wins_moving; rewrite ?(swap m x l mx).
    + apply free_put; assumption.
    + apply quiet_put; [exact free_x|exact none|]. intros near2. apply far, lacking_more, near2.
    + apply (ends_by_double _ d0 w0 y0).
      * apply quiet_put; [exact free_x|exact none|]. intros near2. apply far, lacking_more, near2.
      * apply double_put; auto.
    + intros r tr is_free in_list. destruct (back r is_free) as [free_r rx].
      assert (won := IH r tr free_r in_list x (free_put _ _ r e free_x (fun same => rx (eq_sym same))) outside).
      unfold replied in *. rewrite put_on_twice in won by congruence. exact won.
    + intros r is_free not_in. destruct (back r is_free) as [free_r rx].
      destruct (others r free_r not_in) as (calm & d & w & y & two & dr & wr & yr & id & iw & iy).
      apply (ends_by_double _ d w y).
      * apply quiet_put_two; auto.
      * apply double_put; auto. apply double_put; auto.
Qed.

(** Every tree that wins has a zone. *)
Theorem zone_exists tr l : wins tr l -> zone (fun _ => True) tr l.
Proof.
  assert (by_end : forall tr l, ending l -> zone (fun _ => True) tr l).
  { intros tr' l' [(w & win)|(none & d & w & y & two)]; [exact (zone_win _ tr' l' w win I)|].
    apply (zone_double _ tr' l' d w y); auto. }
  induction 1 as [tr l ends_here|m after l here none passed trees IH others]; [apply by_end, ends_here|].
  destruct (existsb (fun w => match on w (attacked m l) with Empty => has_line B s (put_on w s (attacked m l)) | _ => false end)
              (seq 0 (length (attacked m l)))) eqn:some.
  - apply existsb_exists in some. destruct some as (f & inside & wins_f). apply in_seq in inside.
    destruct (on f (attacked m l)) eqn:open; try discriminate.
    assert (win : win_at (attacked m l) f) by (split; [split; [lia|exact open]|exact wins_f]).
    apply (zone_one _ m after l f); auto. destruct (listed after f) as [tr|] eqn:in_list.
    + apply IH; [apply win|exact in_list].
    + apply by_end, others; [apply win|exact in_list].
  - assert (no_win : forall w, ~ win_at (attacked m l) w).
    { intros w [[small open] full]. rewrite <- not_true_iff_false in some. apply some, existsb_exists. exists w.
      rewrite open. split; [apply in_seq; lia|exact full]. }
    destruct passed as [(w & win)|(_ & d & w & y & two)]; [destruct (no_win w win)|].
    apply (zone_none _ m after l d w y); auto. intros r is_free not_in.
    destruct (others r is_free not_in) as [(w' & win)|(calm & d' & w' & y' & two')].
    + apply win_put in win; [|exact is_free]. destruct (no_win w' (proj1 win)).
    + split; [exact calm|]. destruct (double_before _ _ _ _ _ is_free two') as (a & b & c & f). exists d', w', y'. auto 8.
Qed.

Lemma completing_is v l : In v (completing B e l) <-> fill_at l v.
Proof.
  destruct sides as (_ & _ & _ & e0 & _ & ee & _). unfold completing. rewrite in_flat_map. split.
  - intros (n & member & here). destruct (missing e l n) as [|w rest] eqn:lacks; [destruct here|].
    destruct (is Empty (on w l) && forallb (Nat.eqb w) rest) eqn:both; [|destruct here]. destruct here as [->|[]].
    apply andb_prop in both. destruct both as [open all]. rewrite forallb_forall in all.
    split; [destruct (on v l); [reflexivity|discriminate|discriminate]|]. exists n. split; [exact member|].
    assert (inside : In v (missing e l n)) by (rewrite lacks; left; reflexivity). apply filter_In in inside.
    split; [apply inside|]. intros y there. destruct (is e (on y l)) eqn:has.
    + right. destruct first_player, (on y l); try discriminate; reflexivity.
    + left. assert (gap : In y (missing e l n)) by (apply filter_In; rewrite has; auto). rewrite lacks in gap.
      destruct gap as [->|gap]; [reflexivity|]. symmetry. apply Nat.eqb_eq, all, gap.
  - intros (open & n & member & here & rest). exists n. split; [exact member|].
    assert (only : forall y, In y (missing e l n) -> y = v).
    { intros y gap. apply filter_In in gap. destruct gap as [there lacks]. destruct (rest y there) as [same|has]; [exact same|].
      rewrite has, ee in lacks. discriminate. }
    assert (gap : In v (missing e l n)) by (apply filter_In; rewrite open, e0; auto).
    destruct (missing e l n) as [|w others]; [destruct gap|]. assert (w = v) by (apply only; left; reflexivity). subst w.
    rewrite open. replace (forallb (Nat.eqb v) others) with true; [left; reflexivity|]. symmetry. apply forallb_forall.
    intros y there. apply Nat.eqb_eq. symmetry. apply only. right. exact there.
Qed.

(** ** Theorem 3: what wins against a further stone wins without it *)
Lemma quiet_without l r : free l r -> ~ fill_at l r -> quiet (replied r l) -> quiet l.
Proof.
  intros [small open_r] no_fill none v fills_v. assert (other : v <> r) by (intros ->; contradiction).
  destruct fills_v as (open & n & member & here & rest). apply (none v). unfold replied.
  split; [rewrite on_other by exact other; exact open|]. exists n. split; [exact member|]. split; [exact here|]. intros y there.
  destruct (Nat.eq_dec y r) as [->|away]; [right; apply on_itself, small|]. rewrite on_other by exact away. exact (rest y there).
Qed.

Lemma ending_without l r : free l r -> ~ fill_at l r -> ending (replied r l) -> ending l.
Proof.
  intros there no_fill [(w & win)|(none & d & w & y & two)].
  - left. exists w. apply win_put in win; [apply win|exact there].
  - apply (ends_by_double _ d w y); [exact (quiet_without l r there no_fill none)|]. apply (double_before l r); assumption.
Qed.

Lemma fill_attacked m l v : fill_at (attacked m l) v -> v <> N.to_nat m -> fill_at l v.
Proof.
  intros (open & n & member & here & rest) other. unfold attacked in *. rewrite on_other in open by exact other.
  split; [exact open|]. exists n. split; [exact member|]. split; [exact here|]. intros y there.
  destruct (rest y there) as [->|has]; [left; reflexivity|]. destruct (Nat.eq_dec y (N.to_nat m)) as [->|away].
  - destruct (Nat.lt_ge_cases (N.to_nat m) (length l)) as [small|large].
    + rewrite on_itself in has by exact small. destruct first_player; discriminate.
    + unfold on in has. rewrite nth_overflow in has by (rewrite put_on_length; exact large). destruct first_player; discriminate.
  - rewrite on_other in has by exact away. auto.
Qed.

(** A line that two stones of the defender would fill is filled by either after the other. *)
Lemma fill_either l i j : free l i -> free l j -> i <> j -> ~ fill_at l i -> fill_at (replied j l) i -> fill_at (replied i l) j.
Proof.
  intros [small_i open_i] [small_j open_j] different no_fill (_ & n & member & here & rest). unfold replied in *.
  split; [rewrite on_other by congruence; exact open_j|]. exists n. split; [exact member|].
  destruct (in_dec Nat.eq_dec j (fst n)) as [through|away].
  - split; [exact through|]. intros y there. destruct (Nat.eq_dec y j) as [->|yj]; [left; reflexivity|right].
    destruct (Nat.eq_dec y i) as [->|yi]; [apply on_itself, small_i|]. rewrite on_other by exact yi.
    destruct (rest y there) as [same|has]; [contradiction|]. rewrite on_other in has by exact yj. exact has.
  - destruct no_fill. split; [exact open_i|]. exists n. split; [exact member|]. split; [exact here|]. intros y there.
    destruct (rest y there) as [same|has]; [left; exact same|right]. rewrite on_other in has by congruence. exact has.
Qed.

Theorem wins_without tr k : wins tr k -> forall l r, k = replied r l -> free l r -> ~ fill_at l r -> wins tr l.
Proof.
  destruct sides as (_ & _ & _ & _ & _ & _ & stone & stone').
  induction 1 as [tr k ends_here|m after k here none passed trees IH others]; intros l r -> there no_fill.
  { apply wins_ending, (ending_without l r there no_fill ends_here). }
  destruct (free_before l (N.to_nat m) r e stone' here) as [here' mr].
  assert (swap : attacked m (replied r l) = replied r (attacked m l)) by (apply put_on_twice; exact mr).
  rewrite swap in none, passed, trees, IH, others.
  assert (free_r : free (attacked m l) r) by (apply free_put; [exact there|congruence]).
  assert (no_fill' : ~ fill_at (attacked m l) r) by (intros fills_r; apply no_fill, (fill_attacked m l r fills_r); congruence).
  assert (apart : forall q, free (attacked m l) q -> q <> r ->
    free (replied r (attacked m l)) q /\ free (replied q (attacked m l)) r /\ ~ fill_at (replied q (attacked m l)) r
    /\ replied q (replied r (attacked m l)) = replied r (replied q (attacked m l))).
  { intros q free_q other. split; [apply free_put; assumption|]. split; [apply free_put; [assumption|congruence]|].
    split; [|apply put_on_twice, other]. intros fills_r. apply (none q). apply fill_either; auto. }
  apply wins_moving; [exact here'|exact (quiet_without _ r free_r no_fill' none)|exact (ending_without _ r free_r no_fill' passed)| |].
  - intros q tr free_q in_list. destruct (Nat.eq_dec q r) as [->|other]; [apply wins_ending, passed|].
    destruct (apart q free_q other) as (a & b & c & same). exact (IH q tr a in_list _ r same b c).
  - intros q free_q not_in. destruct (Nat.eq_dec q r) as [->|other]; [exact passed|].
    destruct (apart q free_q other) as (a & b & c & same). apply (ending_without _ r b c). rewrite <- same. exact (others q a not_in).
Qed.

(** The second case of "Covered replies": a tree that wins after one reply wins after any other outside of its zone. *)
Theorem wins_against_another_reply Z tr l r x : free l r -> free l x -> x <> r -> ~ fill_at l r -> ~ fill_at l x ->
  zone Z tr (replied r l) -> ~ Z x -> wins tr (replied x l).
Proof.
  destruct sides as (_ & _ & _ & _ & _ & _ & stone & _). intros free_r free_x other no_r no_x collected outside.
  assert (won := wins_outside_zone Z tr _ collected x (free_put _ _ _ e free_x other) outside).
  assert (swap : replied x (replied r l) = replied r (replied x l)) by (apply put_on_twice, other). rewrite swap in won.
  assert (free_r' : free (replied x l) r) by (apply free_put; [exact free_r|congruence]).
  (* A line that the defender fills on [r] after [x] he fills on [x] after [r]; the zone then is that of a win at once. *)
  assert (by_line : fill_at (replied x l) r -> wins tr (replied x l)).
  { intros fills_r. assert (fills_x : fill_at (replied r l) x) by (apply fill_either; auto). clear won.
    assert (kept : forall m, N.to_nat m <> x -> ~ quiet (attacked m (replied r l)) \/ ~ free (replied r l) (N.to_nat m)).
    { intros m away. destruct (in_dec Nat.eq_dec (N.to_nat m) (seq 0 (length l))) as [small|large].
      - destruct fills_x as (open & n & member & here & rest). destruct (on (N.to_nat m) (replied r l)) eqn:is_free.
        2, 3: right; intros [_ empty]; congruence.
        left. intros none. apply (none x). unfold attacked. split; [rewrite on_other by congruence; exact open|].
        exists n. split; [exact member|]. split; [exact here|]. intros y there. destruct (rest y there) as [same|has]; [auto|right].
        rewrite on_other; [exact has|]. intros ->. rewrite is_free in has. destruct first_player; discriminate.
      - right. intros [small _]. unfold replied in small. rewrite put_on_length in small. apply large, in_seq. lia. }
    inversion collected; subst.
    - apply wins_ending. apply (ends_by_win l x w); [exact free_x| |intros ->; contradiction].
      apply (win_put l r w); assumption.
    - match goal with calm : quiet _ |- _ => destruct (calm x fills_x) end.
    - destruct (kept m); [intros same; rewrite same in *; contradiction|contradiction|contradiction].
    - destruct (kept m); [intros same; rewrite same in *; contradiction|contradiction|contradiction].
    - destruct (kept m); [intros same; rewrite same in *; contradiction|contradiction|contradiction]. }
  destruct (in_dec Nat.eq_dec r (completing B e (replied x l))) as [fills_r|no_fill].
  - apply by_line, completing_is, fills_r.
  - apply (wins_without tr _ won (replied x l) r eq_refl free_r'). intros fills_r. apply no_fill, completing_is, fills_r.
Qed.

(** ** What a tree proves, in these words (theorem 1) *)
Lemma quiet_is l : completing B e l = [] <-> quiet l.
Proof.
  split.
  - intros none v fills_v. apply completing_is in fills_v. rewrite none in fills_v. exact fills_v.
  - intros none. destruct (completing B e l) as [|v rest] eqn:some; [reflexivity|]. exfalso. apply (none v), completing_is.
    rewrite some. left. reflexivity.
Qed.

Lemma winning_wins l w : In w (winning B s l) -> win_at l w.
Proof. intros member. destruct (winning_facts B s l w member) as (a & b & c). split; [split|]; assumption. Qed.

Lemma ends_ending l : ends B s e l = true -> ending l.
Proof.
  unfold ends. destruct (winning B s l) as [|w rest] eqn:at_once.
  - destruct (completing B e l) eqn:none; [|discriminate]. destruct (find _ _) as [d|] eqn:found; [|discriminate]. intros _.
    apply find_some in found. destruct found as [_ both]. apply andb_prop in both. destruct both as [open two].
    apply free_facts in open. unfold two_wins in two. destruct (winning B s (put_on d s l)) as [|w rest] eqn:some; [discriminate|].
    destruct (find (fun x => negb (x =? w)%nat) rest) as [y|] eqn:second; [|discriminate].
    apply find_some in second. destruct second as [member other]. right. split; [apply quiet_is, none|]. exists d, w, y.
    split; [exact open|]. split; [intros ->; rewrite Nat.eqb_refl in other; discriminate|].
    split; apply winning_wins; rewrite some; [left; reflexivity|right; exact member].
  - intros _. left. exists w. apply winning_wins. rewrite at_once. left. reflexivity.
Qed.

(** The trees that the checker accepts win. *)
Theorem accepted_trees_win depth : forall tr l, tree_wins B depth tr (first_player, l) = true -> wins tr l.
Proof.
  induction depth as [|depth IH]; intros tr l; cbn [tree_wins]; [discriminate|]. unfold mover, waiter. cbn [fst snd].
  destruct (ends B s e l) eqn:at_once; [intros _; apply wins_ending, ends_ending, at_once|].
  destruct tr as [|m after]; [discriminate|]. unfold after_move, mover, waiter. cbn [fst snd]. fold (attacked m l).
  destruct (is_free l (N.to_nat m)) eqn:open; [|discriminate]. apply free_facts in open.
  destruct (completing B e (attacked m l)) eqn:none; [|discriminate].
  destruct (ends B s e (attacked m l)) eqn:passed; [|discriminate]. rewrite forallb_forall. intros each.
  assert (here : forall r, free (attacked m l) r -> In (N.of_nat r) (empty_cells 0 (attacked m l))).
  { intros r [small is_free]. apply free_is_move; assumption. }
  apply wins_moving; [exact open|apply quiet_is, none|apply ends_ending, passed| |].
  - intros r tr is_free in_list. specialize (each _ (here r is_free)). unfold listed in in_list.
    destruct (find _ after) as [[r' tr']|]; [|discriminate]. injection in_list as ->. rewrite Nat2N.id in each. cbn [snd] in each.
    destruct (empty_cells 0 _); [discriminate|]. exact (IH _ _ each).
  - intros r is_free not_in. specialize (each _ (here r is_free)). unfold listed in not_in.
    destruct (find _ after); [discriminate|]. rewrite Nat2N.id in each. exact (ends_ending _ each).
Qed.

Hypothesis fair_rules : fair rules.

Lemma wins_free tr l : wins tr l -> exists i, free l i.
Proof.
  intros [tr' l' [(w & there & _)|(_ & d & w & y & there & _)]|m after l' there _ _ _ _]; eauto.
Qed.

Lemma inhabited_moves (P : N -> Type) ms : (forall m, In m ms -> inhabited (P m)) -> inhabited (forall m, In m ms -> P m).
Proof.
  induction ms as [|m rest IH]; intros each; [constructor; intros m []|].
  destruct (each m (or_introl eq_refl)) as [here]. destruct (IH (fun k i => each k (or_intror i))) as [others].
  constructor. intros k member. destruct (N.eq_dec k m) as [->|other]; [exact here|]. apply others. destruct member; [congruence|assumption].
Qed.

Lemma ending_right l : terminal rules (first_player, l) = None -> ending l -> inhabited (guarantee rules true (first_player, l) 1).
Proof.
  destruct sides as (_ & _ & s0 & _ & ss & _). intros going [(w & [small open] & full)|(none & d & w & y & [small open] & two)]; constructor.
  - apply (guarantee_by_move rules fair_rules _ (N.of_nat w) 1 going); [exact (free_is_move l _ small open)|].
    exact (fill_now B first_player l w going small open full).
  - destruct two as (different & [[small_w open_w] full_w] & [[small_y open_y] full_y]).
    destruct (has_line B s (put_on d s l)) eqn:now.
    + apply (guarantee_by_move rules fair_rules _ (N.of_nat d) 1 going); [exact (free_is_move l _ small open)|].
      exact (fill_now B first_player l d going small open now).
    + apply (double_wins B fair_rules first_player l d w y going (proj2 (quiet_is l) none) small open different);
        apply filter_In; (split; [apply completing_spec; assumption|]); unfold is_free;
        rewrite (proj2 (Nat.ltb_lt _ _)) by assumption; [rewrite open_w, full_w|rewrite open_y, full_y]; reflexivity.
Qed.

Theorem wins_right tr l : wins tr l -> terminal rules (first_player, l) = None ->
  inhabited (guarantee rules true (first_player, l) 1).
Proof.
  destruct sides as (_ & es & _ & e0 & _ & ee & _).
  induction 1 as [tr l ends_here|m after l [small open] none passed trees IH others]; intros going; [apply ending_right; assumption|].
  set (l1 := attacked m l) in *. assert (quiet_before : has_line B e l1 = false).
  { unfold l1, attacked. rewrite has_line_put by assumption. exact (goes_on_facts B first_player l going). }
  assert (move : In m (empty_cells 0 l)) by (rewrite <- (N2Nat.id m); apply free_is_move; assumption).
  enough (inhabited (guarantee rules false (negb first_player, l1) 1)) as [rest].
  { constructor. exact (guarantee_by_move rules fair_rules _ m 1 going move rest). }
  destruct (has_line B s l1) eqn:at_once.
  { constructor. apply (guarantee_over rules false _ (-1)); [apply over_by_line, at_once|cbn; lia]. }
  assert (going1 : terminal rules (negb first_player, l1) = None).
  { destruct (wins_free Ends l1 (wins_ending Ends l1 passed)) as (j & small_j & free_j).
    apply (goes_on_if B (negb first_player) l1 j); [rewrite negb_involutive; exact at_once|exact small_j|exact free_j]. }
  enough (inhabited (forall r, In r (moves rules (negb first_player, l1)) ->
    guarantee rules true (play rules (negb first_player, l1) r) 1)) as [each].
  { constructor. exact (guarantee_by_moves rules fair_rules _ 1 going1 each). }
  apply inhabited_moves. intros r is_move. cbn [moves lines_rules snd] in is_move. apply empty_cells_in in is_move.
  destruct is_move as [small_r free_r']. set (i := N.to_nat r) in *.
  assert (free_r : on i l1 = Empty) by (destruct (on i l1); [reflexivity|discriminate|discriminate]).
  change (inhabited (guarantee rules true (negb (negb first_player), replied i l1) 1)). rewrite negb_involutive.
  assert (none2 : has_line B e (replied i l1) = false).
  { apply no_completion; try assumption. apply quiet_is, none. }
  assert (going2 : forall tr, wins tr (replied i l1) -> terminal rules (first_player, replied i l1) = None).
  { intros tr won. destruct (wins_free tr _ won) as (j & small_j & free_j). apply (goes_on_if B first_player _ j none2 small_j free_j). }
  destruct (listed after i) as [tr|] eqn:in_list.
  - apply (IH i tr); [split; assumption|exact in_list|]. apply (going2 tr), trees; [split; assumption|exact in_list].
  - assert (ends_there : ending (replied i l1)) by (apply others; [split; assumption|exact in_list]).
    apply ending_right; [|exact ends_there]. exact (going2 Ends (wins_ending Ends _ ends_there)).
Qed.

(** The defender, to move at [l], loses by every reply outside of a zone of the tree against a pass. *)
Theorem reply_outside_zone_loses Z tr l x : zone Z tr l -> free l x -> ~ Z x ->
  terminal rules (first_player, replied x l) = None -> at_least rules (first_player, replied x l) 1.
Proof.
  intros collected there outside going. destruct (wins_right tr _ (wins_outside_zone Z tr l collected x there outside) going) as [[plan good]].
  exists plan. exact good.
Qed.
End Zones.
