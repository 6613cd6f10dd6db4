(** Tic-tac-toe, as engine/rules/tic_tac_toe.py has it. *)
From Proofbase Require Export Canonical.
From Coq Require Import Btauto.

(** A cell is empty or has a stone. The cells of a board, row by row from the top left:
      0 1 2
      3 4 5
      6 7 8 *)
Inductive cell := Empty | First | Second.

Inductive cells := Cells (c0 c1 c2 c3 c4 c5 c6 c7 c8 : cell).

(** Whether the first player is to move, and the cells. *)
Definition square := (bool * cells)%type.

Definition is (stone c : cell) : bool :=
  match stone, c with First, First | Second, Second | Empty, Empty => true | _, _ => false end.

Arguments is : simpl never.

Definition three (s : cell) (p : cells) : bool :=
  let 'Cells a b c d e f g h i := p in
  let row x y z := is s x && is s y && is s z in
  row a b c || row d e f || row g h i || row a d g || row b e h || row c f i || row a e i || row c e g.

Definition to_list (p : cells) : list cell := let 'Cells a b c d e f g h i := p in [a; b; c; d; e; f; g; h; i].

Fixpoint empty_cells (number : N) (l : list cell) : list N :=
  match l with
  | [] => []
  | c :: rest => if is Empty c then number :: empty_cells (N.succ number) rest else empty_cells (N.succ number) rest
  end.

Definition set_cell (s : cell) (m : N) (p : cells) : cells :=
  let 'Cells a b c d e f g h i := p in
  match m with
  | 0 => Cells s b c d e f g h i | 1 => Cells a s c d e f g h i | 2 => Cells a b s d e f g h i
  | 3 => Cells a b c s e f g h i | 4 => Cells a b c d s f g h i | 5 => Cells a b c d e s g h i
  | 6 => Cells a b c d e f s h i | 7 => Cells a b c d e f g s i | _ => Cells a b c d e f g h s
  end%N.

Definition stone_of (turn : bool) : cell := if turn then First else Second.

Definition tic_tac_toe_rules : game :=
  Game square
    (fun p => if three (stone_of (negb (fst p))) (snd p) then Some (-1)
              else match empty_cells 0 (to_list (snd p)) with [] => Some 0 | _ => None end)
    (fun p => empty_cells 0 (to_list (snd p)))
    (fun p m => (negb (fst p), set_cell (stone_of (fst p)) m (snd p)))
    (fun _ _ => 0) (fun _ => None).

(** ** Symmetries *)
Definition quarter (p : cells) : cells := let 'Cells a b c d e f g h i := p in Cells g d a h e b i f c.
Definition flipped (p : cells) : cells := let 'Cells a b c d e f g h i := p in Cells c b a f e d i h g.

Definition all_images (p : cells) : list cells :=
  let q := quarter p in let h := quarter q in let t := quarter h in
  [p; q; h; t; flipped p; flipped q; flipped h; flipped t].

Definition square_images (p : square) : list square := map (fun c => (fst p, c)) (all_images (snd p)).

Definition digit (c : cell) : N := match c with Empty => 0 | First => 1 | Second => 2 end.
Definition square_digits (p : square) : list N := (if fst p then 0 else 1)%N :: map digit (to_list (snd p)).
Definition square_code (p : square) : positive :=
  N.succ_pos (fold_left (fun n c => n * 3 + digit c) (to_list (snd p)) 0)%N.

Definition same_cell (c d : cell) : {c = d} + {c <> d}.
Proof. decide equality. Defined.

Definition same_square (p q : square) : {p = q} + {p <> q}.
Proof.
  destruct (bool_dec (fst p) (fst q)) as [turns|]; [|right; congruence].
  destruct (list_eq_dec same_cell (to_list (snd p)) (to_list (snd q))) as [cells|]; [left|right; congruence].
  destruct p as [? [? ? ? ? ? ? ? ? ?]], q as [? [? ? ? ? ? ? ? ? ?]]. cbn in *. injection cells as. congruence.
Defined.

(** A symmetry that keeps the rules. *)
Definition keeps_rules (f : cells -> cells) (g : N -> N) : Prop :=
  (forall s p, three s (f p) = three s p)
  /\ (forall p m, In m (empty_cells 0 (to_list p)) -> In (g m) (empty_cells 0 (to_list (f p))))
  /\ (forall s p m, (m < 9)%N -> set_cell s (g m) (f p) = f (set_cell s m p)).

Lemma empty_cells_small p m : In m (empty_cells 0 (to_list p)) -> (m < 9)%N.
Proof.
  assert (general : forall l n, In m (empty_cells n l) -> (m < n + N.of_nat (length l))%N).
  { induction l as [|c l IH]; cbn [empty_cells length]; intros n; [intros []|]. destruct (is Empty c).
    - intros [<-|member]; [lia|]. specialize (IH _ member). lia.
    - intros member. specialize (IH _ member). lia. }
  intros member. specialize (general _ _ member). destruct p. exact general.
Qed.

