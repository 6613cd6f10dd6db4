(** The theorem: in a closed set in which every claim passes its local check, every claim is true. *)
From Proofbase Require Export Claims.

Section Machine.
(** * Strategies with a memory

    The prover keeps a state. It says which move he plays, and it is changed by every move. A state may be [finished]:
    from there on a given strategy is played. *)
Context (G : game) (fair_game : fair G).
Notation position := (position G).
Context (state : Type) (finished : state -> option strategy) (pick : state -> position -> N)
        (next : state -> position -> N -> state) (state_rank : state -> N)
        (holds : state -> bool -> position -> Z -> Prop).

Fixpoint run (st : state) (p : position) (history : list N) : N :=
  match finished st with
  | Some s => s history
  | None => match history with [] => pick st p | m :: rest => run (next st p m) (play G p m) rest end
  end.

(** What repetition would give our side is enough. *)
Definition safe (own : bool) (p : position) (t : Z) : Prop :=
  exists r, repetition G p = Some r /\ t <= signed own r.

(** What one step has to keep: [t] is what our side still has to get. Along a move without a reward the rank falls,
    unless repetition is good enough. *)
Definition keeps (st : state) (own : bool) (p : position) (t : Z) : Prop :=
  match finished st with
  | Some s => guarantees G s own p t
  | None =>
    match terminal G p with
    | Some v => t <= signed own v
    | None => (own = true -> In (pick st p) (moves G p)) /\
      forall m, In m (moves G p) -> (own = true -> m = pick st p) ->
        holds (next st p m) (negb own) (play G p m) (t - signed own (reward G p m)) /\
        (reward G p m = 0 -> safe own p t \/ (state_rank (next st p m) < state_rank st)%N)
    end
  end.

Hypothesis all_keep : forall st own p t, holds st own p t -> keeps st own p t.

(** The strategy after a move is that of the next state. *)
Lemma run_after st p m : finished st = None -> after (run st p) m = run (next st p m) (play G p m).
Proof. intros none. unfold after. cbn [run]. rewrite none. reflexivity. Qed.

Lemma run_now st p : finished st = None -> run st p [] = pick st p.
Proof. intros none. cbn [run]. rewrite none. reflexivity. Qed.

Lemma run_finished st p s : finished st = Some s -> forall history, run st p history = s history.
Proof. intros some history. destruct history; cbn [run]; rewrite some; reflexivity. Qed.

