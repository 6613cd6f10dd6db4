(** Awari, as engine/rules/awari.py has it: positions come back, and moves have rewards. *)
From Proofbase Require Export Checker.

Section Awari.
(** Whether a move that would capture all stones of the other side captures none: `awari:oware`. *)
Context (oware : bool).

(** The stones in the pits: the six of the side to move in the order of sowing, then the six of the other side. *)
Definition pits := list N.

Definition stones_in (p : pits) (i : nat) : N := nth i p 0%N.
Definition total (p : pits) : N := fold_right N.add 0%N p.

Fixpoint change (f : N -> N) (i : nat) (p : pits) : pits :=
  match p, i with
  | [], _ => []
  | x :: rest, O => f x :: rest
  | x :: rest, S i => x :: change f i rest
  end.

Definition empty_pit : nat -> pits -> pits := change (fun _ => 0%N).
Definition add_stone : nat -> pits -> pits := change N.succ.

Definition after_pit (i : nat) : nat := if Nat.ltb i 11 then S i else O.

(** Sows [stones], the first one behind [pit], none into [origin]; also says where the last one fell. *)
Fixpoint sow (stones : nat) (origin pit : nat) (p : pits) : nat * pits :=
  match stones with
  | O => (pit, p)
  | S stones =>
      let next := after_pit pit in
      let next := if Nat.eqb next origin then after_pit next else next in
      sow stones origin next (add_stone next p)
  end.

(** Captures backwards from [pit], as long as pits of the other side hold two or three. *)
Fixpoint capture (pit : nat) (p : pits) : pits :=
  match pit with
  | O => p
  | S before =>
      if Nat.leb 6 pit && ((stones_in p pit =? 2) || (stones_in p pit =? 3))%N
      then capture before (empty_pit pit p)
      else p
  end.

Definition some_stones (p : pits) : bool := existsb (fun x => 0 <? x)%N p.

(** The pits after a move, seen by the side that made it. *)
Definition moved (p : pits) (m : N) : pits :=
  let i := N.to_nat m in
  let (last, sown) := sow (N.to_nat (stones_in p i)) i i (empty_pit i p) in
  let left_over := capture last sown in
  if oware && some_stones (skipn 6 sown) && negb (some_stones (skipn 6 left_over)) then sown else left_over.

Definition own_moves (p : pits) : list N := filter (fun m => 0 <? stones_in p (N.to_nat m))%N [0; 1; 2; 3; 4; 5]%N.

(** As long as some move leaves the other side a stone to move, only such moves are legal. *)
Definition awari_moves (p : pits) : list N :=
  match filter (fun m => some_stones (skipn 6 (moved p m))) (own_moves p) with [] => own_moves p | feeding => feeding end.

Definition awari_rules : game :=
  Game pits
    (fun p => match own_moves p with [] => Some (- Z.of_N (total (skipn 6 p))) | _ => None end)
    awari_moves
    (fun p m => let q := moved p m in skipn 6 q ++ firstn 6 q)
    (fun p m => Z.of_N (total p) - Z.of_N (total (moved p m)))
    (fun _ => Some 0).

(** The key: of each pit so many ones, and a zero. *)
Definition awari_code (p : pits) : positive :=
  N.succ_pos (fold_right (fun x n => N.lor (N.shiftl n (N.succ x)) (N.ones x)) 0 p)%N.

Definition same_pits (p q : pits) : {p = q} + {p <> q} := list_eq_dec N.eq_dec p q.

(** ** No stones come from nowhere *)
Lemma total_app p q : total (p ++ q) = (total p + total q)%N.
Proof. unfold total. induction p; cbn; [reflexivity|]. rewrite IHp. lia. Qed.

Lemma total_turned p : total (skipn 6 p ++ firstn 6 p) = total p.
Proof. rewrite total_app, N.add_comm, <- total_app, firstn_skipn. reflexivity. Qed.

Lemma total_skipn n p : (total (skipn n p) <= total p)%N.
Proof. rewrite <- (firstn_skipn n p) at 2. rewrite total_app. lia. Qed.

Lemma total_empty_pit i p : (total (empty_pit i p) + stones_in p i = total p)%N.
Proof.
  unfold stones_in, empty_pit, total. revert i. induction p as [|x p IH]; intros [|i]; cbn [change nth fold_right]; try lia.
  specialize (IH i). lia.
Qed.

Lemma total_add_stone i p : (total (add_stone i p) <= total p + 1)%N.
Proof.
  unfold add_stone, total. revert i. induction p as [|x p IH]; intros [|i]; cbn [change fold_right]; try lia.
  specialize (IH i). lia.
Qed.

Lemma total_sow stones origin : forall pit p, (total (snd (sow stones origin pit p)) <= total p + N.of_nat stones)%N.
Proof.
  induction stones as [|stones IH]; intros pit p; cbn [sow]; [cbn [snd]; lia|].
  specialize (IH (if Nat.eqb (after_pit pit) origin then after_pit (after_pit pit) else after_pit pit)
    (add_stone (if Nat.eqb (after_pit pit) origin then after_pit (after_pit pit) else after_pit pit) p)).
  assert (a := total_add_stone (if Nat.eqb (after_pit pit) origin then after_pit (after_pit pit) else after_pit pit) p). lia.
Qed.

Lemma total_capture pit : forall p, (total (capture pit p) <= total p)%N.
Proof.
  induction pit as [|before IH]; intros p; cbn [capture]; [lia|]. destruct (_ && _); [|lia].
  specialize (IH (empty_pit (S before) p)). assert (a := total_empty_pit (S before) p). lia.
Qed.

Lemma total_moved p m : (total (moved p m) <= total p)%N.
Proof.
  unfold moved. assert (a := total_sow (N.to_nat (stones_in p (N.to_nat m))) (N.to_nat m) (N.to_nat m) (empty_pit (N.to_nat m) p)).
  assert (b := total_empty_pit (N.to_nat m) p).
  destruct (sow _ _ _ _) as [last sown]. cbn [snd] in a. assert (c := total_capture last sown).
  destruct (_ && _); lia.
Qed.

Lemma awari_fair : fair awari_rules.
Proof.
  split.
  - intros p. cbn [terminal moves awari_rules]. unfold awari_moves. destruct (own_moves p) as [|m l]; [discriminate|].
    intros _. destruct (filter (fun m => some_stones (skipn 6 (moved p m))) (m :: l)); discriminate.
  - reflexivity.
  - intros own p f e. apply (scores_exist_by_potential awari_rules (fun p => N.to_nat (total p))); [|intros; cbn; discriminate|exact e].
    intros q m _ _. cbn [play reward awari_rules]. rewrite total_turned. assert (a := total_moved q m). lia.
Qed.

Definition awari : ruleset.
Proof.
  refine (Ruleset awari_rules awari_fair (fun p => p) same_pits _ _ _ awari_code (fun p => Z.of_N (total p)) _ _
            (no_squares awari_rules) (no_threats awari_rules));
    try (intros p q ->; reflexivity).
  - intros p q m -> _ is_move. exists m. auto.
  - apply limits_are_guaranteed; [exact awari_fair| | |].
    + intros p v. cbn [terminal awari_rules]. destruct (own_moves p); [|discriminate]. intros same.
      assert (v = - Z.of_N (total (skipn 6 p))) as -> by congruence. assert (a := total_skipn 6 p). lia.
    + intros p r same. injection same as <-. cbn. lia.
    + intros p m _ _. cbn [play reward awari_rules]. rewrite total_turned. assert (a := total_moved p m). lia.
Defined.
End Awari.
