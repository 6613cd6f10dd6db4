(** When every endless line has a score: "in a cycle every reward is 0", and a quantity that falls with every reward. *)
From Proofbase Require Export Guarantee.
From Coq Require Import Wf_nat.

Section Cycles.
Context (G : game).
Notation position := (position G).

Hypothesis repetition_turns : forall p m, terminal G p = None -> In m (moves G p) -> reward G p m = 0 ->
  repetition G (play G p m) = option_map Z.opp (repetition G p).

(** ** In a finite game, by cycles *)
Definition at_ply (p : position) (f : nat -> N) (n : nat) : position := position_after G p (first f n).

(** In a cycle every reward is 0. *)
Definition no_reward_in_cycles : Prop := forall p f, endless G p f -> forall i j,
  (i < j)%nat -> at_ply p f i = at_ply p f j -> reward G (at_ply p f i) (f i) = 0.

Lemma quiet_from_ply own p f n : endless G p f -> (forall k, (n <= k)%nat -> reward G (at_ply p f k) (f k) = 0) ->
  forall k, (n <= k)%nat -> scored G own p (first f k) = scored G own p (first f n).
Proof.
  intros e quiet k le. induction le as [|k le IH]; [reflexivity|].
  rewrite first_snoc, scored_snoc, IH. fold (at_ply p f k). rewrite (quiet k le). destruct (turn_after own _); cbn; lia.
Qed.

Lemma scores_exist_by_cycles (all : list position) : (forall p, In p all) -> no_reward_in_cycles ->
  (forall p f, endless G p f -> forall n, repetition G (at_ply p f n) <> None) ->
  forall own p f, endless G p f -> ~ ~ exists z, endless_score G own p f z.
