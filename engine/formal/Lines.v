(** Games in which a move puts a stone on an empty square, and a side wins by filling a line: go-moku. *)
From Proofbase Require Export TicTacToe.
From Coq Require Import NArith.

(** A board: how many squares it has; its lines, each with the squares that a side fills and the squares on which it then
    must have no stone; its symmetries: of each square of the image the square that it comes from; and the squares in the
    order of keys. *)
Record board_kind := Board {
  size : nat;
  lines : list (list nat * list nat);
  symmetries : list (list nat);
  in_key_order : list nat
}.

Section Lines.
Context (B : board_kind).

(** ** The rules *)

(** Whether the first player is to move, and the squares in the order of the numbers of moves. *)
Definition placed : Type := bool * list cell.

Definition on (i : nat) (l : list cell) : cell := nth i l Empty.

Definition fills (s : cell) (l : list cell) (line : list nat * list nat) : bool :=
  forallb (fun i => is s (on i l)) (fst line) && negb (existsb (fun i => is s (on i l)) (snd line)).

Definition has_line (s : cell) (l : list cell) : bool := existsb (fills s l) (lines B).

Fixpoint put_on (i : nat) (s : cell) (l : list cell) : list cell :=
  match l, i with
  | [], _ => []
  | _ :: l, O => s :: l
  | c :: l, S i => c :: put_on i s l
  end.

(** Only the side that moved last can have filled a line. *)
Definition lines_over (p : placed) : option Z :=
  if has_line (stone_of (negb (fst p))) (snd p) then Some (-1)
  else match empty_cells 0 (snd p) with [] => Some 0 | _ => None end.

Definition lines_rules : game :=
  Game placed lines_over (fun p => empty_cells 0 (snd p))
    (fun p m => (negb (fst p), put_on (N.to_nat m) (stone_of (fst p)) (snd p))) (fun _ _ => 0) (fun _ => None).

Definition empty_placed : placed := (true, repeat Empty (size B)).

(** ** Symmetries *)
Definition image (g : list nat) (l : list cell) : list cell := map (fun i => on i l) g.
Definition apply (g : list nat) (i : nat) : nat := nth i g O.
Definition compose (g h : list nat) : list nat := map (apply g) h.

Definition placed_images (p : placed) : list placed :=
  if (length (snd p) =? size B)%nat then map (fun g => (fst p, image g (snd p))) (symmetries B) else [p].

Definition placed_digits (p : placed) : list N :=
  (if fst p then 0 else 1)%N :: map (fun i => digit (on i (snd p))) (in_key_order B) ++ map digit (snd p).

(** Positions of more than 37 squares may share a code. *)
Definition placed_code (p : placed) : positive :=
  N.succ_pos (fold_left (fun n c => N.land (n * 3 + digit c) (N.ones 59)) (snd p) 0)%N.

Definition same_placed (p q : placed) : {p = q} + {p <> q}.
Proof.
  destruct p as [t l], q as [u k]. destruct (bool_dec t u), (list_eq_dec same_cell l k); solve [left; congruence|right; congruence].
Defined.

(** *** What a board has to keep, as a check *)
Definition all_equal (g h : list nat) : bool := if list_eq_dec Nat.eq_dec g h then true else false.
Definition is_symmetry (g : list nat) : bool := existsb (all_equal g) (symmetries B).
Definition inside (l : list nat) : bool := forallb (fun i => (i <? size B)%nat) l.
Definition part_of (l k : list nat) : bool := forallb (fun i => existsb (Nat.eqb i) k) l.
Definition nowhere : list nat := seq 0 (size B).

Definition keeps_lines (g : list nat) : bool :=
  forallb (fun l =>
    let filled := map (apply g) (fst l) in
    let without := map (apply g) (snd l) in
    existsb (fun k => part_of (fst k) filled && part_of (snd k) without) (lines B)) (lines B).

Definition board_ok : bool :=
  forallb (fun l => inside (fst l) && inside (snd l)) (lines B)
  && is_symmetry nowhere
  && forallb (fun g => (length g =? size B)%nat && inside g && keeps_lines g
       && existsb (fun h => all_equal (compose g h) nowhere && all_equal (compose h g) nowhere) (symmetries B)
       && forallb (fun h => is_symmetry (compose g h) && existsb (fun k => all_equal (compose g k) h) (symmetries B))
            (symmetries B)) (symmetries B).

