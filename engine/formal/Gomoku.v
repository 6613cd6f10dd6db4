(** Go-moku on a board of any size, as engine/rules/gomoku.py has it. *)
From Proofbase Require Export LineThreats.

Section Gomoku.
Context (width height row_length : nat) (standard : bool).
Notation place := (Z * Z)%type (only parsing).   (** column and row, from 0 *)

Definition numbers (n : nat) : list Z := map Z.of_nat (seq 0 n).
Definition places : list place := flat_map (fun r => map (fun c => (c, r)) (numbers width)) (numbers height).
Definition on_board (s : place) : bool :=
  (0 <=? fst s) && (fst s <? Z.of_nat width) && (0 <=? snd s) && (snd s <? Z.of_nat height).

(** Moves are numbered from the centre outwards. *)
Definition outwards (s : place) : Z :=
  Z.max (Z.abs (2 * fst s - (Z.of_nat width - 1))) (Z.abs (2 * snd s - (Z.of_nat height - 1))).

Fixpoint insert (s : place) (l : list place) : list place :=
  match l with
  | [] => [s]
  | t :: rest => if outwards s <=? outwards t then s :: l else t :: insert s rest
  end.

Definition numbered : list place := fold_right insert [] places.

Definition same_place (s t : place) : bool := (fst s =? fst t) && (snd s =? snd t).

Fixpoint index_in (l : list place) (s : place) : nat :=
  match l with [] => O | t :: rest => if same_place s t then O else S (index_in rest s) end.

(** A row of [row_length] squares in one direction; in the variant "standard" no stone stands before or behind it. *)
Definition step (s d : place) (i : Z) : place := (fst s + i * fst d, snd s + i * snd d).

Definition row_from (number_of : place -> nat) (s d : place) : list (list nat * list nat) :=
  let row := map (step s d) (numbers row_length) in
  let ends := if standard then filter on_board [step s d (-1); step s d (Z.of_nat row_length)] else [] in
  if forallb on_board row then [(map number_of row, map number_of ends)] else [].

Definition rows : list (list nat * list nat) :=
  let number_of := index_in numbered in
  flat_map (fun s => flat_map (row_from number_of s) [(1, 0); (0, 1); (1, 1); (1, -1)]) places.

Definition board_images : list (place -> place) :=
  let right := Z.of_nat width - 1 in
  let top := Z.of_nat height - 1 in
  [fun s => s; fun s => (right - fst s, snd s); fun s => (fst s, top - snd s); fun s => (right - fst s, top - snd s)]
  ++ if (width =? height)%nat
     then [fun s => (snd s, fst s); fun s => (right - snd s, fst s); fun s => (snd s, top - fst s);
           fun s => (right - snd s, top - fst s)]
     else [].

Definition gomoku_board : board_kind :=
  let squares := numbered in
  let number_of := index_in squares in
  Board (width * height) rows (map (fun f => map (fun s => number_of (f s)) squares) board_images) (map number_of places).

Definition gomoku_rules : game := lines_rules gomoku_board.
Definition gomoku_start : placed := empty_placed gomoku_board.

(** Every board that was tried keeps its rows; the check is made for each. *)
Definition gomoku : option ruleset :=
  match bool_dec (board_ok gomoku_board) true with
  | left ok => Some (lines_game gomoku_board ok)
  | right _ => None
  end.
End Gomoku.
