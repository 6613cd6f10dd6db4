(** Lines of play, finite and endless, and their scores. *)
From Proofbase Require Export Game.

Section Plays.
Context (G : game).
Notation position := (position G).

(** * Finite lines: the moves in their order *)
Fixpoint position_after (p : position) (line : list N) : position :=
  match line with [] => p | m :: rest => position_after (play G p m) rest end.

Fixpoint legal (p : position) (line : list N) : Prop :=
  match line with
  | [] => True
  | m :: rest => terminal G p = None /\ In m (moves G p) /\ legal (play G p m) rest
  end.

(** Whether our side is to move after a line, if [own] says whether it was at the start. *)
Fixpoint turn_after (own : bool) (line : list N) : bool :=
  match line with [] => own | _ :: rest => turn_after (negb own) rest end.

(** The sum of the rewards of a line: those of our side count as they are, those of the other side negatively. *)
Fixpoint scored (own : bool) (p : position) (line : list N) : Z :=
  match line with
  | [] => 0
  | m :: rest => signed own (reward G p m) + scored (negb own) (play G p m) rest
  end.

(** * Endless lines: a move for every number *)
Definition later (f : nat -> N) : nat -> N := fun n => f (S n).

Fixpoint first (f : nat -> N) (n : nat) : list N :=
  match n with O => [] | S n => f O :: first (later f) n end.

Definition endless (p : position) (f : nat -> N) : Prop := forall n, legal p (first f n).

(** An endless line has the score [z] for our side when the sum of its rewards stays the same from some ply [n] on, and
    [z] is this sum plus the repetition value there. *)
Definition endless_score (own : bool) (p : position) (f : nat -> N) (z : Z) : Prop :=
  exists n r,
    (forall k, (n <= k)%nat -> scored own p (first f k) = scored own p (first f n))
    /\ repetition G (position_after p (first f n)) = Some r
    /\ z = scored own p (first f n) + signed (turn_after own (first f n)) r.

(** * What a game has to keep *)
Record fair : Prop := {
  moves_exist : forall p, terminal G p = None -> moves G p <> [];
  repetition_turns : forall p m, terminal G p = None -> In m (moves G p) -> reward G p m = 0 ->
    repetition G (play G p m) = option_map Z.opp (repetition G p);
  (** No endless line is without a score. (Classically: every one has a score. [Cycles.v] derives this from "in a cycle
      every reward is 0" in finite games, and from a quantity that falls with every reward.) *)
  endless_scored : forall own p f, endless p f -> ~ ~ exists z, endless_score own p f z
}.

(** * Lemmas *)
Lemma first_snoc f n : first f (S n) = first f n ++ [f n].
Proof.
  revert f. induction n; intros f; [reflexivity|].
  change (first f (S (S n))) with (f O :: first (later f) (S n)). rewrite IHn. reflexivity.
Qed.

Lemma legal_snoc p line m : legal p line -> terminal G (position_after p line) = None ->
  In m (moves G (position_after p line)) -> legal p (line ++ [m]).
Proof.
  revert p. induction line; cbn; intros p; [easy|]. intros (? & ? & ?) ? ?. auto.
Qed.

Lemma scored_negb own p line : scored (negb own) p line = - scored own p line.
Proof.
  revert own p. induction line; intros own p; cbn [scored]; [reflexivity|].
  rewrite (IHline (negb own)), signed_negb. lia.
Qed.

Lemma turn_after_negb own line : turn_after (negb own) line = negb (turn_after own line).
Proof. revert own. induction line; intros own; cbn; [reflexivity|]. apply IHline. Qed.

Lemma turn_after_snoc own line m : turn_after own (line ++ [m]) = negb (turn_after own line).
Proof. revert own. induction line; intros own; cbn; auto. Qed.

Lemma position_after_snoc p line m : position_after p (line ++ [m]) = play G (position_after p line) m.
Proof. revert p. induction line; intros p; cbn; auto. Qed.

Lemma scored_snoc own p line m : scored own p (line ++ [m])
  = scored own p line + signed (turn_after own line) (reward G (position_after p line) m).
Proof. revert own p. induction line; intros own p; cbn [scored app turn_after position_after]; [lia|]. rewrite IHline. lia. Qed.

Lemma legal_last p line m : legal p (line ++ [m]) ->
  terminal G (position_after p line) = None /\ In m (moves G (position_after p line)).
Proof. revert p. induction line; intros p; cbn; [easy|]. intros (_ & _ & ?). auto. Qed.

Lemma endless_later p f : endless p f -> endless (play G p (f O)) (later f).
Proof. intros e n. exact (proj2 (proj2 (e (S n)))). Qed.

Hypothesis fair_game : fair.

(** The score can be read off at the next ply as well. *)
Lemma endless_score_at_next own p f n r : endless p f ->
  (forall k, (n <= k)%nat -> scored own p (first f k) = scored own p (first f n)) ->
  repetition G (position_after p (first f n)) = Some r ->
  repetition G (position_after p (first f (S n))) = Some (- r)
  /\ scored own p (first f n) + signed (turn_after own (first f n)) r
     = scored own p (first f (S n)) + signed (turn_after own (first f (S n))) (- r).
Proof.
  intros e quiet rho. specialize (e (S n)). specialize (quiet (S n)). rewrite first_snoc in *.
  destruct (legal_last _ _ _ e) as [goes_on is_move].
  rewrite position_after_snoc, turn_after_snoc. rewrite scored_snoc in *.
  assert (nothing : reward G (position_after p (first f n)) (f n) = 0).
  { specialize (quiet (le_S _ _ (le_n n))). destruct (turn_after own (first f n)); cbn in quiet; lia. }
  rewrite nothing. rewrite (repetition_turns fair_game _ _ goes_on is_move nothing), rho. cbn.
  split; [reflexivity|]. destruct (turn_after own (first f n)); cbn; lia.
Qed.

Lemma endless_score_later own p f z : endless p f -> endless_score own p f z ->
  endless_score (negb own) (play G p (f O)) (later f) (z - signed own (reward G p (f O))).
Proof.
  intros e (n & r & quiet & rho & ->).
  destruct (endless_score_at_next own p f n r e quiet rho) as [rho' ->].
  exists n, (- r). split; [|split].
  - intros k le. assert (a := quiet (S k)). assert (b := quiet (S n)). cbn [first scored] in a, b. lia.
  - exact rho'.
  - cbn [first scored turn_after]. lia.
Qed.
End Plays.
