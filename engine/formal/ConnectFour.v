(** Connect-four on a board of any size, as engine/rules/connect_four.py has it. *)
From Proofbase Require Export Canonical.

Section ConnectFour.
Context (height : N).

(** A column: the stones of the first player, those of the second (cell 0 is at the bottom, a bit each), and how many
    stones lie in it. A position: whether the first player is to move, and the columns from the left. *)
Definition column : Type := N * N * N.
Definition board : Type := bool * list column.

Definition firsts (c : column) : N := fst (fst c).
Definition seconds (c : column) : N := snd (fst c).
Definition stones (c : column) : N := snd c.

(** ** Four in a row *)
Definition some (cells : N) : bool := negb (cells =? 0)%N.

(** In one column. *)
Definition upright (a : N) : bool :=
  some (N.land (N.land a (N.shiftr a 1)) (N.land (N.shiftr a 2) (N.shiftr a 3))).

(** In four neighbouring columns: level, or rising to the right, or rising to the left. *)
Definition across (a b c d : N) : bool :=
  some (N.land (N.land a b) (N.land c d))
  || (some (N.land (N.land a (N.shiftr b 1)) (N.land (N.shiftr c 2) (N.shiftr d 3)))
      || some (N.land (N.land d (N.shiftr c 1)) (N.land (N.shiftr b 2) (N.shiftr a 3)))).

Fixpoint any_across (cells : list N) : bool :=
  match cells with
  | a :: ((b :: c :: d :: _) as rest) => across a b c d || any_across rest
  | _ => false
  end.

Definition four (cells : list N) : bool := existsb upright cells || any_across cells.

(** ** The rules *)
Fixpoint open_columns (number : N) (columns : list column) : list N :=
  match columns with
  | [] => []
  | c :: rest => let others := open_columns (N.succ number) rest in
                 if (stones c <? height)%N then number :: others else others
  end.

Definition put (turn : bool) (c : column) : column :=
  let stone := N.shiftl 1 (stones c) in
  (if turn then N.lor (firsts c) stone else firsts c, if turn then seconds c else N.lor (seconds c) stone, N.succ (stones c)).

Fixpoint drop (turn : bool) (m : N) (columns : list column) : list column :=
  match columns with
  | [] => []
  | c :: rest => if (m =? 0)%N then put turn c :: rest else c :: drop turn (N.pred m) rest
  end.

(** Only the side that moved last can have four in a row. *)
Definition last_has_four (p : board) : bool := four (map (if fst p then seconds else firsts) (snd p)).

Definition over (p : board) : option Z :=
  if last_has_four p then Some (-1)
  else match open_columns 0 (snd p) with [] => Some 0 | _ => None end.

Definition connect_four_rules : game :=
  Game board over (fun p => open_columns 0 (snd p)) (fun p m => (negb (fst p), drop (fst p) m (snd p)))
    (fun _ _ => 0) (fun _ => None).

Definition empty_board (width : nat) : board := (true, repeat (0, 0, 0)%N width).

(** ** Keys: docs/other-checkers.md *)
Definition mirror (p : board) : board := (fst p, rev (snd p)).

(** The bits of a column in the key: the stones of the side to move, and a one above the topmost stone. *)
Definition column_key (turn : bool) (c : column) : N :=
  ((if turn then firsts c else seconds c) + N.shiftl 1 (stones c))%N.

(** The order of keys: the last column is the most significant one. *)
Definition board_digits (p : board) : list N :=
  (if fst p then 0 else 1)%N
  :: flat_map (fun c => [column_key (fst p) c; firsts c; seconds c; stones c]) (rev (snd p)).

Definition board_code (p : board) : positive :=
  N.succ_pos (fold_left (fun n c => N.shiftl n (N.succ height) + column_key (fst p) c) (rev (snd p)) 0)%N.

Definition same_column (c d : column) : {c = d} + {c <> d}.
Proof. destruct c as [[a b] n], d as [[a' b'] n']. destruct (N.eq_dec n n'), (N.eq_dec a a'), (N.eq_dec b b');
  solve [left; congruence|right; congruence]. Defined.

Definition same_board (p q : board) : {p = q} + {p <> q}.
Proof. destruct p as [t l], q as [u k]. destruct (bool_dec t u), (list_eq_dec same_column l k);
  solve [left; congruence|right; congruence]. Defined.

(** ** Proofs *)
Lemma across_mirror a b c d : across d c b a = across a b c d.
Proof.
  unfold across. f_equal; [|apply orb_comm].
  rewrite (N.land_comm (N.land d c)), (N.land_comm b a), (N.land_comm d c). reflexivity.
Qed.