Proof.
  intros finite cycles defined own p f e none.
  (* A reward comes after every ply. *)
  assert (again : forall n, ~ ~ exists k, (n <= k)%nat /\ reward G (at_ply p f k) (f k) <> 0).
  { intros n no_more. apply none.
    destruct (repetition G (at_ply p f n)) as [r|] eqn:rho; [|destruct (defined p f e n rho)].
    exists (scored G own p (first f n) + signed (turn_after own (first f n)) r), n, r.
    split; [|split; [exact rho|reflexivity]]. apply quiet_from_ply; [exact e|]. intros k le.
    destruct (Z.eq_dec (reward G (at_ply p f k) (f k)) 0); [assumption|]. destruct no_more. eauto. }
  (* So any number of different positions has rewards. *)
  assert (many : forall size, ~ ~ exists plies, length plies = size /\ NoDup (map (at_ply p f) plies)
    /\ exists n, forall i, In i plies -> (i < n)%nat /\ reward G (at_ply p f i) (f i) <> 0).
  { induction size as [|size IH]; intros no.
    - apply no. exists []. repeat split; [constructor|]. exists O. intros i [].
    - apply IH. intros (plies & long & different & n & early). apply (again n). intros (k & le & paid). apply no.
      exists (k :: plies). repeat split; [cbn; congruence| |].
      + cbn. constructor; [|assumption]. intros same. apply in_map_iff in same. destruct same as (i & same & member).
        destruct (early i member) as [before paid']. apply paid'. apply (cycles p f e i k); [lia|assumption].
      + exists (S k). intros i [<-|member]; [split; [lia|assumption]|]. destruct (early i member). split; [lia|assumption]. }
  apply (many (S (length all))). intros (plies & long & different & _).
  assert (le := NoDup_incl_length different (fun q _ => finite q)). rewrite map_length in le. lia.
Qed.

(** ** By a quantity that no move raises and every reward lowers: the stones on the board of awari *)
Lemma scores_exist_by_potential (size : position -> nat) :
  (forall p m, terminal G p = None -> In m (moves G p) ->
    (size (play G p m) <= size p)%nat /\ (reward G p m <> 0 -> (size (play G p m) < size p)%nat)) ->
  (forall p f, endless G p f -> forall n, repetition G (at_ply p f n) <> None) ->
  forall own p f, endless G p f -> ~ ~ exists z, endless_score G own p f z.
Proof.
  intros falls defined own p f e none.
  assert (step : forall n, (size (at_ply p f (S n)) <= size (at_ply p f n))%nat
    /\ (reward G (at_ply p f n) (f n) <> 0 -> (size (at_ply p f (S n)) < size (at_ply p f n))%nat)).
  { intros n. assert (a := e (S n)). rewrite first_snoc in a. apply legal_last in a. destruct a as [on is_move].
    unfold at_ply. rewrite first_snoc, position_after_snoc. apply falls; assumption. }
  assert (down : forall n k, (n <= k)%nat -> (size (at_ply p f k) <= size (at_ply p f n))%nat).
  { intros n k le. induction le as [|k le IH]; [lia|]. destruct (step k). lia. }
  assert (never : forall s n, (size (at_ply p f n) < s)%nat -> False).
  { induction s as [|s IH]; intros n small; [lia|]. apply none.
    destruct (repetition G (at_ply p f n)) as [r|] eqn:rho; [|destruct (defined p f e n rho)].
    exists (scored G own p (first f n) + signed (turn_after own (first f n)) r), n, r.
    split; [|split; [exact rho|reflexivity]]. apply quiet_from_ply; [exact e|]. intros k le.
    destruct (Z.eq_dec (reward G (at_ply p f k) (f k)) 0) as [|paid]; [assumption|exfalso].
    apply (IH (S k)). destruct (step k) as [_ less]. specialize (less paid). specialize (down n k le). lia. }
  apply (never (S (size p)) O). cbn. lia.
Qed.

(** ** Games without endless lines: a quantity that every move lowers, such as the empty squares *)
Lemma no_endless_lines (size : position -> nat) :
  (forall p m, terminal G p = None -> In m (moves G p) -> (size (play G p m) < size p)%nat) ->
  forall p f, ~ endless G p f.
Proof.
  intros falls p. remember (size p) as s eqn:same. revert p same.
  induction s as [s IH] using (well_founded_induction lt_wf). intros p -> f e.
  destruct (e 1%nat) as (on & is_move & _).
  exact (IH _ (falls p (f O) on is_move) (play G p (f O)) eq_refl (later f) (endless_later G p f e)).
Qed.
End Cycles.

(** ** Limits *)
Section Limits.
Context (G : game) (fair_game : fair G) (limit : position G -> Z).

(** If no line scores more than the limit, moving anyhow keeps to it. *)
Lemma limits_are_guaranteed :
  (forall p v, terminal G p = Some v -> Z.abs v <= limit p) ->
  (forall p r, repetition G p = Some r -> Z.abs r <= limit p) ->
  (forall p m, terminal G p = None -> In m (moves G p) -> Z.abs (reward G p m) + limit (play G p m) <= limit p) ->
  forall own p, guarantee G own p (- limit p).
Proof.
  intros ends endless_ends shrinks own p.
  set (any := fun history => hd 0%N (moves G (position_after G p history))).
  exists any.
  assert (bounded : forall line own p, legal G p line ->
    Z.abs (scored G own p line) + limit (position_after G p line) <= limit p).
  { clear own p any. induction line as [|m line IH]; intros own p; cbn [legal scored position_after]; [intros _; cbn; lia|].
    intros (on & is_move & rest). assert (a := IH (negb own) _ rest). assert (b := shrinks p m on is_move).
    destruct own; cbn [signed negb] in *; lia. }
  split.
  - intros line _ _ on _. unfold any. destruct (moves G (position_after G p line)) eqn:some; [|left; reflexivity].
    destruct (moves_exist G fair_game _ on some).
  - intros line v is_legal _ ended. assert (a := bounded line own p is_legal). assert (b := ends _ _ ended).
    destruct (turn_after own line); cbn; lia.
  - intros f z is_endless _ (n & r & _ & rho & ->). assert (a := bounded (first f n) own p (is_endless n)).
    assert (b := endless_ends _ _ rho). destruct (turn_after own (first f n)); cbn; lia.
Defined.
End Limits.
