(** When a threat tree wins in a game of lines (docs/zones.md, "What a tree proves"), and that it does. *)
From Proofbase Require Export Lines.
From Coq Require Import NArith.

Section LineThreats.
Context (B : board_kind).
Notation rules := (lines_rules B).
Notation line := (list nat * list nat)%type.

(** The squares of a line without a stone of one side. *)
Definition missing (s : cell) (l : list cell) (n : line) : list nat := filter (fun i => negb (is s (on i l))) (fst n).

Definition is_free (l : list cell) (i : nat) : bool := (i <? length l)%nat && is Empty (on i l).

(** The empty squares that fill a line, longer rows included. *)
Definition completing (s : cell) (l : list cell) : list nat :=
  flat_map (fun n => match missing s l n with
                     | v :: rest => if is Empty (on v l) && forallb (Nat.eqb v) rest then [v] else []
                     | [] => []
                     end) (lines B).

(** W: those that win by the rules. *)
Definition winning (s : cell) (l : list cell) : list nat :=
  filter (fun w => is_free l w && has_line B s (put_on w s l)) (completing s l).

(** Squares of which two are missing in a line. *)
Definition doubles (s : cell) (l : list cell) : list nat :=
  flat_map (fun n => match missing s l n with
                     | [a; b] => if is Empty (on a l) && is Empty (on b l) then [a; b] else []
                     | _ => []
                     end) (lines B).

Definition two_wins (s : cell) (l : list cell) : option (nat * nat) :=
  match winning s l with
  | [] => None
  | w :: rest => match find (fun x => negb (x =? w)%nat) rest with Some x => Some (w, x) | None => None end
  end.

(** E: the attacker, to move, with stones [s], wins at once or by a double threat. *)
Definition ends (s e : cell) (l : list cell) : bool :=
  match winning s l with
  | _ :: _ => true
  | [] =>
    match completing e l with
    | _ :: _ => false
    | [] => match find (fun d => is_free l d && match two_wins s (put_on d s l) with Some _ => true | None => false end)
                    (doubles s l) with Some _ => true | None => false end
    end
  end.

Definition mover (p : placed) : cell := stone_of (fst p).
Definition waiter (p : placed) : cell := stone_of (negb (fst p)).

(** The attacker plays [m]; [below] says whether a tree wins where he is to move again. *)
Definition after_move (below : tree -> placed -> bool) (m : N) (after : list (N * tree)) (p : placed) : bool :=
  let s := mover p in
  let e := waiter p in
  let i := N.to_nat m in
  let l := put_on i s (snd p) in
  if is_free (snd p) i then
    match completing e l with
    | _ :: _ => false
    | [] =>
      if ends s e l then
        forallb (fun r =>
          let child := (fst p, put_on (N.to_nat r) e l) in
          match find (fun x : N * tree => (fst x =? r)%N) after with
          | Some (_, t) => match empty_cells 0 (snd child) with [] => false | _ => below t child end
          | None => ends s e (snd child)
          end) (empty_cells 0 l)
      else false
    end
  else false.

Fixpoint tree_wins (depth : nat) (t : tree) (p : placed) : bool :=
  match depth with
  | O => false
  | S depth =>
    if ends (mover p) (waiter p) (snd p) then true
    else match t with Ends => false | Attack m after => after_move (tree_wins depth) m after p end
  end.

Definition deepest : nat := N.to_nat 201.

Definition tree_wins_after (m : N) (after : list (N * tree)) (p : placed) : bool :=
  if existsb (Nat.eqb (N.to_nat m)) (winning (mover p) (snd p)) then true
  else after_move (tree_wins deepest) m after p.

(** ** Proofs *)
Lemma is_other t : is (stone_of t) (stone_of (negb t)) = false /\ is (stone_of (negb t)) (stone_of t) = false.
Proof. destruct t; split; reflexivity. Qed.

Lemma is_not_empty t : is (stone_of t) Empty = false.
Proof. destruct t; reflexivity. Qed.

Lemma is_itself t : is (stone_of t) (stone_of t) = true.
Proof. destruct t; reflexivity. Qed.

Lemma free_facts l i : is_free l i = true -> (i < length l)%nat /\ on i l = Empty.
Proof.
  unfold is_free. intros both. apply andb_prop in both. destruct both as [small free]. split; [apply Nat.ltb_lt, small|].
  destruct (on i l); [reflexivity|discriminate|discriminate].
Qed.