Lemma empty_cells_spec p m : In m (empty_cells 0 (to_list p)) <-> (m < 9)%N /\ is Empty (nth (N.to_nat m) (to_list p) First) = true.
Proof.
  assert (general : forall l n, In m (empty_cells n l) <->
    (n <= m < n + N.of_nat (length l))%N /\ is Empty (nth (N.to_nat (m - n)) l First) = true).
  { induction l as [|c l IH]; intros n; cbn [empty_cells length].
    - cbn. split; [intros []|]. lia.
    - assert (here : In m (if is Empty c then n :: empty_cells (N.succ n) l else empty_cells (N.succ n) l)
        <-> (m = n /\ is Empty c = true) \/ In m (empty_cells (N.succ n) l)).
      { destruct (is Empty c); cbn; intuition congruence. }
      rewrite here, IH. destruct (N.eq_dec m n) as [->|other].
      + rewrite N.sub_diag. cbn [N.to_nat nth]. intuition lia.
      + destruct (N.le_gt_cases n m); [|intuition lia].
        replace (N.to_nat (m - n)) with (S (N.to_nat (m - N.succ n))) by lia. cbn [nth]. intuition lia. }
  rewrite general, N.sub_0_r. destruct p. cbn [to_list length]. intuition lia.
Qed.

Lemma below_nine (P : N -> Prop) : P 0%N -> P 1%N -> P 2%N -> P 3%N -> P 4%N -> P 5%N -> P 6%N -> P 7%N -> P 8%N ->
  forall m, (m < 9)%N -> P m.
Proof.
  intros ? ? ? ? ? ? ? ? ? m small.
  assert (m = 0 \/ m = 1 \/ m = 2 \/ m = 3 \/ m = 4 \/ m = 5 \/ m = 6 \/ m = 7 \/ m = 8)%N as choice by lia.
  intuition congruence.
Qed.

Ltac rules_kept :=
  split; [|split];
  [ intros s [? ? ? ? ? ? ? ? ?]; unfold three; cbn; btauto
  | intros [? ? ? ? ? ? ? ? ?] m; rewrite !empty_cells_spec; intros [small free]; revert m small free;
    refine (below_nine _ _ _ _ _ _ _ _ _ _); cbn; intros free; (split; [reflexivity|exact free])
  | intros s [? ? ? ? ? ? ? ? ?]; refine (below_nine _ _ _ _ _ _ _ _ _ _); reflexivity ].

Definition move_map (l : list N) (m : N) : N := nth (N.to_nat m) l 0%N.

(** Where each cell goes. *)
Lemma quarter_keeps : keeps_rules quarter (move_map [2; 5; 8; 1; 4; 7; 0; 3; 6]%N). Proof. rules_kept. Qed.
Lemma flipped_keeps : keeps_rules flipped (move_map [2; 1; 0; 5; 4; 3; 8; 7; 6]%N). Proof. rules_kept. Qed.

Lemma keeps_both f g f' g' : (forall m, (m < 9)%N -> (g m < 9)%N) ->
  keeps_rules f g -> keeps_rules f' g' -> keeps_rules (fun p => f' (f p)) (fun m => g' (g m)).
