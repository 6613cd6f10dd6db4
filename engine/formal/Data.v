(** Certificates as lists of numbers, for theorems that Coq computes by itself. Nothing rests on how they are read: the
    check says of what was read whether it proves something.

    A record is its key as a number, the number of its claims, and the claims. A claim is its kind (twice the evidence,
    0 children, 2 line, 3 search, 4 threats, 5 strategy, 6 search to limits, plus 1 for an upper claim), the bound as in our records (0, -1, 1, -2, ... are
    0, 1, 2, 3, ...), the rank, of a lower claim the witness; then of a search the visits, of lines their number and
    each as the number of its moves and the moves; of a strategy the number of named replies and these, then the number
    of marks and each mark as 6 times its square plus what it is; of threats the named replies in this way, the number of trees and
    each behind its reply plus 1, or 0 against a pass. A tree is 0, or its move plus 1, the number of listed replies, and
    each reply with its tree. *)
From Proofbase Require Export ConnectFour TicTacToe Gomoku Awari.

Definition bound_of (n : N) : Z := if N.even n then Z.of_N (n / 2) else - Z.of_N ((n + 1) / 2).

Fixpoint read_numbers (count : nat) (l : list N) : list N * list N :=
  match count, l with
  | S count, n :: rest => let (line, rest) := read_numbers count rest in (n :: line, rest)
  | _, _ => ([], l)
  end.

Fixpoint read_lines (count : nat) (l : list N) : list (list N) * list N :=
  match count, l with
  | S count, size :: rest =>
      let (line, rest) := read_numbers (N.to_nat size) rest in
      let (lines, rest) := read_lines count rest in (line :: lines, rest)
  | _, _ => ([], l)
  end.

Fixpoint read_tree (depth : nat) (l : list N) : tree * list N :=
  match depth, l with
  | S depth, move :: count :: rest =>
      if (move =? 0)%N then (Ends, count :: rest) else
      let (after, rest) :=
        (fix read_replies (count : nat) (l : list N) : list (N * tree) * list N :=
           match count, l with
           | S count, r :: rest =>
               let (t, rest) := read_tree depth rest in
               let (others, rest) := read_replies count rest in ((r, t) :: others, rest)
           | _, _ => ([], l)
           end) (N.to_nat count) rest in
      (Attack (N.pred move) after, rest)
  | _, _ => (Ends, tl l)
  end.

Fixpoint read_trees (count : nat) (l : list N) : list (option N * tree) * list N :=
  match count, l with
  | S count, reply :: rest =>
      let (t, rest) := read_tree (S deepest) rest in
      let (others, rest) := read_trees count rest in
      ((if (reply =? 0)%N then None else Some (N.pred reply), t) :: others, rest)
  | _, _ => ([], l)
  end.

Definition read_evidence (kind : N) (l : list N) : evidence * list N :=
  match (kind / 2)%N, l with
  | 2%N, count :: rest => let (lines, rest) := read_lines (N.to_nat count) rest in (Line lines, rest)
  | 3%N, nodes :: rest => (Search false nodes, rest)
  | 6%N, nodes :: rest => (Search true nodes, rest)
  | 5%N, count :: rest =>
      let (named, rest) := read_numbers (N.to_nat count) rest in
      let (marks, rest) := read_numbers (N.to_nat (hd 0%N rest)) (tl rest) in
      (Strategy named (map (fun m => (m / 6, m mod 6)%N) marks), rest)
  | 4%N, count :: rest =>
      let (named, rest) := read_numbers (N.to_nat count) rest in
      let (trees, rest) := read_trees (N.to_nat (hd 0%N rest)) (tl rest) in (Threats named trees, rest)
  | 1%N, _ => (Table, l)
  | _, _ => (Children, l)
  end.

Fixpoint read_claims (count : nat) (l : list N) : list claim * list N :=
  match count, l with
  | S count, kind :: bound :: rank :: rest =>
      let is_lower := N.even kind in
      let (witness, rest) := if is_lower then (hd 0%N rest, tl rest) else (0%N, rest) in
      let (by_what, rest) := read_evidence kind rest in
      let (claims, rest) := read_claims count rest in
      (Claim is_lower (bound_of bound) rank witness by_what :: claims, rest)
  | _, _ => ([], l)
  end.

Fixpoint read_records {P : Type} (position_of : N -> P) (most : nat) (l : list N) : list (P * list claim) :=
  match most, l with
  | S most, key :: count :: rest =>
      let (claims, rest) := read_claims (N.to_nat count) rest in
      (position_of key, claims) :: read_records position_of most rest
  | _, _ => []
  end.

Definition read {P : Type} (position_of : N -> P) (l : list N) : list (P * list claim) :=
  read_records position_of (length l) l.

(** Keys of connect-four: for every column the stones of the side to move and a one above the topmost stone. *)
Fixpoint fields (width : nat) (size : N) (key : N) : list N :=
  match width with O => [] | S width => N.land key (N.ones size) :: fields width size (N.shiftr key size) end.

Definition connect_four_of_key (width : nat) (height : N) (key : N) : board :=
  let columns := fields width (N.succ height) key in
  let turn := N.even (fold_left (fun n field => n + N.log2 field)%N columns 0%N) in
  (turn, map (fun field =>
     let top := N.log2 field in
     let mover := N.clearbit field top in
     let other := N.lxor mover (N.ones top) in
     (if turn then mover else other, if turn then other else mover, top)) columns).

(** Keys of tic-tac-toe: digits to the base 3, cell 0 first. *)
Definition tic_tac_toe_of_key (key : N) : square :=
  let digit := fun place => match (key / 3 ^ place mod 3)%N with 0%N => Empty | 1%N => First | _ => Second end in
  let cells := Cells (digit 8%N) (digit 7%N) (digit 6%N) (digit 5%N) (digit 4%N) (digit 3%N) (digit 2%N) (digit 1%N) (digit 0%N) in
  let count := fun s => length (filter (is s) (to_list cells)) in
  (Nat.eqb (count First) (count Second), cells).

(** Keys of awari: of each pit so many ones, and a zero. *)
Fixpoint awari_pits (count : nat) (key : N) : list N :=
  match count with
  | O => []
  | S count => let stones := N.log2 (N.land (N.lxor key (key + 1)) (key + 1)) in
               stones :: awari_pits count (N.shiftr key (N.succ stones))
  end.

Definition awari_of_key (key : N) : pits := awari_pits 12 key.

(** Keys of go-moku: five digits to the base 3 in a byte, row by row. *)
Definition gomoku_of_key (width height : nat) (key : N) : placed :=
  let bytes := N.of_nat ((width * height + 4) / 5) in
  let digit_at := fun i => (key / 256 ^ (bytes - 1 - i / 5) mod 256 / 3 ^ (4 - i mod 5) mod 3)%N in
  let cell_at := fun s : Z * Z =>
    match digit_at (Z.to_N (snd s) * N.of_nat width + Z.to_N (fst s))%N with 0%N => Empty | 1%N => First | _ => Second end in
  let cells := map cell_at (numbered width height) in
  let count := fun s => length (filter (is s) cells) in
  (Nat.eqb (count First) (count Second), cells).
