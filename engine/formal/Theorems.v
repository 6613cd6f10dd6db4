(** The theorems of docs/formal.md, with what they assume: nothing. *)
From Proofbase Require Import ConnectFour.

Check every_claim_is_true.
Print Assumptions every_claim_is_true.
Check guaranteed.
Print Assumptions guaranteed.
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
Check what_is_proved_is_true.
Print Assumptions what_is_proved_is_true.
Check connect_four.
Print Assumptions connect_four.
