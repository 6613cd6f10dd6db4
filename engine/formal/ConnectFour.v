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
Definition some (cells : N) : bool := match cells with N0 => false | Npos _ => true end.

(** The cells of [a] with one of [b] a row higher, one of [c] two and one of [d] three rows higher. *)
Definition rising (a b c d : N) : N := N.land (N.div2 (N.land (N.div2 (N.land (N.div2 d) c)) b)) a.

(** In one column. *)
Definition upright (a : N) : bool := some (rising a a a a).

(** In four neighbouring columns: level, or rising to the right, or rising to the left. *)
Definition across (a b c d : N) : bool :=
  some (N.land (N.land (N.land a b) c) d) || (some (rising a b c d) || some (rising d c b a)).

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

(** Of each column so many bits. *)
Fixpoint zeros (bits : nat) (code : positive) : positive :=
  match bits with O => code | S bits => zeros bits code~0 end.

Fixpoint push (bits : nat) (n code : positive) : positive :=
  match bits, n with
  | O, _ => code
  | S bits, xH => zeros bits code~1
  | S bits, n~0 => push bits n code~0
  | S bits, n~1 => push bits n code~1
  end%positive.

Definition push_column (bits : nat) (turn : bool) (code : positive) (c : column) : positive :=
  match column_key turn c with N0 => zeros bits code | Npos n => push bits n code end.

Definition board_code (p : board) : positive :=
  let bits := S (N.to_nat height) in fold_left (push_column bits (fst p)) (snd p) 1%positive.

Definition column_eqb (c d : column) : bool :=
  (stones c =? stones d)%N && (firsts c =? firsts d)%N && (seconds c =? seconds d)%N.

Fixpoint columns_eqb (l k : list column) : bool :=
  match l, k with [], [] => true | c :: l, d :: k => column_eqb c d && columns_eqb l k | _, _ => false end.

Definition board_eqb (p q : board) : bool := Bool.eqb (fst p) (fst q) && columns_eqb (snd p) (snd q).