Proof.
  intros small (a & b & c) (a' & b' & c'). repeat split; intros.
  - rewrite a', a. reflexivity.
  - auto.
  - rewrite c', c; auto.
Qed.

Definition symmetry (f : cells -> cells) : Prop := exists g, keeps_rules f g.

Lemma symmetry_both f f' : symmetry f -> symmetry f' -> symmetry (fun p => f' (f p)).
Proof.
  intros [g k] [g' k']. exists (fun m => g' (g m)). apply keeps_both; [|assumption|assumption].
  intros m small. destruct k as (_ & b & _).
  apply (empty_cells_small (f (Cells Empty Empty Empty Empty Empty Empty Empty Empty Empty))), b, empty_cells_spec.
  split; [assumption|]. revert m small. refine (below_nine _ _ _ _ _ _ _ _ _ _); reflexivity.
Qed.

Lemma symmetry_none : symmetry (fun p => p).
Proof. exists (fun m => m). repeat split; auto. Qed.

Lemma image_by_symmetry p q : In q (all_images p) -> exists f, symmetry f /\ q = f p /\ forall r, In (f r) (all_images r).
Proof.
  assert (a : symmetry quarter) by (eexists; exact quarter_keeps).
  assert (b : symmetry flipped) by (eexists; exact flipped_keeps).
  assert (h := symmetry_both _ _ a a). assert (t := symmetry_both _ _ h a).
  intros [<-|[<-|[<-|[<-|[<-|[<-|[<-|[<-|[]]]]]]]]].
  - exists (fun p => p). split; [exact symmetry_none|]. split; [reflexivity|cbn; tauto].
  - exists quarter. split; [exact a|]. split; [reflexivity|cbn; tauto].
  - exists (fun p => quarter (quarter p)). split; [exact h|]. split; [reflexivity|cbn; tauto].
  - exists (fun p => quarter (quarter (quarter p))). split; [exact t|]. split; [reflexivity|cbn; tauto].
  - exists flipped. split; [exact b|]. split; [reflexivity|cbn; tauto].
  - exists (fun p => flipped (quarter p)). split; [exact (symmetry_both _ _ a b)|]. split; [reflexivity|cbn; tauto].
  - exists (fun p => flipped (quarter (quarter p))). split; [exact (symmetry_both _ _ h b)|]. split; [reflexivity|cbn; tauto].
  - exists (fun p => flipped (quarter (quarter (quarter p)))). split; [exact (symmetry_both _ _ t b)|].
    split; [reflexivity|cbn; tauto].
Qed.

Lemma images_of_cells p q : In q (all_images p) -> incl (all_images q) (all_images p) /\ incl (all_images p) (all_images q).
Proof.
  destruct p as [c0 c1 c2 c3 c4 c5 c6 c7 c8].
  intros [<-|[<-|[<-|[<-|[<-|[<-|[<-|[<-|[]]]]]]]]]; split; intros x; cbn; tauto.
Qed.

Lemma tic_tac_toe_symmetric : symmetric tic_tac_toe_rules square_digits square_images 1.
Proof.
  split.
  - intros [t [? ? ? ? ? ? ? ? ?]] [u [? ? ? ? ? ? ? ? ?]] same. unfold square_digits in same. cbn in same.
    assert (one : forall c d, digit c = digit d -> c = d) by (intros [] []; cbn; congruence).
    injection same as turns. assert (t = u) by (destruct t, u; congruence). subst u. repeat f_equal; auto.
  - intros [t p]. left. reflexivity.
  - intros [t p] [u q] image. unfold square_images in *. cbn [fst snd] in *.
    apply in_map_iff in image. destruct image as (r & same & image). injection same as <- ->.
    destruct (images_of_cells p q image) as [x y]. split; apply incl_map; assumption.
  - intros [t p] [u q] image. apply in_map_iff in image. destruct image as (r & same & image). injection same as <- ->.
    destruct (image_by_symmetry p q image) as (f & (g & a & b & _) & -> & inside). cbn.
    rewrite a. destruct (three _ p); [reflexivity|].
    destruct (empty_cells 0 (to_list p)) as [|m rest] eqn:free.
    + destruct (empty_cells 0 (to_list (f p))) as [|m' rest'] eqn:free'; [reflexivity|exfalso].
      (* the way back is an image as well *)
      assert (back : In p (all_images (f p))).
      { destruct (images_of_cells p (f p) (inside p)) as [_ back]. apply back. left. reflexivity. }
      destruct (image_by_symmetry _ _ back) as (f' & (g' & _ & b' & _) & same & _).
      assert (c := b' (f p) m'). rewrite free', <- same, free in c. apply c. left. reflexivity.
    + assert (c := b p m). rewrite free in c. specialize (c (or_introl eq_refl)).
      destruct (empty_cells 0 (to_list (f p))); [destruct c|reflexivity].
  - intros [t p] [u q] m image is_move. apply in_map_iff in image. destruct image as (r & same & image).
    injection same as <- ->. destruct (image_by_symmetry p q image) as (f & (g & _ & b & c) & -> & inside).
    cbn in is_move. exists (g m). split; [apply b, is_move|]. cbn [play tic_tac_toe_rules fst snd].
    rewrite (c (stone_of t) p m (empty_cells_small _ _ is_move)).
    unfold square_images. cbn [fst snd]. apply in_map_iff. eexists. split; [reflexivity|]. apply inside.
  - intros [t p]. cbn. destruct (three _ p); [discriminate|]. destruct (empty_cells 0 (to_list p)); discriminate.
  - reflexivity.
  - reflexivity.
  - intros [t p] v. cbn. destruct (three _ p); [intros same; injection same as <-; cbn; lia|].
    destruct (empty_cells 0 (to_list p)); [intros same; injection same as <-; cbn; lia|discriminate].
  - exists (fun p => length (filter (is Empty) (to_list (snd p)))). intros [t p] m _ is_move. cbn [play tic_tac_toe_rules fst snd moves] in *.
    apply empty_cells_spec in is_move. destruct is_move as [small free]. revert m small free.
    destruct p as [c0 c1 c2 c3 c4 c5 c6 c7 c8].
    assert (filled : is Empty (stone_of t) = false) by (destruct t; reflexivity).
    refine (below_nine _ _ _ _ _ _ _ _ _ _); intros free; cbv -[is] in free; cbn; rewrite filled, free;
      repeat match goal with |- context [is Empty ?c] => destruct (is Empty c) end; cbn; lia.
Qed.

(** A cell without a mark is a middle one (4). *)
Definition tic_tac_toe_diagrams : squares tic_tac_toe_rules :=
  Squares tic_tac_toe_rules (N -> N)
    (fun _ marks => Some (fun m => match find (fun s => (fst s =? m)%N) marks with Some s => snd s | None => 4%N end))
    (fun mark _ => reply_by_rules tic_tac_toe_rules mark).

Definition tic_tac_toe : ruleset :=
  symmetric_ruleset tic_tac_toe_rules square_digits square_images same_square square_code 1
    tic_tac_toe_diagrams (no_threats _) tic_tac_toe_symmetric.

Definition tic_tac_toe_start : square := (true, Cells Empty Empty Empty Empty Empty Empty Empty Empty Empty).
