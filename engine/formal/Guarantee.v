(** What it means that a side guarantees a score. *)
From Proofbase Require Export Plays.

Section Guarantee.
Context (G : game).
Notation position := (position G).

(** A strategy answers every history: the moves made so far, those of both sides. *)
Definition strategy := list N -> N.

(** The strategy that is left after a move. *)
Definition after (s : strategy) (m : N) : strategy := fun history => s (m :: history).

(** A line follows a strategy when all moves of our side are those of the strategy. *)
Fixpoint follows (s : strategy) (own : bool) (line : list N) : Prop :=
  match line with
  | [] => True
  | m :: rest => (own = true -> m = s []) /\ follows (after s m) (negb own) rest
  end.

(** [s] guarantees our side the score [t] from position [p] on, where [own] says whether our side is to move there. *)
Record guarantees (s : strategy) (own : bool) (p : position) (t : Z) : Prop := {
  always_moves : forall line, legal G p line -> follows s own line ->
    terminal G (position_after G p line) = None -> turn_after own line = true ->
    In (s line) (moves G (position_after G p line));
  when_over : forall line v, legal G p line -> follows s own line ->
    terminal G (position_after G p line) = Some v ->
    t <= scored G own p line + signed (turn_after own line) v;
  when_endless : forall f z, endless G p f -> (forall n, follows s own (first f n)) ->
    endless_score G own p f z -> t <= z
}.

(** A strategy with the proof that it guarantees [t]. *)
Definition guarantee (own : bool) (p : position) (t : Z) : Type := { s : strategy | guarantees s own p t }.

(** The value of [p] is at least [l]: the side to move guarantees itself [l]. *)
Definition at_least (p : position) (l : Z) : Prop := exists s, guarantees s true p l.

(** The value of [p] is at most [u]: the other side guarantees that the side to move gets no more. *)
Definition at_most (p : position) (u : Z) : Prop := exists s, guarantees s false p (- u).

(** * Lemmas *)
Lemma guarantees_weaken s own p t u : u <= t -> guarantees s own p t -> guarantees s own p u.
Proof.
  intros le [moving over never]. split; [assumption| |]; intros.
  - eapply Z.le_trans; [exact le|]. eauto.
  - eapply Z.le_trans; [exact le|]. eauto.
Qed.