Lemma any_across_spec cells : any_across cells = true <->
  exists l a b c d r, cells = l ++ a :: b :: c :: d :: r /\ across a b c d = true.
Proof.
  split.
  - induction cells as [|a [|b [|c [|d rest]]] IH]; try discriminate.
    cbn [any_across]. intros found. apply orb_prop in found. destruct found as [found|found].
    + exists [], a, b, c, d, rest. auto.
    + destruct (IH found) as (l & a' & b' & c' & d' & r & same & here). exists (a :: l), a', b', c', d', r.
      rewrite same. auto.
  - intros (l & a & b & c & d & r & -> & here). induction l as [|x l IH].
    + cbn. rewrite here. reflexivity.
    + assert (step : forall x cells, any_across cells = true -> any_across (x :: cells) = true).
      { intros y [|? [|? [|? ?]]]; cbn; try discriminate. intros ->. apply orb_true_r. }
      apply step, IH.
Qed.

(** ** What [four] says: four stones in a straight line *)
Definition stone_at (cells : list N) (x : nat) (y : N) : Prop := N.testbit (nth x cells 0%N) y = true.

Definition line_of_four (cells : list N) : Prop := exists x y,
  (stone_at cells x y /\ stone_at cells x (y + 1) /\ stone_at cells x (y + 2) /\ stone_at cells x (y + 3))
  \/ (stone_at cells x y /\ stone_at cells (x + 1) y /\ stone_at cells (x + 2) y /\ stone_at cells (x + 3) y)
  \/ (stone_at cells x y /\ stone_at cells (x + 1) (y + 1) /\ stone_at cells (x + 2) (y + 2) /\ stone_at cells (x + 3) (y + 3))
  \/ (stone_at cells (x + 3) y /\ stone_at cells (x + 2) (y + 1) /\ stone_at cells (x + 1) (y + 2) /\ stone_at cells x (y + 3)).

Lemma some_spec n : some n = true <-> exists y, N.testbit n y = true.
Proof.
  unfold some. destruct (N.eqb_spec n 0) as [->|other]; cbn [negb].
  - split; [discriminate|]. intros [y bit]. rewrite N.bits_0 in bit. discriminate.
  - split; [|reflexivity]. intros _. exists (N.log2 n). apply N.bit_log2, other.
Qed.

Lemma four_bits a b c d i j k : some (N.land (N.land a (N.shiftr b i)) (N.land (N.shiftr c j) (N.shiftr d k))) = true <->
  exists y, N.testbit a y = true /\ N.testbit b (y + i) = true /\ N.testbit c (y + j) = true /\ N.testbit d (y + k) = true.
Proof.
  rewrite some_spec. split; intros [y bits]; exists y.
  - rewrite !N.land_spec, !N.shiftr_spec', !andb_true_iff in bits. tauto.
  - rewrite !N.land_spec, !N.shiftr_spec', !andb_true_iff. tauto.
Qed.

Lemma four_bits_level a b c d : some (N.land (N.land a b) (N.land c d)) = true <->
  exists y, N.testbit a y = true /\ N.testbit b y = true /\ N.testbit c y = true /\ N.testbit d y = true.
Proof.
  rewrite some_spec. split; intros [y bits]; exists y.
  - rewrite !N.land_spec, !andb_true_iff in bits. tauto.
  - rewrite !N.land_spec, !andb_true_iff. tauto.
Qed.

Lemma four_columns cells : forall x, (x + 3 < length cells)%nat ->
  exists r, cells = firstn x cells ++ nth x cells 0%N :: nth (x + 1) cells 0%N :: nth (x + 2) cells 0%N :: nth (x + 3) cells 0%N :: r.
Proof.
  induction cells as [|c cells IH]; intros [|x] inside; cbn [length] in inside; try lia.
  - destruct cells as [|c1 [|c2 [|c3 r]]]; cbn [length] in inside; try lia. exists r. reflexivity.
  - destruct (IH x) as [r same]; [lia|]. exists r. cbn [firstn nth Nat.add app]. f_equal. exact same.
Qed.

Lemma stone_inside cells x y : stone_at cells x y -> (x < length cells)%nat.
Proof.
  unfold stone_at. intros bit. destruct (Nat.lt_ge_cases x (length cells)) as [|out]; [assumption|].
  rewrite (nth_overflow cells _ out), N.bits_0 in bit. discriminate.
Qed.