Lemma guarantees_same s s' own p t : (forall h, s' h = s h) -> guarantees G s own p t -> guarantees G s' own p t.
Proof.
  intros same [moving over never].
  assert (follows_same : forall line s s' own, (forall h, s' h = s h) -> follows s' own line -> follows s own line).
  { clear. induction line as [|m line IH]; intros s s' own same; cbn; [auto|]. intros [a b]. split.
    - intros turn. rewrite (a turn). apply same.
    - apply (IH _ (after s' m)); [|assumption]. intros h. apply same. }
  split.
  - intros. rewrite same. eauto.
  - eauto.
  - eauto.
Qed.

Lemma safe_stays own p t m : terminal G p = None -> In m (moves G p) -> reward G p m = 0 ->
  safe own p t -> safe (negb own) (play G p m) t.
Proof.
  intros goes_on is_move nothing (r & rho & enough). exists (- r). split.
  - rewrite (repetition_turns G fair_game p m); auto. rewrite rho. reflexivity.
  - destruct own; cbn in *; lia.
Qed.

(** An endless line on which nothing is scored any more, by induction over the rank. *)
Lemma quiet_line_ends_well : forall k st own p t f, (N.to_nat (state_rank st) < k)%nat -> holds st own p t ->
  endless G p f -> (forall n, follows (run st p) own (first f n)) ->
  forall r, (forall n, scored G own p (first f n) = 0) -> repetition G p = Some r -> t <= signed own r.
Proof.
  induction k as [|k IH]; intros st own p t f le good is_endless follows_f r quiet rho; [lia|].
  assert (kept := all_keep _ _ _ _ good). unfold keeps in kept.
  destruct (finished st) as [s|] eqn:fin.
  - assert (good' := guarantees_same s (run st p) own p t (run_finished st p s fin) kept).
    apply (when_endless _ _ _ _ _ good' f); [assumption|assumption|].
    exists O, r. cbn [first position_after turn_after]. split; [|split; [assumption|]].
    + intros n _. rewrite quiet. reflexivity.
    + cbn. lia.
  - destruct (is_endless 1%nat) as (goes_on & is_move & _). rewrite goes_on in kept.
    destruct kept as [_ kept]. specialize (kept (f O) is_move).
    destruct (follows_f 1%nat) as [ours _]. rewrite (run_now st p fin) in ours. destruct (kept ours) as [good' falls].
    assert (nothing : reward G p (f O) = 0).
    { specialize (quiet 1%nat). cbn in quiet. destruct own; cbn in quiet; lia. }
    destruct (falls nothing) as [(r' & rho' & enough)|falls']; [congruence|].
    assert (t <= signed (negb own) (- r)); [|destruct own; cbn in *; lia].
    apply (IH (next st p (f O)) (negb own) (play G p (f O)) t (later f)).
    + lia.
    + rewrite nothing in good'. replace t with (t - signed own 0) by (destruct own; cbn; lia). exact good'.
    + apply endless_later, is_endless.
    + intros n. destruct (follows_f (S n)) as [_ b]. rewrite (run_after st p _ fin) in b. exact b.
    + intros n. specialize (quiet (S n)). cbn [first scored] in quiet. rewrite nothing in quiet.
      destruct own; cbn in *; lia.
    + rewrite (repetition_turns G fair_game p (f O)); auto. rewrite rho. reflexivity.
Qed.

Theorem machine_guarantees st own p t : holds st own p t -> guarantees G (run st p) own p t.
Proof.
  intros good. split.
  - intros line. revert st own p t good. induction line as [|m line IH]; intros st own p t good.
    + cbn [legal follows position_after turn_after]. intros _ _ goes_on turn.
      assert (kept := all_keep _ _ _ _ good). unfold keeps in kept.
      destruct (finished st) as [s|] eqn:fin.
      * rewrite (run_finished st p s fin). apply (always_moves _ _ _ _ _ kept []); cbn; auto.
      * rewrite goes_on in kept. rewrite (run_now st p fin). apply kept, turn.
    + intros legal_line follows_line goes_on turn.
      assert (kept := all_keep _ _ _ _ good). unfold keeps in kept.
      destruct (finished st) as [s|] eqn:fin.
      * apply (always_moves _ _ _ _ _ (guarantees_same _ _ _ _ _ (run_finished st p s fin) kept)); assumption.
      * destruct legal_line as (now & is_move & legal_line). destruct follows_line as [ours follows_line].
        rewrite now in kept. destruct kept as [_ kept]. rewrite (run_now st p fin) in ours.
        destruct (kept m is_move ours) as [good' _]. rewrite (run_after st p m fin) in follows_line.
        change (run st p (m :: line)) with (after (run st p) m line). rewrite (run_after st p m fin).
        exact (IH _ _ _ _ good' legal_line follows_line goes_on turn).
  - intros line. revert st own p t good. induction line as [|m line IH]; intros st own p t good v.
    + cbn [legal follows position_after turn_after scored]. intros _ _ ended.
      assert (kept := all_keep _ _ _ _ good). unfold keeps in kept.
      destruct (finished st) as [s|] eqn:fin.
      * apply (when_over _ _ _ _ _ kept [] v); cbn; auto.
      * rewrite ended in kept. lia.
    + intros legal_line follows_line ended.
      assert (kept := all_keep _ _ _ _ good). unfold keeps in kept.
      destruct (finished st) as [s|] eqn:fin.
      * apply (when_over _ _ _ _ _ (guarantees_same _ _ _ _ _ (run_finished st p s fin) kept)); assumption.
      * destruct legal_line as (now & is_move & legal_line). destruct follows_line as [ours follows_line].
        rewrite now in kept. destruct kept as [_ kept]. rewrite (run_now st p fin) in ours.
        destruct (kept m is_move ours) as [good' _]. rewrite (run_after st p m fin) in follows_line.
        cbn [scored turn_after]. assert (a := IH _ _ _ _ good' v legal_line follows_line ended). lia.
  - intros f z is_endless follows_f (n & r & quiet & rho & ->).
    revert st own p t f good is_endless follows_f quiet rho.
    induction n as [|n IH]; intros st own p t f good is_endless follows_f quiet rho.
    + cbn [first scored turn_after position_after] in *.
      apply (quiet_line_ends_well (S (N.to_nat (state_rank st))) st own p t f); auto.
      intros n. apply (quiet n). lia.
    + assert (kept := all_keep _ _ _ _ good). unfold keeps in kept.
      destruct (finished st) as [s|] eqn:fin.
      * apply (when_endless _ _ _ _ _ (guarantees_same _ _ _ _ _ (run_finished st p s fin) kept) f);
          [assumption|assumption|]. exists (S n), r. auto.
      * destruct (is_endless 1%nat) as (now & is_move & _). rewrite now in kept. destruct kept as [_ kept].
        destruct (follows_f 1%nat) as [ours _]. rewrite (run_now st p fin) in ours.
        destruct (kept _ is_move ours) as [good' _].
        cbn [first scored turn_after position_after] in *.
        enough (t - signed own (reward G p (f O)) <=
          scored G (negb own) (play G p (f O)) (first (later f) n) + signed (turn_after (negb own) (first (later f) n)) r)
          by lia.
        apply (IH (next st p (f O)) (negb own) (play G p (f O)) _ (later f)); auto.
        -- apply endless_later, is_endless.
        -- intros j. destruct (follows_f (S j)) as [_ b]. rewrite (run_after st p _ fin) in b. exact b.
        -- intros j le. specialize (quiet (S j)). cbn [first scored] in quiet. lia.
Qed.
End Machine.

Section Soundness.
Context (G : game) (fair_game : fair G) (K : keyed G) (L : leaves G) (leaves_are_right : leaves_right G K L) (R : records G K).
Notation position := (position G).
Hypothesis all_valid : valid G K L R.

(** * The prover holds a claim, or plays a strategy that a leaf gives him *)
Inductive state := Hold (c : claim) | Leaf (s : strategy).

Definition finished (st : state) : option strategy := match st with Hold _ => None | Leaf s => Some s end.
Definition state_rank (st : state) : N := match st with Hold c => rank c | Leaf _ => 0 end.

Definition goes_on (p : position) : {terminal G p = None} + {terminal G p <> None}.
Proof. destruct (terminal G p); [right; discriminate|left; reflexivity]. Defined.

(** The position that the records have for the position [q] on the board. *)
Definition home (q : position) : position := place R (key K q).

(** A claim whose witness leads to what it owes is guaranteed. *)
Lemma by_witness p c : terminal G p = None -> legal_witness G p c = true ->
  guarantee G false (from_witness G p c) (owed G p c) -> guarantee G (lower c) p (target c).
Proof.
  unfold legal_witness, from_witness, owed. intros on legal rest. destruct (lower c); [|exact rest].
  apply (guarantee_by_move G fair_game p (witness c) _ on); [|exact rest].
  cbn in legal. apply existsb_exists in legal. destruct legal as (w & is_w & same). apply N.eqb_eq in same. congruence.
Defined.

(** Claims that are true by themselves give a strategy at once. *)
Definition hold (q : position) (c : claim) : state :=
  match bool_dec (stands_alone c && settles L (home q) c) true, bool_dec (legal_witness G (home q) c) true,
        goes_on (home q), same_key K (home q) q with
  | left by_itself, left is_legal, left on, left same =>
      Leaf (proj1_sig (guarantee_of_key G K _ _ _ _ same (by_witness _ _ on is_legal
                         (settles_right leaves_are_right _ _ on (proj2 (andb_prop _ _ by_itself))))))
  | _, _, _, _ => Hold c
  end.

Definition pick (st : state) (q : position) : N :=
  match st with Hold c => matching G K (home q) q (witness c) | Leaf s => s [] end.

(** What is held after the move [m] at [q], if there is no claim of the child: a strategy without claims. *)
Definition leaf_after (c : claim) (q : position) (m : N) : state :=
  let child := play G q m in
  let home_move := if lower c then witness c else matching G K q (home q) m in
  if target c - signed (lower c) (reward G q m) <=? - limit L child
  then Leaf (proj1_sig (limit_right leaves_are_right (negb (lower c)) child))
  else match bool_dec (settles_child L (home q) c home_move) true, goes_on (home q),
             in_dec N.eq_dec home_move (moves G (home q)), same_key K (play G (home q) home_move) child with
       | left by_itself, left on, left is_move, left same =>
           Leaf (proj1_sig (guarantee_of_key G K _ _ _ _ same
                              (settles_child_right leaves_are_right _ _ _ on is_move by_itself)))
       | _, _, _, _ => Leaf (fun _ => 0%N)
       end.

Definition end_of (p : position) : {v | terminal G p = Some v} + {terminal G p = None}.
Proof. destruct (terminal G p) as [v|]; [left; exists v; reflexivity|right; reflexivity]. Defined.

Definition over_after (child : position) (own : bool) (t : Z) : state :=
  match end_of child with
  | inleft (exist _ v ended) => match Z_le_dec t (signed own v) with
                                | left enough => Leaf (proj1_sig (guarantee_over G own child v t ended enough))
                                | right _ => Leaf (fun _ => 0%N)
                                end
  | inright _ => Leaf (fun _ => 0%N)
  end.

Definition next (st : state) (q : position) (m : N) : state :=
  match st with
  | Leaf s => Leaf (after s m)
  | Hold c =>
      let child := play G q m in
      let t := target c - signed (lower c) (reward G q m) in
      if goes_on child
      then match find (says (negb (lower c)) t (safety G q c) (rank c)) (claims_of R (key K child)) with
           | Some c' => hold child c'
           | None => leaf_after c q m
           end
      else over_after child (negb (lower c)) t
  end.

Definition holds (st : state) (own : bool) (q : position) (t : Z) : Prop :=
  match st with
  | Leaf s => guarantees G s own q t
  | Hold c => In c (claims_of R (key K q)) /\ stands_alone c = false /\ own = lower c /\ t <= target c
  end.

Lemma hold_right q c t : In c (claims_of R (key K q)) -> t <= target c ->
  holds (hold q c) (lower c) q t /\ (state_rank (hold q c) <= rank c)%N.
Proof.
  intros member le. destruct (all_valid _ _ member) as (home_key & on & passed). fold (home q) in *.
  unfold hold. destruct (bool_dec (stands_alone c && settles L (home q) c) true) as [by_itself|not].
  - assert (is_legal : legal_witness G (home q) c = true).
    { unfold passes in passed. apply andb_prop in passed. destruct passed as [passed _]. apply andb_prop in passed. apply passed. }
    destruct (bool_dec (legal_witness G (home q) c) true) as [is_legal'|]; [|contradiction].
    destruct (goes_on (home q)) as [on'|]; [|contradiction].
    destruct (same_key K (home q) q) as [same|]; [|contradiction].
    cbn. split; [|lia]. eapply guarantees_weaken; [exact le|]. apply proj2_sig.
  - cbn. split; [|lia]. unfold passes in passed. apply andb_prop in passed. destruct passed as [_ passed].
    destruct (stands_alone c); [contradiction|]. auto.
Qed.

Lemma over_after_right child own t v : terminal G child = Some v -> t <= signed own v ->
  holds (over_after child own t) own child t /\ state_rank (over_after child own t) = 0%N.
Proof.
  intros ended enough. unfold over_after. destruct (end_of child) as [[w same]|]; [|congruence].
  assert (w = v) by congruence. subst w.
  destruct (Z_le_dec t (signed own v)); [|contradiction]. split; [apply proj2_sig|reflexivity].
Qed.

Lemma safety_of_key p q c : key K p = key K q -> safety G p c = safety G q c.
Proof. intros same. unfold safety. rewrite (key_repetition K p q same). reflexivity. Qed.

(** The claim that is held after a move is enough, and its rank falls if it has to. *)
Lemma next_right c q m : In c (claims_of R (key K q)) -> stands_alone c = false -> In m (moves G q) ->
  (lower c = true -> m = matching G K (home q) q (witness c)) ->
  holds (next (Hold c) q m) (negb (lower c)) (play G q m) (target c - signed (lower c) (reward G q m))
  /\ (safety G q c = true \/ (state_rank (next (Hold c) q m) < rank c)%N).
Proof.
  intros member no_leaf is_move ours.
  destruct (all_valid _ _ member) as (home_key & on & passed). fold (home q) in *.
  assert (on' : terminal G q = None) by (rewrite <- (key_terminal K _ _ home_key); assumption).
  set (home_move := if lower c then witness c else matching G K q (home q) m).
  assert (checked : In home_move (moves G (home q)) /\ reward G (home q) home_move = reward G q m
    /\ key K (play G (home q) home_move) = key K (play G q m) /\ child_check G K L R (home q) c home_move = true).
  { unfold passes in passed. rewrite no_leaf in passed. apply andb_prop in passed. destruct passed as [exists_it check].
    apply andb_prop in exists_it. destruct exists_it as [_ exists_it]. unfold legal_witness in exists_it.
    unfold home_move. destruct (lower c).
    - cbn in exists_it. apply existsb_exists in exists_it. destruct exists_it as (w & is_w & same). apply N.eqb_eq in same. subst w.
      destruct (matching_right G K (home q) q (witness c) home_key on is_w) as (_ & b & d).
      rewrite (ours eq_refl). auto.
    - destruct (matching_right G K q (home q) m (eq_sym home_key) on' is_move) as (a & b & d).
      rewrite forallb_forall in check. auto. }
  destruct checked as (home_is_move & rewards & keys & check).
  unfold child_check in check. rewrite rewards, keys, (key_terminal K _ _ keys), (safety_of_key _ q c home_key) in check.
  cbn [next]. set (t := target c - signed (lower c) (reward G q m)) in *.
  destruct (goes_on (play G q m)) as [goes|ends].
  - rewrite goes in check. apply orb_prop in check.
    destruct (find _ _) as [c'|] eqn:found.
    + destruct (find_some _ _ found) as [member' said]. unfold says in said.
      apply andb_prop in said. destruct said as [said ranks]. apply andb_prop in said. destruct said as [sides bounds].
      apply eqb_prop in sides. apply Z.leb_le in bounds. rewrite <- sides.
      destruct (hold_right (play G q m) c' t member' bounds) as [a b]. split; [exact a|].
      apply orb_prop in ranks. destruct ranks as [ranks|ranks]; [left; assumption|right].
      apply N.ltb_lt in ranks. lia.
    + destruct check as [found'|check].
      { apply existsb_exists in found'. destruct found' as (c' & member' & said).
        rewrite (find_none _ _ found c' member') in said. discriminate. }
      apply andb_prop in check. destruct check as [by_leaf by_rank].
      assert (falls : safety G q c = true \/ (0 < rank c)%N).
      { apply orb_prop in by_rank. destruct by_rank as [|by_rank]; [auto|]. right. apply N.ltb_lt, by_rank. }
      unfold leaf_after. fold home_move t. destruct (t <=? - limit L (play G q m)) eqn:by_limit.
      * split; [|exact falls]. cbn. apply Z.leb_le in by_limit. eapply guarantees_weaken; [exact by_limit|]. apply proj2_sig.
      * destruct (bool_dec (settles_child L (home q) c home_move) true) as [by_itself|not].
        -- destruct (goes_on (home q)) as [h|]; [|contradiction].
           destruct (in_dec N.eq_dec home_move (moves G (home q))) as [i|]; [|contradiction].
           destruct (same_key K (play G (home q) home_move) (play G q m)) as [k|]; [|contradiction].
           split; [|exact falls]. cbn. unfold t. rewrite <- rewards. apply proj2_sig.
        -- exfalso. apply orb_prop in by_leaf. destruct by_leaf as [by_leaf|by_leaf]; [|contradiction].
           rewrite (key_limit leaves_are_right _ _ keys) in by_leaf. congruence.
  - destruct (terminal G (play G q m)) as [v|] eqn:ended; [|contradiction].
    apply andb_prop in check. destruct check as [enough by_rank]. apply Z.leb_le in enough.
    destruct (over_after_right (play G q m) (negb (lower c)) t v ended enough) as [a b].
    split; [exact a|]. rewrite b. apply orb_prop in by_rank. destruct by_rank as [|by_rank]; [auto|].
    right. apply N.ltb_lt, by_rank.
Qed.

Lemma all_keep st own q t : holds st own q t -> keeps G state finished pick next state_rank holds st own q t.
Proof.
  destruct st as [c|s]; unfold keeps; cbn [finished]; [|auto].
  intros (member & no_leaf & -> & le).
  destruct (all_valid _ _ member) as (home_key & on & passed). fold (home q) in *.
  rewrite <- (key_terminal K _ _ home_key), on. split.
  - intros is_lower. unfold passes, legal_witness in passed. rewrite is_lower in passed. apply andb_prop in passed.
    destruct passed as [exists_it _]. apply andb_prop in exists_it. destruct exists_it as [_ exists_it].
    cbn in exists_it. apply existsb_exists in exists_it. destruct exists_it as (w & is_w & same).
    apply N.eqb_eq in same. subst w. apply (matching_right G K (home q) q (witness c) home_key on is_w).
  - intros m is_move ours.
    destruct (next_right c q m member no_leaf is_move ours) as [a b]. split.
    + revert a. destruct (next (Hold c) q m); cbn [holds].
      * intros (? & ? & ? & ?). repeat split; auto. lia.
      * apply guarantees_weaken. lia.
    + intros nothing. destruct b as [b|b]; [left|right; exact b].
      unfold safety in b. destruct (repetition G q) as [r|] eqn:rho; [|discriminate].
      exists r. split; [exact rho|]. apply Z.leb_le in b. lia.
Qed.

(** ** The theorem *)
Definition guaranteed q c : In c (claims_of R (key K q)) -> guarantee G (lower c) q (target c).
Proof.
  intros member. exists (run G state finished pick next (hold q c) q).
  apply (machine_guarantees G fair_game state finished pick next state_rank holds all_keep).
  apply hold_right; [assumption|lia].
Defined.

Theorem every_claim_is_true q c : In c (claims_of R (key K q)) -> true_claim G q c.
Proof. intros member. destruct (guaranteed q c member) as [s good]. exists s. exact good. Qed.

(** [lower = L] says [v(q) >= L], and [upper = U] says [v(q) <= U]. *)
Corollary lower_bounds_hold q c : In c (claims_of R (key K q)) -> lower c = true -> at_least G q (bound c).
Proof.
  intros member side. destruct (every_claim_is_true q c member) as [s good]. exists s.
  unfold target in good. rewrite side in good. exact good.
Qed.

Corollary upper_bounds_hold q c : In c (claims_of R (key K q)) -> lower c = false -> at_most G q (bound c).
Proof.
  intros member side. destruct (every_claim_is_true q c member) as [s good]. exists s.
  unfold target in good. rewrite side in good. exact good.
Qed.

(** "What makes a witness right": whoever plays the witness of a lower claim is guaranteed its bound. *)
Theorem witnesses_are_right k c : In c (claims_of R k) -> lower c = true ->
  In (witness c) (moves G (place R k))
  /\ at_most G (play G (place R k) (witness c)) (reward G (place R k) (witness c) - bound c).
Proof.
  intros member side. destruct (all_valid _ _ member) as (home_key & on & passed).
  unfold passes in passed. rewrite side in passed. apply andb_prop in passed. destruct passed as [passed rest].
  apply andb_prop in passed. destruct passed as [_ is_legal]. unfold legal_witness in is_legal. rewrite side in is_legal.
  cbn in is_legal. apply existsb_exists in is_legal. destruct is_legal as (w & is_w & same). apply N.eqb_eq in same. subst w.
  split; [exact is_w|].
  set (p := place R k) in *. set (child := play G p (witness c)). set (t := target c - signed true (reward G p (witness c))).
  assert (g : guarantee G false child t).
  { destruct (stands_alone c).
    - assert (a := settles_right leaves_are_right p c on rest). unfold from_witness, owed in a. rewrite side in a. exact a.
    - unfold child_check in rest. rewrite side in rest. fold p child t in rest. cbn [negb] in rest.
      destruct (terminal G child) as [v|] eqn:ended.
      + apply andb_prop in rest. destruct rest as [enough _]. apply Z.leb_le in enough.
        exact (guarantee_over G false child v t ended enough).
      + destruct (existsb _ (claims_of R (key K child))) eqn:some.
        * destruct (find (says false t (safety G p c) (rank c)) (claims_of R (key K child))) as [c'|] eqn:found.
          -- destruct (find_some _ _ found) as [member' said]. unfold says in said. apply andb_prop in said.
             destruct said as [said _]. apply andb_prop in said. destruct said as [sides bounds].
             apply eqb_prop in sides. apply Z.leb_le in bounds. destruct (guaranteed child c' member') as [s good].
             rewrite sides in good. exists s. eapply guarantees_weaken; [exact bounds|exact good].
          -- exfalso. apply existsb_exists in some. destruct some as (c' & member' & said).
             rewrite (find_none _ _ found c' member') in said. discriminate.
        * cbn in rest. apply andb_prop in rest. destruct rest as [by_leaf _]. apply orb_prop in by_leaf.
          destruct (t <=? - limit L child) eqn:by_limit.
          -- apply Z.leb_le in by_limit. destruct (limit_right leaves_are_right false child) as [s good]. exists s.
             eapply guarantees_weaken; [exact by_limit|exact good].
          -- assert (by_itself : settles_child L p c (witness c) = true) by (destruct by_leaf; [discriminate|assumption]).
             assert (a := settles_child_right leaves_are_right p c (witness c) on is_w by_itself).
             rewrite side in a. exact a. }
  destruct g as [s good]. exists s. unfold t, target in good. rewrite side in good. cbn in good.
  replace (- (reward G p (witness c) - bound c)) with (bound c - reward G p (witness c)) by lia. exact good.
Qed.

(** In a valid set no lower bound of a position is above an upper bound. *)
Corollary bounds_of_a_valid_set_do_not_cross q c d : In c (claims_of R (key K q)) -> In d (claims_of R (key K q)) ->
  lower c = true -> lower d = false -> bound c <= bound d.
Proof.
  intros. apply (bounds_do_not_cross G fair_game q); [apply lower_bounds_hold|apply upper_bounds_hold]; assumption.
Qed.
End Soundness.
