(** Keys: one key for positions that are the same up to a symmetry of the game. *)
From Proofbase Require Export Guarantee.

(** What keys have to keep. *)
Record keyed (G : game) := Keyed {
  key_type : Type;
  key : position G -> key_type;
  same_key : forall p q, {key p = key q} + {key p <> key q};
  key_terminal : forall p q, key p = key q -> terminal G p = terminal G q;
  key_repetition : forall p q, key p = key q -> repetition G p = repetition G q;
  key_moves : forall p q m, key p = key q -> terminal G p = None -> In m (moves G p) ->
    exists m', In m' (moves G q) /\ reward G q m' = reward G p m /\ key (play G q m') = key (play G p m)
}.
Arguments key_type {G}. Arguments key {G}. Arguments same_key {G}. Arguments key_terminal {G}.
Arguments key_repetition {G}. Arguments key_moves {G}.

Section Symmetry.
Context (G : game) (K : keyed G).
Notation position := (position G).

(** The move at [q] that corresponds to the move [m] at [p]. *)
Definition matching (p q : position) (m : N) : N :=
  match find (fun m' => (reward G q m' =? reward G p m)
                        && if same_key K (play G q m') (play G p m) then true else false) (moves G q) with
  | Some m' => m'
  | None => 0%N
  end.

Lemma matching_right p q m : key K p = key K q -> terminal G p = None -> In m (moves G p) ->
  In (matching p q m) (moves G q) /\ reward G q (matching p q m) = reward G p m
  /\ key K (play G q (matching p q m)) = key K (play G p m).
Proof.
  intros same goes_on is_move. destruct (key_moves K p q m same goes_on is_move) as (m' & is_move' & rewards & keys).
  unfold matching. destruct (find _ (moves G q)) as [m''|] eqn:found.
  - destruct (find_some _ _ found) as [is_move'' both]. apply andb_prop in both. destruct both as [a b].
    split; [assumption|]. split; [apply Z.eqb_eq, a|].
    destruct (same_key K (play G q m'') (play G p m)); [assumption|discriminate].
  - assert (a := find_none _ _ found m' is_move'). cbn in a.
    rewrite (proj2 (Z.eqb_eq _ _) rewards) in a. destruct (same_key K (play G q m') (play G p m)); [discriminate|contradiction].
Qed.

(** A strategy for [p], played at [q]. *)
Fixpoint mirrored (own : bool) (s : strategy) (p q : position) (history : list N) : N :=
  match history with
  | [] => matching p q (s [])
  | m' :: rest => let m := if own then s [] else matching q p m' in
                  mirrored (negb own) (after s m) (play G p m) (play G q m') rest
  end.

(** The line at [p] that corresponds to a line at [q], and the same for endless lines. *)
Fixpoint image (own : bool) (s : strategy) (p q : position) (line : list N) : list N :=
  match line with
  | [] => []
  | m' :: rest => let m := if own then s [] else matching q p m' in
                  m :: image (negb own) (after s m) (play G p m) (play G q m') rest
  end.

Fixpoint image_endless (own : bool) (s : strategy) (p q : position) (f : nat -> N) (n : nat) : N :=
  let m := if own then s [] else matching q p (f O) in
  match n with
  | O => m
  | S n => image_endless (negb own) (after s m) (play G p m) (play G q (f O)) (later f) n
  end.

Lemma first_image own s p q f n : first (image_endless own s p q f) n = image own s p q (first f n).
Proof.
  revert own s p q f. induction n; intros; [reflexivity|]. cbn [first image]. f_equal.
  exact (IHn (negb own) _ _ _ (later f)).
Qed.

Lemma image_right own s p q t line : guarantees G s own p t -> key K p = key K q ->
  legal G q line -> follows (mirrored own s p q) own line ->
  let l := image own s p q line in
  legal G p l /\ follows s own l /\ key K (position_after G p l) = key K (position_after G q line)
  /\ scored G own p l = scored G own q line /\ turn_after own l = turn_after own line
  /\ mirrored own s p q line = matching (position_after G p l) (position_after G q line) (s l).
Proof.
  revert own s p q t. induction line as [|m' line IH]; intros own s p q t good same; cbn [image]; [cbn; repeat split; assumption|].
  intros (goes_on & is_move' & legal_line) (ours & follows_line).
  set (m := if own then s [] else matching q p m') in *.
  assert (goes_on' : terminal G p = None) by (rewrite (key_terminal K p q same); assumption).
  assert (corresponds : In m (moves G p) /\ reward G p m = reward G q m' /\ key K (play G p m) = key K (play G q m')
                        /\ (own = true -> m = s [])).
  { destruct own; subst m.
    - assert (moving : In (s []) (moves G p)) by (apply (always_moves _ _ _ _ _ good []); cbn; auto).
      destruct (matching_right p q (s []) same goes_on' moving) as (_ & b & c).
      rewrite (ours eq_refl). cbn [mirrored]. repeat split; auto using eq_sym.
    - destruct (matching_right q p m' (eq_sym same) goes_on is_move') as (a & b & c). repeat split; auto; discriminate. }
  destruct corresponds as (is_move & rewards & same' & ours').
  assert (rest := guarantees_after G s own p t m good goes_on' is_move ours').
  destruct (IH (negb own) (after s m) (play G p m) (play G q m') _ rest same' legal_line follows_line)
    as (a & b & c & d & e & g).
  cbn [legal follows position_after scored turn_after]. rewrite rewards, d.
  repeat split; auto.
Qed.

(** What is guaranteed at a position is guaranteed at every position of the same key. *)
Theorem guarantee_of_key own p q t : key K p = key K q -> guarantee G own p t -> guarantee G own q t.
Proof.
  intros same [s good]. exists (mirrored own s p q). split.
  - intros line legal_line follows_line goes_on turn.
    destruct (image_right own s p q t line good same legal_line follows_line) as (a & b & c & _ & e & ->).
    rewrite <- e in turn. rewrite <- (key_terminal K _ _ c) in goes_on.
    apply (matching_right _ _ _ c goes_on). apply (always_moves _ _ _ _ _ good); auto.
  - intros line v legal_line follows_line ended.
    destruct (image_right own s p q t line good same legal_line follows_line) as (a & b & c & d & e & _).
    rewrite <- d, <- e. rewrite <- (key_terminal K _ _ c) in ended. apply (when_over _ _ _ _ _ good); auto.
  - intros f z is_endless follows_f (n & r & quiet & rho & ->).
    set (g := image_endless own s p q f).
    assert (all := fun n => image_right own s p q t (first f n) good same (is_endless n) (follows_f n)).
    apply (when_endless _ _ _ _ _ good g).
    + intros k. unfold g. rewrite first_image. apply all.
    + intros k. unfold g. rewrite first_image. apply all.
    + exists n, r. unfold g. rewrite first_image. destruct (all n) as (_ & _ & c & d & e & _).
      rewrite d, e, (key_repetition K _ _ c). split; [|auto].
      intros k le. rewrite first_image. destruct (all k) as (_ & _ & _ & d' & _). rewrite d'. apply quiet, le.
Qed.
End Symmetry.