Lemma free_is_move l i : (i < length l)%nat -> on i l = Empty -> In (N.of_nat i) (empty_cells 0 l).
Proof. intros small free. apply empty_cells_in. rewrite Nat2N.id, free. split; [exact small|reflexivity]. Qed.

Lemma has_line_same s l k : (forall j, is s (on j l) = is s (on j k)) -> has_line B s l = has_line B s k.
Proof.
  intros same. unfold has_line. induction (lines B) as [|n rest IH]; [reflexivity|]. cbn [existsb]. rewrite IH. f_equal.
  unfold fills. f_equal.
  - induction (fst n) as [|i l' IH']; [reflexivity|]. cbn [forallb]. rewrite same, IH'. reflexivity.
  - f_equal. induction (snd n) as [|i l' IH']; [reflexivity|]. cbn [existsb]. rewrite same, IH'. reflexivity.
Qed.

(** A stone of the other side changes no line. *)
Lemma has_line_put s e i l : is s e = false -> is s Empty = false -> (i < length l)%nat -> on i l = Empty ->
  has_line B s (put_on i e l) = has_line B s l.
Proof.
  intros other stone small free. apply has_line_same. intros j. rewrite on_put_on by exact small.
  destruct (Nat.eqb_spec j i) as [->|]; [rewrite other, free, stone; reflexivity|reflexivity].
Qed.

Lemma completing_spec s l v : is s Empty = false -> is s s = true -> has_line B s l = false -> (v < length l)%nat ->
  on v l = Empty -> has_line B s (put_on v s l) = true -> In v (completing s l).
Proof.
  intros stone itself before small free now. unfold has_line in now. apply existsb_exists in now.
  destruct now as (n & member & full). unfold fills in full. apply andb_prop in full. destruct full as [yes no].
  rewrite forallb_forall in yes. unfold completing. apply in_flat_map. exists n. split; [exact member|].
  assert (only : forall i, In i (missing s l n) -> i = v).
  { intros i lacks. apply filter_In in lacks. destruct lacks as [there lacks]. specialize (yes i there).
    rewrite on_put_on in yes by exact small. destruct (Nat.eqb_spec i v) as [|other]; [assumption|].
    rewrite yes in lacks. discriminate. }
  destruct (missing s l n) as [|w rest] eqn:lacks.
  - exfalso. rewrite <- not_true_iff_false in before. apply before. apply existsb_exists. exists n. split; [exact member|].
    unfold fills. apply andb_true_intro. split.
    + apply forallb_forall. intros i there. destruct (is s (on i l)) eqn:has; [reflexivity|]. exfalso.
      assert (bad : In i (missing s l n)) by (apply filter_In; rewrite has; auto). rewrite lacks in bad. exact bad.
    + apply negb_true_iff. apply negb_true_iff in no.
      destruct (existsb (fun i => is s (on i l)) (snd n)) eqn:bad; [|reflexivity].
      rewrite <- no. symmetry. apply existsb_exists in bad. destruct bad as (i & there & has). apply existsb_exists.
      exists i. split; [exact there|]. rewrite on_put_on by exact small. destruct (i =? v)%nat; [exact itself|exact has].
  - assert (w = v) by (apply only; left; reflexivity). subst w. rewrite free.
    replace (forallb (Nat.eqb v) rest) with true; [left; reflexivity|]. symmetry. apply forallb_forall. intros i there.
    apply Nat.eqb_eq. symmetry. apply only. right. exact there.
Qed.

Lemma no_completion s l v : is s Empty = false -> is s s = true -> has_line B s l = false -> completing s l = [] ->
  (v < length l)%nat -> on v l = Empty -> has_line B s (put_on v s l) = false.
Proof.
  intros stone itself before none small free. destruct (has_line B s (put_on v s l)) eqn:now; [|reflexivity].
  assert (bad := completing_spec s l v stone itself before small free now). rewrite none in bad. destruct bad.
Qed.

Lemma goes_on_facts t l : lines_over B (t, l) = None -> has_line B (stone_of (negb t)) l = false.
Proof. unfold lines_over. cbn [fst snd]. destruct (has_line _ _ l); [discriminate|reflexivity]. Qed.

Lemma goes_on_if t l i : has_line B (stone_of (negb t)) l = false -> (i < length l)%nat -> on i l = Empty ->
  lines_over B (t, l) = None.
Proof.
  intros none small free. unfold lines_over. cbn [fst snd]. rewrite none.
  assert (some := free_is_move l i small free). destruct (empty_cells 0 l); [destruct some|reflexivity].
Qed.