Lemma follows_last s own line m : follows s own (line ++ [m]) -> turn_after own line = true -> m = s line.
Proof.
  revert s own. induction line as [|m' line IH]; intros s own; cbn; [intros [? _]; assumption|].
  intros [_ ?] ?. apply (IH (after s m') (negb own)); assumption.
Qed.

Hypothesis fair_game : fair G.

(** After a move that the strategy allows, the rest of it guarantees the rest. *)
Lemma guarantees_after s own p t m : guarantees s own p t -> terminal G p = None -> In m (moves G p) ->
  (own = true -> m = s []) -> guarantees (after s m) (negb own) (play G p m) (t - signed own (reward G p m)).
Proof.
  intros [moving over never] goes_on is_move ours. split.
  - intros line legal_line follows_line. apply (moving (m :: line)); cbn; auto.
  - intros line v legal_line follows_line ended.
    assert (t <= scored G own p (m :: line) + signed (turn_after own (m :: line)) v) by (apply over; cbn; auto).
    cbn [scored turn_after] in H. lia.
  - intros f z is_endless follows_f (n & r & quiet & rho & ->).
    set (g := fun k => match k with O => m | S k => f k end).
    assert (t <= (scored G (negb own) (play G p m) (first f n) + signed (turn_after (negb own) (first f n)) r)
                 + signed own (reward G p m)); [|lia].
    apply (never g).
    + intros [|k]; cbn; [exact I|]. split; [assumption|split; [assumption|apply is_endless]].
    + intros [|k]; cbn; [exact I|]. split; [assumption|apply follows_f].
    + exists (S n), r. change (first g (S n)) with (m :: first f n). cbn [scored turn_after position_after].
      split; [|split; [exact rho|lia]].
      intros [|k] le; [lia|]. change (first g (S k)) with (m :: first f k). cbn [scored]. rewrite (quiet k); lia.
Qed.

(** A position that is over. *)
Lemma guarantee_over own p v t : terminal G p = Some v -> t <= signed own v -> guarantee own p t.
Proof.
  intros ended enough. exists (fun _ => 0%N). split.
  - intros [|m line]; cbn; [congruence|]. intros (? & _). congruence.
  - intros [|m line] w; cbn [legal position_after scored turn_after].
    + intros _ _ same. replace w with v by congruence. lia.
    + intros (? & _). congruence.
  - intros f z is_endless. destruct (is_endless 1%nat). congruence.
Qed.

(** A strategy is good when it is good after every move that it allows. *)
Lemma guarantees_before s own p t : terminal G p = None -> (own = true -> In (s []) (moves G p)) ->
  (forall m, In m (moves G p) -> (own = true -> m = s []) ->
    guarantees (after s m) (negb own) (play G p m) (t - signed own (reward G p m))) ->
  guarantees s own p t.
Proof.
  intros goes_on moving each. split.
  - intros [|m line]; cbn [legal follows position_after turn_after]; [intros; apply moving; assumption|].
    intros (_ & is_move & legal_line) (ours & follows_line).
    exact (always_moves _ _ _ _ (each m is_move ours) line legal_line follows_line).
  - intros [|m line] v; cbn [legal follows position_after scored turn_after]; [congruence|].
    intros (_ & is_move & legal_line) (ours & follows_line) ended.
    assert (a := when_over _ _ _ _ (each m is_move ours) line v legal_line follows_line ended). lia.
  - intros f z is_endless follows_f score.
    destruct (is_endless 1%nat) as (_ & is_move & _). destruct (follows_f 1%nat) as [ours _].
    assert (t - signed own (reward G p (f O)) <= z - signed own (reward G p (f O))); [|lia].
    apply (when_endless _ _ _ _ (each (f O) is_move ours) (later f)).
    + apply endless_later, is_endless.
    + intros n. destruct (follows_f (S n)) as [_ c]. exact c.
    + apply endless_score_later; assumption.
Qed.

(** One good move is enough where we move. *)
Lemma guarantee_by_move p m t : terminal G p = None -> In m (moves G p) ->
  guarantee false (play G p m) (t - reward G p m) -> guarantee true p t.
Proof.
  intros goes_on is_move [s good].
  exists (fun history => match history with [] => m | _ :: rest => s rest end).
  apply guarantees_before; [assumption|auto|]. intros m' _ ours. rewrite (ours eq_refl). exact good.
Qed.

(** Every move has to be good where the other side moves. *)
Lemma guarantee_by_moves p t : terminal G p = None ->
  (forall m, In m (moves G p) -> guarantee true (play G p m) (t + reward G p m)) -> guarantee false p t.
Proof.
  intros goes_on each.
  set (rest_after := fun m : N => match in_dec N.eq_dec m (moves G p) return strategy with
                              | left is_move => proj1_sig (each m is_move)
                              | right _ => fun _ : list N => 0%N
                              end).
  exists (fun history => match history with [] => 0%N | m :: rest => rest_after m rest end : N).
  apply guarantees_before; [assumption|discriminate|]. intros m is_move _.
  change (guarantees (rest_after m) true (play G p m) (t - - reward G p m)).
  replace (t - - reward G p m) with (t + reward G p m) by lia.
  unfold rest_after. destruct (in_dec N.eq_dec m (moves G p)) as [i|]; [|easy]. apply proj2_sig.
Qed.

(** * Lower and upper bounds never cross *)

(** Two strategies played against each other. *)
Fixpoint duel (own : bool) (s t : strategy) (n : nat) : N :=
  let m := if own then s [] else t [] in
  match n with O => m | S n => duel (negb own) (after s m) (after t m) n end.

Lemma duel_later (own : bool) (s t : strategy) : let m := if own then s [] else t [] in
  later (duel own s t) = duel (negb own) (after s m) (after t m).
Proof. reflexivity. Qed.

Lemma duel_follows own s t n : follows s own (first (duel own s t) n) /\ follows t (negb own) (first (duel own s t) n).
Proof.
  revert own s t. induction n; intros own s t; [split; exact I|].
  cbn [first]. rewrite duel_later. cbn [follows].
  destruct (IHn (negb own) (after s (if own then s [] else t [])) (after t (if own then s [] else t []))) as [a b].
  repeat split; [|exact a| |exact b]; destruct own; cbn; congruence.
Qed.

Theorem bounds_do_not_cross p l u : at_least p l -> at_most p u -> l <= u.
Proof.
  intros [s good] [t against]. destruct (Z_le_gt_dec l u) as [|crossed]; [assumption|exfalso].
  set (f := duel true s t).
  assert (follow_s : forall n, follows s true (first f n)) by (intros; apply duel_follows).
  assert (follow_t : forall n, follows t false (first f n)) by (intros; apply (duel_follows true)).
  assert (goes_on : forall n, legal G p (first f n) -> terminal G (position_after G p (first f n)) = None).
  { intros n line. destruct (terminal G (position_after G p (first f n))) as [v|] eqn:ended; [exfalso|reflexivity].
    assert (a := when_over _ _ _ _ good _ _ line (follow_s n) ended).
    assert (b := when_over _ _ _ _ against _ _ line (follow_t n) ended).
    change false with (negb true) in b. rewrite scored_negb, turn_after_negb, signed_negb in b. lia. }
  assert (e : endless G p f).
  { intros n. induction n; [exact I|]. rewrite first_snoc. apply legal_snoc; [assumption|auto|].
    destruct (turn_after true (first f n)) eqn:turn.
    - replace (f n) with (s (first f n)).
      + apply (always_moves _ _ _ _ good); auto.
      + assert (a := follow_s (S n)). rewrite first_snoc in a. symmetry. exact (follows_last _ _ _ _ a turn).
    - replace (f n) with (t (first f n)).
      + apply (always_moves _ _ _ _ against); auto. change false with (negb true). rewrite turn_after_negb, turn. reflexivity.
      + assert (a := follow_t (S n)). rewrite first_snoc in a. symmetry. apply (follows_last _ _ _ _ a).
        change false with (negb true). rewrite turn_after_negb, turn. reflexivity. }
  apply (endless_scored G fair_game true p f e). intros [z score].
  assert (a := when_endless _ _ _ _ good f z e follow_s score).
  assert (b : - u <= - z); [|lia].
  apply (when_endless _ _ _ _ against f (- z) e follow_t).
  destruct score as (n & r & quiet & rho & ->). exists n, r. change false with (negb true).
  split; [|split; [exact rho|]].
  - intros k le. rewrite !scored_negb, (quiet k le). reflexivity.
  - rewrite scored_negb, turn_after_negb, signed_negb. lia.
Qed.
End Guarantee.
