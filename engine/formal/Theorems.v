(** The theorems of docs/formal.md, with what they assume: nothing. *)
From Proofbase Require Import Data Zones.

(** ** The fact model *)
Check every_claim_is_true.
Print Assumptions every_claim_is_true.
Check guaranteed.
Print Assumptions guaranteed.
Check witnesses_are_right.
Print Assumptions witnesses_are_right.
Check bounds_of_a_valid_set_do_not_cross.
Print Assumptions bounds_of_a_valid_set_do_not_cross.
Check union_of_valid_sets_is_valid.
Print Assumptions union_of_valid_sets_is_valid.
Check contradiction_shows_a_false_set.
Print Assumptions contradiction_shows_a_false_set.
Check guarantee_of_key.
Print Assumptions guarantee_of_key.
Check scores_exist_by_cycles.
Print Assumptions scores_exist_by_cycles.

(** ** The checker, and the games *)
Check what_is_proved_is_true.
Print Assumptions what_is_proved_is_true.
Check connect_four.
Print Assumptions connect_four.
Check four_spec.
Print Assumptions four_spec.
Check tic_tac_toe.
Print Assumptions tic_tac_toe.
Check line_threats.
Print Assumptions line_threats.
Check zone_exists.
Print Assumptions zone_exists.
Check reply_outside_zone_loses.
Print Assumptions reply_outside_zone_loses.
Check wins_against_another_reply.
Print Assumptions wins_against_another_reply.
Check gomoku.
Print Assumptions gomoku.
Check awari.
Print Assumptions awari.

(** ** Tic-tac-toe is a draw: four records, as `proofbase export tic-tac-toe` writes them *)
Definition tic_tac_toe_certificate : list N := [
  0; 2; 6; 0; 9; 0; 965; 1; 0; 9;
  1; 1; 6; 0; 8; 4; 1483;
  3; 1; 6; 0; 8; 4; 2048;
  81; 1; 6; 0; 8; 0; 506]%N.

Theorem tic_tac_toe_draw : has_value (rules tic_tac_toe) tic_tac_toe_start 0.
Proof.
  eapply (proved_value tic_tac_toe (read tic_tac_toe_of_key tic_tac_toe_certificate)).
  vm_cast_no_check (eq_refl (Some (Some 0, Some 0))).
Qed.
Check tic_tac_toe_draw.
Print Assumptions tic_tac_toe_draw.