Lemma winning_facts s l w : In w (winning s l) -> (w < length l)%nat /\ on w l = Empty /\ has_line B s (put_on w s l) = true.
Proof.
  intros member. apply filter_In in member. destruct member as [_ both]. apply andb_prop in both. destruct both as [free line].
  apply free_facts in free. destruct free. auto.
Qed.

Hypothesis fair_rules : fair rules.

Lemma over_by_line t l : has_line B (stone_of t) l = true -> terminal rules (negb t, l) = Some (-1).
Proof. intros full. cbn [terminal lines_rules]. unfold lines_over. cbn [fst snd]. rewrite negb_involutive, full. reflexivity. Qed.

Lemma fill_now t l w : terminal rules (t, l) = None -> (w < length l)%nat -> on w l = Empty ->
  has_line B (stone_of t) (put_on w (stone_of t) l) = true -> guarantee rules false (play rules (t, l) (N.of_nat w)) 1.
Proof.
  intros going small free full. apply (guarantee_over rules false _ (-1)); [|cbn; lia].
  cbn [play lines_rules fst snd]. rewrite Nat2N.id. apply over_by_line, full.
Defined.

Lemma win_now t l w : terminal rules (t, l) = None -> In w (winning (stone_of t) l) -> guarantee rules true (t, l) 1.
Proof.
  intros going member. destruct (winning_facts _ _ _ member) as (small & free & full).
  apply (guarantee_by_move rules fair_rules _ (N.of_nat w) 1 going); [exact (free_is_move l _ small free)|].
  exact (fill_now t l w going small free full).
Defined.

Lemma double_wins t l d w x : terminal rules (t, l) = None -> completing (stone_of (negb t)) l = [] ->
  (d < length l)%nat -> on d l = Empty -> w <> x ->
  In w (winning (stone_of t) (put_on d (stone_of t) l)) -> In x (winning (stone_of t) (put_on d (stone_of t) l)) ->
  guarantee rules true (t, l) 1.
