(** The checker as a program in OCaml. Numbers become machine integers of 63 bits: the program that reads certificates
    (extracted/games.ml) refuses what does not fit. *)
From Proofbase Require Import ConnectFour TicTacToe Gomoku Awari.
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZInt.

Extract Inlined Constant N.land => "(land)".
Extract Inlined Constant N.lor => "(lor)".
Extract Inlined Constant N.shiftl => "(lsl)".
Extract Inlined Constant N.shiftr => "(lsr)".
Extract Inlined Constant N.double => "(fun n -> n lsl 1)".
Extract Inlined Constant N.div2 => "(fun n -> n lsr 1)".
Extract Inlined Constant N.ones => "(fun n -> (1 lsl n) - 1)".
Extract Inlined Constant N.eqb => "(fun (a : int) b -> a = b)".
Extract Inlined Constant N.ltb => "(fun (a : int) b -> a < b)".
Extract Inlined Constant N.leb => "(fun (a : int) b -> a <= b)".
Extract Inlined Constant N.eq_dec => "(fun (a : int) b -> a = b)".
Extract Inlined Constant N.to_nat => "(fun (a : int) -> a)".
Extract Inlined Constant N.of_nat => "(fun (a : int) -> a)".
Extract Inlined Constant N.succ_pos => "succ".
Extract Inlined Constant Z.eqb => "(fun (a : int) b -> a = b)".
Extract Inlined Constant Z.leb => "(fun (a : int) b -> a <= b)".

Definition connect_four_proved (height : N) := proved (connect_four height) no_tables.
Definition connect_four_check (height : N) := check_record (connect_four height) no_tables.
Definition connect_four_index (height : N) := index_of (connect_four height).
Definition connect_four_canonical (height : N) := canonical (connect_four height).
Definition connect_four_moves (height : N) := moves (connect_four_rules height).
Definition connect_four_play (height : N) := play (connect_four_rules height).
Definition connect_four_over (height : N) := terminal (connect_four_rules height).

Definition tic_tac_toe_proved := proved tic_tac_toe no_tables.
Definition tic_tac_toe_check := check_record tic_tac_toe no_tables.
Definition tic_tac_toe_index := index_of tic_tac_toe.
Definition tic_tac_toe_canonical := canonical tic_tac_toe.
Definition tic_tac_toe_moves := moves tic_tac_toe_rules.
Definition tic_tac_toe_play := play tic_tac_toe_rules.
Definition tic_tac_toe_over := terminal tic_tac_toe_rules.

Definition gomoku_proved (X : ruleset) := proved X no_tables.
Definition gomoku_check (X : ruleset) := check_record X no_tables.

Definition awari_proved (oware : bool) := proved (awari oware) no_tables.
Definition awari_check (oware : bool) := check_record (awari oware) no_tables.
Definition awari_index (oware : bool) := index_of (awari oware).
Definition awari_play (oware : bool) := play (awari_rules oware).
Definition awari_over (oware : bool) := terminal (awari_rules oware).

Extraction "verified.ml"
  connect_four_proved connect_four_check connect_four_index connect_four_canonical
  connect_four_moves connect_four_play connect_four_over empty_board four
  tic_tac_toe_proved tic_tac_toe_check tic_tac_toe_index tic_tac_toe_canonical
  tic_tac_toe_moves tic_tac_toe_play tic_tac_toe_over three to_list
  gomoku gomoku_proved gomoku_check gomoku_board gomoku_start has_line numbered index_of canonical moves play terminal
  awari_proved awari_check awari_index awari_moves awari_play awari_over.