Theorem four_spec cells : four cells = true <-> line_of_four cells.
Proof.
  unfold four. rewrite orb_true_iff. split.
  - intros [found|found].
    + apply existsb_exists in found. destruct found as (a & member & up). apply four_bits in up. destruct up as [y bits].
      destruct (In_nth _ _ 0%N member) as (x & _ & same). exists x, y. left. unfold stone_at. rewrite same. exact bits.
    + apply any_across_spec in found. destruct found as (l & a & b & c & d & r & -> & here). exists (length l).
      assert (at0 : nth (length l) (l ++ a :: b :: c :: d :: r) 0%N = a) by (rewrite app_nth2, Nat.sub_diag by lia; reflexivity).
      assert (later : forall i, nth (length l + i) (l ++ a :: b :: c :: d :: r) 0%N = nth i (a :: b :: c :: d :: r) 0%N).
      { intros i. rewrite app_nth2 by lia. f_equal. lia. }
      unfold across in here. rewrite !orb_true_iff, four_bits_level, !four_bits in here. unfold stone_at.
      rewrite at0, !later. cbn [nth]. destruct here as [[y bits]|[[y bits]|[y bits]]]; exists y; tauto.
  - intros (x & y & lines).
    assert (beside : (x + 3 < length cells)%nat ->
      across (nth x cells 0%N) (nth (x + 1) cells 0%N) (nth (x + 2) cells 0%N) (nth (x + 3) cells 0%N) = true ->
      existsb upright cells = true \/ any_across cells = true).
    { intros inside here. right. destruct (four_columns cells x inside) as [r same]. apply any_across_spec.
      exists (firstn x cells), (nth x cells 0%N), (nth (x + 1) cells 0%N), (nth (x + 2) cells 0%N), (nth (x + 3) cells 0%N), r.
      split; [exact same|exact here]. }
    destruct lines as [bits|[bits|[bits|bits]]].
    + left. apply existsb_exists. exists (nth x cells 0%N). split.
      * apply nth_In, (stone_inside cells x y), bits.
      * apply four_bits. exists y. exact bits.
    + apply beside; [apply (stone_inside cells _ y), bits|]. unfold across. rewrite !orb_true_iff, four_bits_level. left. exists y. exact bits.
    + apply beside; [apply (stone_inside cells _ (y + 3)), bits|]. unfold across. rewrite !orb_true_iff, !four_bits. right; left. exists y. exact bits.
    + apply beside; [apply (stone_inside cells _ y), bits|]. unfold across. rewrite !orb_true_iff, !four_bits. right; right. exists y. exact bits.
Qed.

Lemma any_across_rev cells : any_across (rev cells) = any_across cells.
Proof.
  assert (one : forall cells, any_across cells = true -> any_across (rev cells) = true).
  { intros l0 found. apply any_across_spec in found. destruct found as (l & a & b & c & d & r & -> & here).
    apply any_across_spec. exists (rev r), d, c, b, a, (rev l). rewrite rev_app_distr, across_mirror. cbn.
    rewrite <- !app_assoc. auto. }
  destruct (any_across cells) eqn:this; [apply one, this|].
  destruct (any_across (rev cells)) eqn:other; [|reflexivity]. apply one in other. rewrite rev_involutive in other. congruence.
Qed.

Lemma four_rev cells : four (rev cells) = four cells.
Proof.
  unfold four. rewrite any_across_rev. f_equal.
  assert (one : forall l, existsb upright l = true -> existsb upright (rev l) = true).
  { intros l found. apply existsb_exists in found. destruct found as (x & member & here). apply existsb_exists. exists x.
    split; [apply in_rev in member|]; assumption. }
  destruct (existsb upright cells) eqn:this; [apply one, this|].
  destruct (existsb upright (rev cells)) eqn:other; [|reflexivity]. apply one in other. rewrite rev_involutive in other. congruence.
Qed.

Lemma open_columns_spec columns : forall n m, In m (open_columns n columns) <->
  exists l c r, columns = l ++ c :: r /\ m = (n + N.of_nat (length l))%N /\ (stones c <? height)%N = true.