Hypothesis ok : board_ok = true.

(** ** Proofs *)
Lemma all_equal_eq g h : all_equal g h = true -> g = h.
Proof. unfold all_equal. destruct (list_eq_dec Nat.eq_dec g h); [auto|discriminate]. Qed.

Lemma inside_all l : inside l = true -> forall i, In i l -> (i < size B)%nat.
Proof. unfold inside. rewrite forallb_forall. intros all i member. apply Nat.ltb_lt, all, member. Qed.

Lemma part_of_incl l k : part_of l k = true -> incl l k.
Proof.
  unfold part_of. rewrite forallb_forall. intros all i member. specialize (all i member).
  apply existsb_exists in all. destruct all as (j & there & same). apply Nat.eqb_eq in same. congruence.
Qed.

Lemma is_symmetry_in g : is_symmetry g = true -> In g (symmetries B).
Proof. intros some. apply existsb_exists in some. destruct some as (h & there & same). apply all_equal_eq in same. congruence. Qed.

Record symmetry_facts (g : list nat) : Prop := {
  right_length : length g = size B;
  right_range : forall i, In i g -> (i < size B)%nat;
  keeps : keeps_lines g = true;
  inverse : exists h, In h (symmetries B) /\ compose g h = nowhere /\ compose h g = nowhere;
  composed : forall h, In h (symmetries B) -> In (compose g h) (symmetries B);
  divided : forall h, In h (symmetries B) -> exists k, In k (symmetries B) /\ compose g k = h
}.

Lemma symmetry_is g : In g (symmetries B) -> symmetry_facts g.
Proof.
  intros member. unfold board_ok in ok. apply andb_prop in ok. destruct ok as [_ all]. rewrite forallb_forall in all.
  specialize (all g member). rewrite !andb_true_iff in all. destruct all as [[[[long range] lines] invertible] group].
  rewrite forallb_forall in group. split.
  - apply Nat.eqb_eq, long.
  - apply inside_all, range.
  - exact lines.
  - apply existsb_exists in invertible. destruct invertible as (h & there & both). apply andb_prop in both.
    destruct both as [a b]. exists h. split; [exact there|]. split; apply all_equal_eq; assumption.
  - intros h there. specialize (group h there). apply andb_prop in group. apply is_symmetry_in, group.
  - intros h there. specialize (group h there). apply andb_prop in group. destruct group as [_ group].
    apply existsb_exists in group. destruct group as (k & there' & same). exists k. split; [exact there'|apply all_equal_eq, same].
Qed.

Lemma lines_inside l : In l (lines B) -> forall i, In i (fst l) \/ In i (snd l) -> (i < size B)%nat.
Proof.
  intros member. unfold board_ok in ok. apply andb_prop in ok. destruct ok as [first _]. apply andb_prop in first.
  destruct first as [first _]. rewrite forallb_forall in first. specialize (first l member). apply andb_prop in first.
  destruct first as [a b]. intros i [there|there]; [apply (inside_all _ a)|apply (inside_all _ b)]; exact there.
Qed.

Lemma nowhere_symmetry : In nowhere (symmetries B).
Proof. unfold board_ok in ok. rewrite !andb_true_iff in ok. apply is_symmetry_in, ok. Qed.

Lemma on_image g l i : (i < length g)%nat -> on i (image g l) = on (apply g i) l.
Proof.
  intros small. unfold on, image, apply. rewrite (nth_indep _ Empty (on O l)) by (rewrite map_length; exact small).
  exact (map_nth (fun i => on i l) g O i).
Qed.

Lemma image_compose g h l : (forall i, In i h -> (i < length g)%nat) -> image h (image g l) = image (compose g h) l.
Proof.
  intros small. unfold compose. unfold image at 1 3. rewrite map_map. apply map_ext_in. intros i there.
  apply on_image, small, there.
Qed.

Lemma image_nowhere l : length l = size B -> image nowhere l = l.
Proof.
  intros long. unfold image, nowhere. rewrite <- long. clear long. induction l as [|c l IH]; [reflexivity|].
  cbn [length seq map]. f_equal. rewrite <- seq_shift, map_map. exact IH.
Qed.