Lemma columns_eqb_eq l : forall k, columns_eqb l k = true <-> l = k.
Proof.
  induction l as [|[[a b] n] l IH]; intros [|[[a' b'] n'] k]; cbn; try (split; [discriminate|congruence]); [tauto|].
  unfold column_eqb. cbn. rewrite !andb_true_iff, !N.eqb_eq, IH. intuition congruence.
Qed.

Lemma board_eqb_eq p q : board_eqb p q = true <-> p = q.
Proof.
  destruct p as [t l], q as [u k]. unfold board_eqb. cbn. rewrite andb_true_iff, Bool.eqb_true_iff, columns_eqb_eq.
  intuition congruence.
Qed.

Definition same_board (p q : board) : {p = q} + {p <> q}.
Proof.
  destruct (board_eqb p q) eqn:equal; [left; apply board_eqb_eq, equal|right].
  intros same. apply board_eqb_eq in same. congruence.
Defined.

(** ** Strategies: docs/strategies.md *)

(** The cells of a column that make four with three stones of one side, which are given for this column and for its
    three neighbours on the left and on the right, [l1] and [r1] the nearest. *)
Definition beside (l3 l2 l1 r1 r2 r3 : N) : N :=
  let between := fun a b c d => match N.land a b with N0 => 0%N | both => N.land both (N.lor c d) end in
  N.lor (between l1 l2 l3 r1) (between r1 r2 l1 r3).

Definition completing_column (l3 l2 l1 own r1 r2 r3 : N) : N :=
  let up := N.double in
  let down := N.div2 in
  (N.lor (N.lor (up (N.land (up (N.land (up own) own)) own)) (beside l3 l2 l1 r1 r2 r3))
         (N.lor (beside (up (up (up l3))) (up (up l2)) (up l1) (down r1) (down (down r2)) (down (down (down r3))))
                (beside (down (down (down l3))) (down (down l2)) (down l1) (up r1) (up (up r2)) (up (up (up r3))))))%N.

Fixpoint completing (l3 l2 l1 : N) (cells : list N) : list N :=
  match cells with
  | [] => []
  | own :: rest =>
      match rest with
      | r1 :: r2 :: r3 :: _ => completing_column l3 l2 l1 own r1 r2 r3
      | [r1; r2] => completing_column l3 l2 l1 own r1 r2 0
      | [r1] => completing_column l3 l2 l1 own r1 0 0
      | [] => completing_column l3 l2 l1 own 0 0 0
      end%N :: completing l2 l1 own rest
  end.

(** A cell that is open: its column and mark, whether the other side would win there, and whether on the cell above. *)
Record open_cell := Open { at_column : N; mark : N; loses : bool; loses_above : bool }.

Fixpoint open_cells (number : N) (columns : list column) (lose : list N) (marks : list (list N)) : list open_cell :=
  match columns, lose, marks with
  | c :: columns, l :: lose, m :: marks =>
      let others := open_cells (N.succ number) columns lose marks in
      let row := stones c in
      if (row <? height)%N
      then Open number (nth (N.to_nat row) m 0%N) (N.testbit l row)
             ((N.succ row <? height)%N && N.testbit l (N.succ row)) :: others
      else others
  | _, _, _ => []
  end.

Fixpoint winning_column (number : N) (columns : list column) (win : list N) : option N :=
  match columns, win with
  | c :: columns, w :: win =>
      if (stones c <? height)%N && N.testbit w (stones c) then Some number
      else winning_column (N.succ number) columns win
  | _, _ => None
  end.

(** The stones of our side are those of the position before the other side's move. *)
Definition board_reply (marks : list (list N)) (before : board) : board -> option N :=
  let win := completing 0 0 0 (map (if fst before then seconds else firsts) (snd before)) in
  let other := if fst before then firsts else seconds in
  fun p =>
    match winning_column 0 (snd p) win with
    | Some m => Some m
    | None =>
        let cells := open_cells 0 (snd p) (completing 0 0 0 (map other (snd p))) marks in
        let threats := filter loses cells in
        let holds := fun cell => negb (loses_above cell) && forallb (fun t => (at_column t =? at_column cell)%N) threats in
        let marked := map (fun cell => (at_column cell, mark cell)) in
        by_marks (marked cells) (marked (filter holds cells))
    end.

(** The marks of a column; where the diagram says nothing, answer (2) on every second cell and middle (4). *)
Fixpoint marks_of_column (rows : nat) (square : N) (answers : bool) (marks : list (N * N)) : list N :=
  match rows with
  | O => []
  | S rows => match find (fun m => (fst m =? square)%N) marks with
              | Some m => snd m
              | None => if answers then 2 else 4
              end%N :: marks_of_column rows (N.succ square) (negb answers) marks
  end.

Fixpoint marks_of_columns (columns : list column) (square : N) (marks : list (N * N)) : list (list N) :=
  match columns with
  | [] => []
  | _ :: rest => marks_of_column (N.to_nat height) square false marks
                 :: marks_of_columns rest (square + N.succ height)%N marks
  end.

Definition connect_four_diagrams : squares connect_four_rules :=
  Squares connect_four_rules (list (list N)) (fun p marks => Some (marks_of_columns (snd p) 0 marks)) board_reply.

(** ** Proofs *)
Lemma across_mirror a b c d : across d c b a = across a b c d.
Proof.
  unfold across. f_equal; [|apply orb_comm].
  f_equal. rewrite (N.land_comm _ a), (N.land_comm _ b), (N.land_comm d c), !N.land_assoc. reflexivity.
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
  destruct n as [|n]; cbn [some].
  - split; [discriminate|]. intros [y bit]. rewrite N.bits_0 in bit. discriminate.
  - split; [|reflexivity]. intros _. exists (N.log2 (N.pos n)). apply N.bit_log2. discriminate.
Qed.

Lemma four_bits a b c d : some (rising a b c d) = true <->
  exists y, N.testbit a y = true /\ N.testbit b (y + 1) = true /\ N.testbit c (y + 2) = true /\ N.testbit d (y + 3) = true.
Proof.
  rewrite some_spec. unfold rising. split; intros [y bits]; exists y.
  all: replace (y + 3)%N with (y + 1 + 1 + 1)%N in * by lia; replace (y + 2)%N with (y + 1 + 1)%N in * by lia.
  - rewrite !N.land_spec, !N.div2_spec, !N.shiftr_spec', !N.land_spec, !N.shiftr_spec', !N.land_spec, !N.shiftr_spec', !andb_true_iff in bits. tauto.
  - rewrite !N.land_spec, !N.div2_spec, !N.shiftr_spec', !N.land_spec, !N.shiftr_spec', !N.land_spec, !N.shiftr_spec', !andb_true_iff. tauto.
Qed.

Lemma four_bits_level a b c d : some (N.land (N.land (N.land a b) c) d) = true <->
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
    (connect_four_diagrams height) (no_threats _) (connect_four_symmetric height).