Proof.
  induction columns as [|c columns IH]; intros n m.
  - cbn. split; [intros []|]. intros ([|? ?] & ? & ? & same & _); discriminate.
  - assert (here : In m (open_columns n (c :: columns)) <->
      (m = n /\ (stones c <? height)%N = true) \/ In m (open_columns (N.succ n) columns)).
    { cbn [open_columns]. destruct (stones c <? height)%N; cbn; intuition congruence. }
    rewrite here, IH. split.
    + intros [(-> & free)|(l & c' & r & -> & -> & free)].
      * exists [], c, columns. cbn. repeat split; auto. lia.
      * exists (c :: l), c', r. cbn [length app]. repeat split; auto. lia.
    + intros ([|c0 l] & c' & r & same & -> & free); injection same as -> ->.
      * left. cbn. split; [lia|assumption].
      * right. exists l, c', r. cbn [length]. repeat split; auto. lia.
Qed.

Lemma drop_spec turn l c r : drop turn (N.of_nat (length l)) (l ++ c :: r) = l ++ put turn c :: r.
Proof.
  induction l as [|x l IH]; [reflexivity|]. cbn [length app drop].
  destruct (N.eqb_spec (N.of_nat (S (length l))) 0); [lia|].
  replace (N.pred (N.of_nat (S (length l)))) with (N.of_nat (length l)) by lia. rewrite IH. reflexivity.
Qed.

Lemma mirror_moves p m : In m (open_columns 0 (snd p)) -> exists m', In m' (open_columns 0 (rev (snd p)))
  /\ drop (fst p) m' (rev (snd p)) = rev (drop (fst p) m (snd p)).
Proof.
  rewrite open_columns_spec. intros (l & c & r & -> & -> & free). exists (N.of_nat (length (rev r))).
  rewrite rev_app_distr. cbn [rev]. rewrite <- app_assoc. cbn [app]. split.
  - apply open_columns_spec. exists (rev r), c, (rev l). auto.
  - rewrite N.add_0_l, !drop_spec, rev_app_distr. cbn [rev]. rewrite <- app_assoc. reflexivity.
Qed.

Lemma mirror_over p : over (mirror p) = over p.
Proof.
  unfold over, last_has_four, mirror. cbn [fst snd]. rewrite map_rev, four_rev.
  destruct (four _); [reflexivity|].
  assert (one : forall q : board, open_columns 0 (rev (snd q)) = [] -> open_columns 0 (snd q) = []).
  { intros q none. destruct (open_columns 0 (snd q)) as [|m l] eqn:found; [reflexivity|].
    destruct (mirror_moves q m) as (m' & member & _); [rewrite found; left; reflexivity|]. rewrite none in member. destruct member. }
  assert (a := one p). assert (b := one (mirror p)). cbn in b. rewrite rev_involutive in b.
  destruct (open_columns 0 (rev (snd p))); destruct (open_columns 0 (snd p)); try reflexivity.
  - discriminate (a eq_refl).
  - discriminate (b eq_refl).
Qed.

Definition free_cells (p : board) : nat := list_sum (map (fun c => N.to_nat (height - stones c)) (snd p)).

Lemma connect_four_symmetric : symmetric connect_four_rules board_digits (fun p => [p; mirror p]) 1.
Proof.
  assert (back : forall p : board, mirror (mirror p) = p).
  { intros [turn columns]. unfold mirror. cbn. rewrite rev_involutive. reflexivity. }
  split.
  - intros [t l] [u k] same. unfold board_digits in same. cbn [fst snd] in same. injection same as turns same.
    assert (t = u) by (destruct t, u; congruence). subst u. f_equal. rewrite <- (rev_involutive l), <- (rev_involutive k). f_equal.
    clear turns. revert same. generalize (rev l) (rev k). clear l k.
    induction l as [|[[a b] c] l IH]; intros [|[[a' b'] c'] k]; cbn; try discriminate; [reflexivity|].
    intros same. injection same as _ -> -> -> same. f_equal. auto.
  - intros p. left. reflexivity.
  - intros p q [<-|[<-|[]]]; [split; apply incl_refl|]. rewrite back. split; intros x; cbn; tauto.
  - intros p q [<-|[<-|[]]]; [reflexivity|apply mirror_over].
  - intros p q m [<-|[<-|[]]] is_move.
    + exists m. split; [assumption|left; reflexivity].
    + destruct (mirror_moves p m is_move) as (m' & a & b). exists m'. split; [exact a|]. right; left.
      unfold mirror. cbn. rewrite b. reflexivity.
  - intros p. cbn. unfold over. destruct (last_has_four p); [discriminate|]. destruct (open_columns 0 (snd p)); discriminate.
  - reflexivity.
  - reflexivity.
  - intros p v. cbn. unfold over. destruct (last_has_four p); [|destruct (open_columns 0 (snd p)); [|discriminate]];
      intros same; injection same as <-; cbn; lia.
  - exists free_cells. intros p m _ is_move. cbn in *. apply open_columns_spec in is_move.
    destruct is_move as (l & c & r & same & -> & free). unfold free_cells. cbn [snd]. rewrite same, N.add_0_l, drop_spec.
    rewrite !map_app, !list_sum_app. cbn [map list_sum fold_right stones put snd]. apply N.ltb_lt in free.
    unfold stones in *. cbn [snd]. lia.
Qed.
End ConnectFour.

(** The game on a board of this height; the number of columns is that of the position. *)
Definition connect_four (height : N) : ruleset :=
  symmetric_ruleset (connect_four_rules height) board_digits (fun p => [p; mirror p]) same_board (board_code height) 1
    (connect_four_symmetric height).