Proof.
  intros going none small free different in_w in_x. set (s := stone_of t) in *. set (e := stone_of (negb t)) in *.
  destruct (is_other t) as [se es]. fold s e in se, es.
  assert (s0 : is s Empty = false) by apply is_not_empty. assert (e0 : is e Empty = false) by apply is_not_empty.
  assert (ee : is e e = true) by apply is_itself.
  assert (quiet : has_line B e l = false) by exact (goes_on_facts t l going).
  set (l1 := put_on d s l) in *.
  assert (long : length l1 = length l) by apply put_on_length.
  apply (guarantee_by_move rules fair_rules _ (N.of_nat d) 1 going); [exact (free_is_move l _ small free)|].
  change (guarantee rules false (negb t, put_on (N.to_nat (N.of_nat d)) s l) 1). rewrite Nat2N.id. fold l1.
  destruct (winning_facts _ _ _ in_w) as (small_w & free_w & full_w).
  destruct (winning_facts _ _ _ in_x) as (small_x & free_x & full_x).
  destruct (has_line B s l1) eqn:at_once.
  { apply (guarantee_over rules false _ (-1)); [apply over_by_line, at_once|cbn; lia]. }
  assert (going1 : terminal rules (negb t, l1) = None).
  { apply (goes_on_if (negb t) l1 w); [rewrite negb_involutive; exact at_once|exact small_w|exact free_w]. }
  apply (guarantee_by_moves rules fair_rules _ 1 going1). intros r is_move.
  apply empty_cells_in in is_move. cbn [snd] in is_move. set (i := N.to_nat r) in *. destruct is_move as [small_i free_i'].
  assert (free_i : on i l1 = Empty) by (destruct (on i l1); [reflexivity|discriminate|discriminate]).
  change (guarantee rules true (negb (negb t), put_on i e l1) 1). rewrite negb_involutive.
  set (l2 := put_on i e l1). assert (long2 : length l2 = length l1) by apply put_on_length.
  assert (other : i <> d).
  { intros ->. unfold l1 in free_i. rewrite on_put_on, Nat.eqb_refl in free_i by exact small. unfold s in free_i. destruct t; discriminate. }
  assert (free_il : on i l = Empty).
  { unfold l1 in free_i. rewrite on_put_on in free_i by exact small. destruct (Nat.eqb_spec i d); [contradiction|exact free_i]. }
  assert (none2 : has_line B e l2 = false).
  { assert (small_il : (i < length l)%nat) by (rewrite <- long; exact small_i).
    rewrite <- (no_completion e l i e0 ee quiet none small_il free_il). apply has_line_same. intros j.
    unfold l2, l1. rewrite !on_put_on by (rewrite ?put_on_length; lia).
    destruct (j =? i)%nat; [reflexivity|]. destruct (Nat.eqb_spec j d) as [->|]; [rewrite es, free, e0; reflexivity|reflexivity]. }
  set (y := if Nat.eq_dec w i then x else w).
  assert (y_facts : (y < length l1)%nat /\ on y l1 = Empty /\ has_line B s (put_on y s l1) = true /\ y <> i).
  { unfold y. destruct (Nat.eq_dec w i); repeat split; congruence || assumption. }
  destruct y_facts as (small_y & free_y & full_y & away).
  assert (free_y2 : on y l2 = Empty).
  { unfold l2. rewrite on_put_on by lia. destruct (Nat.eqb_spec y i); [contradiction|exact free_y]. }
  assert (small_y2 : (y < length l2)%nat) by (rewrite long2; exact small_y).
  assert (going2 : terminal rules (t, l2) = None) by exact (goes_on_if t l2 y none2 small_y2 free_y2).
  apply (guarantee_by_move rules fair_rules _ (N.of_nat y) 1 going2); [exact (free_is_move l2 y small_y2 free_y2)|].
  apply (fill_now t l2 y going2 small_y2 free_y2).
  fold s. rewrite <- full_y. apply has_line_same. intros j. unfold l2. rewrite !on_put_on by (rewrite ?put_on_length; lia).
  destruct (j =? y)%nat; [reflexivity|]. destruct (Nat.eqb_spec j i) as [->|]; [rewrite se, free_i, s0; reflexivity|reflexivity].
Defined.

Lemma ends_right t l : terminal rules (t, l) = None -> ends (stone_of t) (stone_of (negb t)) l = true ->
  guarantee rules true (t, l) 1.
Proof.
  intros going. unfold ends. destruct (winning (stone_of t) l) as [|w rest] eqn:at_once.
  - destruct (completing (stone_of (negb t)) l) eqn:none; [|discriminate].
    destruct (find _ _) as [d|] eqn:found; [|discriminate]. intros _. apply find_some in found. destruct found as [_ both].
    apply andb_prop in both. destruct both as [free two]. apply free_facts in free. destruct free as [small free].
    unfold two_wins in two. destruct (winning (stone_of t) (put_on d (stone_of t) l)) as [|w rest] eqn:wins; [discriminate|].
    destruct (find (fun x => negb (x =? w)%nat) rest) as [x|] eqn:second; [|discriminate].
    apply find_some in second. destruct second as [member other].
    apply (double_wins t l d w x going none small free); [|rewrite wins; left; reflexivity|rewrite wins; right; exact member].
    intros ->. rewrite Nat.eqb_refl in other. discriminate.
  - intros _. apply (win_now t l w going). rewrite at_once. left. reflexivity.
Defined.

(** Where the attacker ends the game, a square is empty. *)
Lemma ends_free s e l : ends s e l = true -> exists i, (i < length l)%nat /\ on i l = Empty.
Proof.
  unfold ends. destruct (winning s l) as [|w rest] eqn:at_once.
  - destruct (completing e l); [|discriminate]. destruct (find _ _) as [d|] eqn:found; [|discriminate]. intros _.
    apply find_some in found. destruct found as [_ both]. apply andb_prop in both. destruct both as [free _].
    exists d. apply free_facts, free.
  - intros _. exists w. destruct (winning_facts s l w) as (a & b & _); [rewrite at_once; left; reflexivity|]. auto.
Qed.

Lemma after_move_right below m after p :
  (forall t q, terminal rules q = None -> below t q = true -> guarantee rules true q 1) ->
  terminal rules p = None -> after_move below m after p = true -> guarantee rules false (play rules p m) 1.
Proof.
  intros right_below. destruct p as [t l]. intros going. unfold after_move, mover, waiter. cbn [fst snd].
  set (s := stone_of t). set (e := stone_of (negb t)). set (i := N.to_nat m).
  destruct (is_free l i) eqn:is_free_i; [|discriminate]. apply free_facts in is_free_i. destruct is_free_i as [small free].
  destruct (is_other t) as [se es]. fold s e in se, es.
  assert (e0 : is e Empty = false) by apply is_not_empty. assert (ee : is e e = true) by apply is_itself.
  set (l1 := put_on i s l). destruct (completing e l1) eqn:none; [|discriminate].
  destruct (ends s e l1) eqn:passed; [|discriminate]. intros each. rewrite forallb_forall in each.
  change (guarantee rules false (negb t, l1) 1).
  assert (quiet : has_line B e l1 = false).
  { unfold l1. rewrite has_line_put by assumption. exact (goes_on_facts t l going). }
  destruct (has_line B s l1) eqn:at_once.
  { apply (guarantee_over rules false _ (-1)); [apply over_by_line, at_once|cbn; lia]. }
  assert (going1 : terminal rules (negb t, l1) = None).
  { destruct (ends_free s e l1 passed) as (j & small_j & free_j).
    apply (goes_on_if (negb t) l1 j); [rewrite negb_involutive; exact at_once|exact small_j|exact free_j]. }
  apply (guarantee_by_moves rules fair_rules _ 1 going1). intros r is_move. specialize (each r is_move).
  apply empty_cells_in in is_move. cbn [snd] in is_move. destruct is_move as [small_r free_r'].
  assert (free_r : on (N.to_nat r) l1 = Empty) by (destruct (on (N.to_nat r) l1); [reflexivity|discriminate|discriminate]).
  change (guarantee rules true (negb (negb t), put_on (N.to_nat r) e l1) 1). rewrite negb_involutive.
  cbn [snd] in each. set (l2 := put_on (N.to_nat r) e l1) in *.
  assert (none2 : has_line B e l2 = false) by (apply no_completion; assumption).
  destruct (find _ after) as [[r' t']|].
  - destruct (empty_cells 0 l2) as [|first others] eqn:some; [discriminate|].
    apply (right_below t'); [|exact each]. cbn [terminal lines_rules]. unfold lines_over. cbn [fst snd].
    fold e. rewrite none2, some. reflexivity.
  - apply ends_right; [|exact each]. destruct (ends_free s e l2 each) as (j & small_j & free_j).
    apply (goes_on_if t l2 j none2 small_j free_j).
Defined.

Lemma tree_wins_right depth : forall tr p, terminal rules p = None -> tree_wins depth tr p = true -> guarantee rules true p 1.
Proof.
  induction depth as [|depth IH]; intros tr [t l] going; cbn [tree_wins]; [discriminate|]. unfold mover, waiter. cbn [fst snd].
  destruct (ends (stone_of t) (stone_of (negb t)) l) eqn:at_once; [intros _; apply ends_right; assumption|].
  destruct tr as [|m after]; [discriminate|]. intros wins.
  assert (rest := after_move_right _ m after (t, l) IH going wins).
  apply (guarantee_by_move rules fair_rules _ m 1 going); [|exact rest].
  unfold after_move in wins. cbn [snd] in wins. destruct (is_free l (N.to_nat m)) eqn:free; [|discriminate].
  apply free_facts in free. destruct free as [small free]. cbn [moves lines_rules snd]. apply empty_cells_in.
  rewrite free. split; [exact small|reflexivity].
Defined.

Lemma tree_wins_after_right m after p : terminal rules p = None -> tree_wins_after m after p = true ->
  guarantee rules false (play rules p m) 1.
Proof.
  intros going. unfold tree_wins_after. destruct (existsb _ _) eqn:at_once; intros wins.
  - apply existsb_exists in at_once. destruct p as [t l].
    assert (member : In (N.to_nat m) (winning (stone_of t) l)).
    { destruct at_once as (w & there & same). apply Nat.eqb_eq in same. rewrite same. exact there. }
    destruct (winning_facts _ _ _ member) as (small & free & full). rewrite <- (N2Nat.id m).
    exact (fill_now t l (N.to_nat m) going small free full).
  - exact (after_move_right _ m after p (tree_wins_right deepest) going wins).
Defined.

Definition line_threats : threat_rules rules :=
  Threat_rules rules true (tree_wins deepest) (tree_wins_right deepest) tree_wins_after tree_wins_after_right.
End LineThreats.

Lemma lines_fair (B : board_kind) (ok : board_ok B = true) : fair (lines_rules B).
Proof. exact (symmetric_fair _ _ _ 1 (lines_symmetric B ok)). Qed.

(** The game on a board that keeps its lines under its symmetries. *)
Definition lines_game (B : board_kind) (ok : board_ok B = true) : ruleset :=
  symmetric_ruleset (lines_rules B) (placed_digits B) (placed_images B) same_placed placed_code 1
    (no_squares (lines_rules B)) (line_threats B (lines_fair B ok)) (lines_symmetric B ok).