Lemma image_length g l : In g (symmetries B) -> length (image g l) = size B.
Proof. intros there. unfold image. rewrite map_length. apply right_length, symmetry_is, there. Qed.

Lemma image_of_image g h l : In g (symmetries B) -> In h (symmetries B) -> image h (image g l) = image (compose g h) l.
Proof.
  intros a b. apply image_compose. intros i there. rewrite (right_length g (symmetry_is g a)).
  exact (right_range h (symmetry_is h b) i there).
Qed.

Lemma apply_nowhere i : (i < size B)%nat -> apply nowhere i = i.
Proof. intros small. unfold apply, nowhere. rewrite seq_nth by exact small. reflexivity. Qed.

Lemma apply_compose g h i : (i < length h)%nat -> apply (compose g h) i = apply g (apply h i).
Proof.
  intros small. unfold apply at 1, compose. rewrite (nth_indep _ O (apply g O)) by (rewrite map_length; exact small).
  exact (map_nth (apply g) h O i).
Qed.

Lemma has_line_back s g l : In g (symmetries B) -> has_line s (image g l) = true -> has_line s l = true.
Proof.
  intros there. destruct (symmetry_is g there) as [long _ kept _ _ _]. unfold has_line. rewrite !existsb_exists.
  intros (line & member & full). unfold keeps_lines in kept. rewrite forallb_forall in kept.
  specialize (kept line member). cbv zeta in kept. apply existsb_exists in kept. destruct kept as (other & member' & both).
  apply andb_prop in both. destruct both as [a b]. apply part_of_incl in a. apply part_of_incl in b.
  exists other. split; [exact member'|]. unfold fills in *. apply andb_prop in full. destruct full as [yes no].
  rewrite forallb_forall in yes. apply andb_true_intro. split.
  - apply forallb_forall. intros i at_i. apply a, in_map_iff in at_i. destruct at_i as (j & <- & at_j).
    rewrite <- on_image; [exact (yes j at_j)|]. rewrite long. apply (lines_inside line member). auto.
  - apply negb_true_iff. apply negb_true_iff in no. destruct (existsb _ (snd other)) eqn:bad; [|reflexivity].
    apply existsb_exists in bad. destruct bad as (i & at_i & stone). apply b, in_map_iff in at_i.
    destruct at_i as (j & <- & at_j). rewrite <- no. symmetry. apply existsb_exists. exists j. split; [exact at_j|].
    rewrite on_image; [exact stone|]. rewrite long. apply (lines_inside line member). auto.
Qed.

(** Each image has the position as one of its own. *)
Lemma way_back g l : In g (symmetries B) -> length l = size B -> exists h, In h (symmetries B) /\ image h (image g l) = l
  /\ compose g h = nowhere /\ compose h g = nowhere.
Proof.
  intros there long. destruct (inverse g (symmetry_is g there)) as (h & there' & a & b). exists h.
  split; [exact there'|]. split; [|auto]. rewrite (image_of_image g h l there there'), a. apply image_nowhere, long.
Qed.

Lemma has_line_image s g l : In g (symmetries B) -> length l = size B -> has_line s (image g l) = has_line s l.
Proof.
  intros there long. destruct (has_line s l) eqn:here.
  - destruct (way_back g l there long) as (h & there' & same & _). apply (has_line_back s h _ there'). rewrite same. exact here.
  - destruct (has_line s (image g l)) eqn:other; [|reflexivity]. apply has_line_back in other; [congruence|exact there].
Qed.

Lemma empty_cells_in m l : In m (empty_cells 0 l) <-> (N.to_nat m < length l)%nat /\ is Empty (on (N.to_nat m) l) = true.
Proof.
  assert (general : forall l n, In m (empty_cells n l) <->
    (n <= m < n + N.of_nat (length l))%N /\ is Empty (nth (N.to_nat (m - n)) l Empty) = true).
  { clear l. induction l as [|c l IH]; intros n; cbn [empty_cells length].
    - cbn [In]. split; [intros []|]. lia.
    - assert (here : In m (if is Empty c then n :: empty_cells (N.succ n) l else empty_cells (N.succ n) l)
        <-> (m = n /\ is Empty c = true) \/ In m (empty_cells (N.succ n) l)).
      { destruct (is Empty c); cbn [In]; intuition congruence. }
      rewrite here, IH. destruct (N.eq_dec m n) as [->|other].
      + rewrite N.sub_diag. cbn [N.to_nat nth]. intuition lia.
      + destruct (N.le_gt_cases n m); [|intuition lia].
        replace (N.to_nat (m - n)) with (S (N.to_nat (m - N.succ n))) by lia. cbn [nth]. intuition lia. }
  rewrite general, N.sub_0_r. unfold on. intuition lia.
Qed.

Lemma put_on_length i s l : length (put_on i s l) = length l.
Proof. revert i. induction l as [|c l IH]; intros [|i]; cbn; auto. Qed.

Lemma on_put_on i s l j : (i < length l)%nat -> on j (put_on i s l) = if (j =? i)%nat then s else on j l.
Proof.
  unfold on. revert i j. induction l as [|c l IH]; cbn [length]; intros [|i] [|j] small; try lia; cbn; auto.
  rewrite IH by lia. reflexivity.
Qed.

Lemma put_on_image g m s l : In g (symmetries B) -> length l = size B -> (m < size B)%nat ->
  exists m', (m' < size B)%nat /\ on m' (image g l) = on m l /\ put_on m' s (image g l) = image g (put_on m s l).
Proof.
  intros there long small. assert (facts := symmetry_is g there). destruct (inverse g facts) as (h & there' & a & b).
  assert (facts' := symmetry_is h there').
  assert (in_h : (apply h m < size B)%nat).
  { apply (right_range h facts'). unfold apply. apply nth_In. rewrite (right_length h facts'). exact small. }
  assert (back : apply g (apply h m) = m).
  { rewrite <- apply_compose by (rewrite (right_length h facts'); exact small). rewrite a. apply apply_nowhere, small. }
  exists (apply h m). split; [exact in_h|]. split.
  - rewrite on_image by (rewrite (right_length g facts); exact in_h). rewrite back. reflexivity.
  - apply (nth_ext _ _ Empty Empty); [rewrite put_on_length, !image_length by exact there; reflexivity|].
    rewrite put_on_length, image_length by exact there. intros i in_i.
    change (on i (put_on (apply h m) s (image g l)) = on i (image g (put_on m s l))).
    rewrite on_put_on by (rewrite image_length by exact there; exact in_h).
    rewrite !on_image by (rewrite (right_length g facts); exact in_i).
    rewrite on_put_on by (rewrite long; exact small).
    destruct (Nat.eqb_spec i (apply h m)) as [->|other]; [rewrite back, Nat.eqb_refl; reflexivity|].
    destruct (Nat.eqb_spec (apply g i) m) as [same|]; [|reflexivity]. exfalso. apply other.
    rewrite <- same, <- apply_compose by (rewrite (right_length g facts); exact in_i). rewrite b.
    symmetry. apply apply_nowhere, in_i.
Qed.

Lemma image_has_moves g t l m : In g (symmetries B) -> length l = size B -> In m (empty_cells 0 l) ->
  exists m', In m' (empty_cells 0 (image g l))
    /\ put_on (N.to_nat m') (stone_of t) (image g l) = image g (put_on (N.to_nat m) (stone_of t) l).
Proof.
  intros there long. rewrite empty_cells_in. intros [small free]. rewrite long in small.
  destruct (put_on_image g (N.to_nat m) (stone_of t) l there long small) as (m' & small' & same & played).
  exists (N.of_nat m'). rewrite empty_cells_in, Nat2N.id, same, image_length by exact there. auto.
Qed.

Lemma put_on_fills i s l : is Empty s = false -> is Empty (on i l) = true -> (i < length l)%nat ->
  (length (filter (is Empty) (put_on i s l)) < length (filter (is Empty) l))%nat.
Proof.
  intros stone. unfold on. revert i. induction l as [|c l IH]; cbn [length]; intros [|i] free small; try lia;
    cbn [put_on nth filter] in *.
  - rewrite stone, free. cbn [length]. lia.
  - specialize (IH i free ltac:(lia)). destruct (is Empty c); cbn [length]; lia.
Qed.

Lemma lines_symmetric : symmetric lines_rules placed_digits placed_images 1.
Proof.
  split.
  - intros [t l] [u k] same. unfold placed_digits in same. cbn [fst snd] in same.
    assert (turns : t = u) by (destruct t, u; try reflexivity; discriminate). subst u. injection same as same.
    apply app_inv_head_iff in same || idtac.
    assert (tails : map digit l = map digit k).
    { revert same. generalize (in_key_order B). intros order. induction order as [|i order IH]; cbn [map app]; [auto|].
      intros same. injection same as _ same. exact (IH same). }
    f_equal. clear same. revert k tails. induction l as [|c l IH]; intros [|d k]; cbn; try discriminate; [reflexivity|].
    intros same. injection same as first rest. f_equal; [destruct c, d; try reflexivity; discriminate|auto].
  - intros [t l]. unfold placed_images. cbn [fst snd]. destruct (Nat.eqb_spec (length l) (size B)) as [long|]; [|left; reflexivity].
    apply in_map_iff. exists nowhere. split; [rewrite (image_nowhere l long); reflexivity|exact nowhere_symmetry].
  - intros [t l] q. unfold placed_images. cbn [fst snd]. destruct (Nat.eqb_spec (length l) (size B)) as [long|short].
    + intros image. apply in_map_iff in image. destruct image as (g & <- & there). cbn [fst snd].
      rewrite image_length, Nat.eqb_refl by exact there. split; intros q image; apply in_map_iff in image;
        destruct image as (h & <- & there').
      * apply in_map_iff. exists (compose g h). rewrite <- image_of_image by assumption.
        split; [reflexivity|apply composed; [apply symmetry_is|]; assumption].
      * destruct (divided g (symmetry_is g there) h there') as (k & there'' & same).
        apply in_map_iff. exists k. rewrite image_of_image, same by assumption. auto.
    + intros [<-|[]]. cbn [fst snd]. destruct (Nat.eqb_spec (length l) (size B)); [contradiction|]. split; apply incl_refl.
  - intros [t l] q. unfold placed_images. cbn [fst snd]. destruct (Nat.eqb_spec (length l) (size B)) as [long|short].
    + intros image. apply in_map_iff in image. destruct image as (g & <- & there).
      cbn [terminal lines_rules]. unfold lines_over. cbn [fst snd]. rewrite has_line_image by assumption.
      destruct (has_line _ l); [reflexivity|].
      destruct (empty_cells 0 l) as [|m rest] eqn:free, (empty_cells 0 (Lines.image g l)) as [|m' rest'] eqn:free'; try reflexivity.
      * exfalso. destruct (way_back g l there long) as (h & there' & back & _).
        destruct (image_has_moves h t (Lines.image g l) m' there' (image_length g l there)) as (m & member & _);
          [rewrite free'; left; reflexivity|]. rewrite back, free in member. exact member.
      * exfalso. destruct (image_has_moves g t l m there long) as (m' & member & _); [rewrite free; left; reflexivity|].
        rewrite free' in member. exact member.
    + intros [<-|[]]. reflexivity.
  - intros [t l] q m. unfold placed_images. cbn [fst snd moves play lines_rules].
    destruct (Nat.eqb_spec (length l) (size B)) as [long|short].
    + intros image is_move. apply in_map_iff in image. destruct image as (g & <- & there). cbn [fst snd].
      destruct (image_has_moves g t l m there long is_move) as (m' & member & same). exists m'. split; [exact member|].
      rewrite put_on_length, long, Nat.eqb_refl. apply in_map_iff. exists g. rewrite same. auto.
    + intros [<-|[]] is_move. exists m. split; [exact is_move|]. cbn [fst snd]. rewrite put_on_length.
      destruct (Nat.eqb_spec (length l) (size B)); [contradiction|]. left. reflexivity.
  - intros [t l]. cbn [terminal moves lines_rules]. unfold lines_over. cbn [fst snd]. destruct (has_line _ l); [discriminate|].
    destruct (empty_cells 0 l); discriminate.
  - reflexivity.
  - reflexivity.
  - intros p v. cbn [terminal lines_rules]. unfold lines_over. destruct (has_line _ _); [intros same; injection same as <-; cbn; lia|].
    destruct (empty_cells 0 (snd p)); [intros same; injection same as <-; cbn; lia|discriminate].
  - exists (fun p => length (filter (is Empty) (snd p))). intros [t l] m _ is_move. cbn [moves play lines_rules fst snd] in *.
    apply empty_cells_in in is_move. destruct is_move as [small free]. apply put_on_fills; [destruct t; reflexivity|exact free|exact small].
Qed.
End Lines.

