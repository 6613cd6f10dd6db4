(* Texts and keys of the games of the verified checker: docs/other-checkers.md, "Games". Nothing here is proved. *)

open Certificate

type position = Verified.position

type game = {
  name : string;
  initial : position;
  parse : string -> position;  (* of the one text that the rules write; any other is refused *)
  text : position -> string;
  of_key : string -> position;
  key : position -> string;
  index : Verified.certificate -> Verified.index;
  check : Verified.index -> position * Verified.claim list -> bool;
  proved : Verified.certificate -> position -> (int option * int option) option;
  moves : position -> int list;
  play : position -> int -> position;
  over : position -> int option;
}

let bytes_of_number size n = String.init size (fun i -> Char.chr ((n lsr (8 * (size - 1 - i))) land 255))

let number_of_bytes bytes =
  need (String.length bytes <= 8) "a key of another size";
  need (String.length bytes < 8 || bytes.[0] < '\x40') "a key above 2^62";
  String.fold_left (fun n c -> (n lsl 8) lor Char.code c) 0 bytes

(* Whose turn it is follows from the stones. *)
let turn_of firsts seconds =
  need (firsts = seconds || firsts = seconds + 1) "the first player has as many stones as the second, or one more";
  firsts = seconds

(* --- Tic-tac-toe --------------------------------------------------------------------------------------------------- *)
let tic_tac_toe =
  let legal cells =
    let count s = List.length (List.filter (fun c -> c = s) cells) in
    let turn = turn_of (count Verified.First) (count Verified.Second) in
    let board =
      match cells with
      | [ a; b; c; d; e; f; g; h; i ] -> Verified.Cells (a, b, c, d, e, f, g, h, i)
      | _ -> raise (Wrong "nine cells")
    in
    need (not (Verified.three (if turn then First else Second) board)) "the side to move has three in a row";
    (Obj.magic (turn, board) : position)
  in
  let cells p : Verified.cell list = Verified.to_list (snd (Obj.magic (p : position) : bool * Verified.cells)) in
  let parse text =
    need (String.length text = 11 && text.[3] = '/' && text.[7] = '/') "three rows of three cells";
    let cell = function '.' -> Verified.Empty | 'x' -> First | 'o' -> Second | _ -> raise (Wrong "cells are ., x, o") in
    legal (List.map (fun i -> cell text.[i + (i / 3)]) [ 0; 1; 2; 3; 4; 5; 6; 7; 8 ])
  in
  let text p =
    let letters = List.map (function Verified.Empty -> "." | First -> "x" | Second -> "o") (cells p) in
    String.concat "" (List.mapi (fun i c -> if i = 3 || i = 6 then "/" ^ c else c) letters)
  in
  let of_key key =
    need (String.length key = 2) "a key of two bytes";
    let rec digits count n = if count = 0 then [] else digits (count - 1) (n / 3) @ [ n mod 3 ] in
    let number = number_of_bytes key in
    need (number < 19683) "a key below 3^9";
    legal (List.map (function 0 -> Verified.Empty | 1 -> First | _ -> Second) (digits 9 number))
  in
  let key p =
    let digit = function Verified.Empty -> 0 | First -> 1 | Second -> 2 in
    bytes_of_number 2 (List.fold_left (fun n c -> (3 * n) + digit c) 0 (cells (Verified.tic_tac_toe_canonical p)))
  in
  {
    name = "tic-tac-toe";
    initial = parse ".../.../...";
    parse; text; of_key; key;
    index = Verified.tic_tac_toe_index;
    check = Verified.tic_tac_toe_check;
    proved = Verified.tic_tac_toe_proved;
    moves = Verified.tic_tac_toe_moves;
    play = Verified.tic_tac_toe_play;
    over = Verified.tic_tac_toe_over;
  }

(* --- Connect-four -------------------------------------------------------------------------------------------------- *)
let count_bits n =
  let rec go n sum = if n = 0 then sum else go (n land (n - 1)) (sum + 1) in
  go n 0

let connect_four name width height =
  need ((height + 1) * width <= 61) (name ^ ": this checker has boards of (height + 1) * width <= 61");
  let key_size = (((height + 1) * width) + 7) / 8 in
  let legal (columns : Verified.column list) =
    let firsts = List.fold_left (fun n ((a, _), _) -> n + count_bits a) 0 columns in
    let seconds = List.fold_left (fun n ((_, b), _) -> n + count_bits b) 0 columns in
    let turn = turn_of firsts seconds in
    let of_side first ((a, b), _) = if first then a else b in
    let stones first columns = List.map (of_side first) columns in
    need (not (Verified.four (stones turn columns))) "the side to move has four in a row";
    let last = stones (not turn) columns in
    (if Verified.four last then
       let without i =
         List.mapi (fun j (c : Verified.column) ->
             let bits = of_side (not turn) c and top = snd c in
             if i = j && top > 0 && bits land (1 lsl (top - 1)) <> 0 then bits lxor (1 lsl (top - 1)) else bits) columns
       in
       need (List.exists (fun i -> not (Verified.four (without i))) (List.init width Fun.id)) "no last move makes all fours");
    (Obj.magic (turn, columns) : position)
  in
  let columns p : bool * Verified.column list = Obj.magic (p : position) in
  let parse text =
    let rows = String.split_on_char '/' text in
    need (List.length rows = height && List.for_all (fun r -> String.length r = width) rows) "rows of cells";
    let rows = Array.of_list (List.rev rows) in
    let column x : Verified.column =
      let a = ref 0 and b = ref 0 and n = ref 0 in
      for y = 0 to height - 1 do
        match rows.(y).[x] with
        | '.' -> ()
        | c ->
            need (!n = y) "a stone floats";
            incr n;
            if c = 'x' then a := !a lor (1 lsl y) else if c = 'o' then b := !b lor (1 lsl y) else raise (Wrong "cells are ., x, o")
      done;
      ((!a, !b), !n)
    in
    legal (List.init width column)
  in
  let text p =
    let columns = snd (columns p) in
    let cell y ((a, b), _) = if (a lsr y) land 1 = 1 then "x" else if (b lsr y) land 1 = 1 then "o" else "." in
    String.concat "/" (List.init height (fun i -> String.concat "" (List.map (cell (height - 1 - i)) columns)))
  in
  let of_key key =
    need (String.length key = key_size) "a key of another size";
    let number = number_of_bytes key and size = height + 1 in
    need (number lsr (width * size) = 0) "a key of another size";
    let fields = List.init width (fun x -> (number lsr (x * size)) land ((1 lsl size) - 1)) in
    need (List.for_all (fun f -> f > 0) fields) "a column without its mark";
    let rec top f = if f = 1 then 0 else 1 + top (f lsr 1) in
    let stones = List.fold_left (fun n f -> n + top f) 0 fields in
    let column f : Verified.column =
      let n = top f in
      let mover = f lxor (1 lsl n) in
      let other = ((1 lsl n) - 1) lxor mover in
      if stones land 1 = 0 then ((mover, other), n) else ((other, mover), n)
    in
    legal (List.map column fields)
  in
  let key p =
    let turn, columns = columns (Verified.connect_four_canonical height p) in
    let field ((a, b), n) = (if turn then a else b) lor (1 lsl n) in
    bytes_of_number key_size (List.fold_left (fun n c -> (n lsl (height + 1)) lor field c) 0 (List.rev columns))
  in
  {
    name;
    initial = Obj.magic (Verified.empty_board width);
    parse; text; of_key; key;
    index = Verified.connect_four_index height;
    check = Verified.connect_four_check height;
    proved = Verified.connect_four_proved height;
    moves = Verified.connect_four_moves height;
    play = Verified.connect_four_play height;
    over = Verified.connect_four_over height;
  }

(* --- Go-moku --------------------------------------------------------------------------------------------------------- *)
let gomoku name width height length standard =
  let board = Verified.gomoku_board width height length standard in
  let rules =
    match Verified.gomoku width height length standard with
    | Some rules -> rules
    | None -> raise (Wrong (name ^ ": the symmetries of the board do not keep its rows"))
  in
  let squares = Array.of_list (Verified.numbered width height) in
  let count = width * height in
  let by_place = Array.make count 0 in
  Array.iteri (fun move (column, row) -> by_place.((width * row) + column) <- move) squares;
  let has_row stone cells = Verified.has_line board stone cells in
  (* Of the squares row by row from the bottom. *)
  let legal (places : Verified.cell array) =
    let cells = List.map (fun (column, row) -> places.((width * row) + column)) (Array.to_list squares) in
    let number s = List.length (List.filter (fun c -> c = s) cells) in
    let turn = turn_of (number Verified.First) (number Verified.Second) in
    let mover, last = if turn then (Verified.First, Verified.Second) else (Verified.Second, Verified.First) in
    need (not (has_row mover cells)) "the side to move has a winning row";
    (if has_row last cells then
       let without i = List.mapi (fun j c -> if i = j && c = last then Verified.Empty else c) cells in
       need (List.exists (fun i -> not (has_row last (without i))) (List.init count Fun.id)) "no last move makes all rows");
    (Obj.magic (turn, cells) : position)
  in
  let places p =
    let cells = Array.of_list (snd (Obj.magic (p : position) : bool * Verified.cell list)) in
    Array.map (fun move -> cells.(move)) by_place
  in
  let parse text =
    let rows = Array.of_list (List.rev (String.split_on_char '/' text)) in
    need (Array.length rows = height && Array.for_all (fun r -> String.length r = width) rows) "rows of cells";
    let cell = function '.' -> Verified.Empty | 'x' -> First | 'o' -> Second | _ -> raise (Wrong "cells are ., x, o") in
    legal (Array.init count (fun i -> cell rows.(i / width).[i mod width]))
  in
  let text p =
    let places = places p in
    let letter i = match places.(i) with Verified.Empty -> '.' | First -> 'x' | Second -> 'o' in
    String.concat "/" (List.init height (fun i -> String.init width (fun c -> letter ((width * (height - 1 - i)) + c))))
  in
  let key_size = (count + 4) / 5 in
  let of_key key =
    need (String.length key = key_size) "a key of another size";
    let power = [| 81; 27; 9; 3; 1 |] in
    let digit i = Char.code key.[i / 5] / power.(i mod 5) mod 3 in
    need (String.for_all (fun byte -> Char.code byte < 243) key) "a byte that has no five digits";
    for i = count to (5 * key_size) - 1 do need (digit i = 0) "digits behind the squares" done;
    legal (Array.init count (fun i -> match digit i with 0 -> Verified.Empty | 1 -> First | _ -> Second))
  in
  let key p =
    let places = places (Verified.canonical rules p) in
    let digit i = if i >= count then 0 else match places.(i) with Verified.Empty -> 0 | First -> 1 | Second -> 2 in
    String.init key_size (fun i ->
        Char.chr (List.fold_left (fun n j -> (3 * n) + digit ((5 * i) + j)) 0 [ 0; 1; 2; 3; 4 ]))
  in
  {
    name;
    initial = Obj.magic (Verified.gomoku_start width height length standard);
    parse; text; of_key; key;
    index = Verified.index_of rules;
    check = Verified.gomoku_check rules;
    proved = Verified.gomoku_proved rules;
    moves = Verified.moves rules.rules;
    play = Verified.play rules.rules;
    over = Verified.terminal rules.rules;
  }

(* --- Awari --------------------------------------------------------------------------------------------------------- *)
(* A position is the twelve pits, those of the side to move first. Whose move it is and the stores are in texts only. *)
let awari name oware =
  let pits p : int list = Obj.magic (p : position) in
  let total = List.fold_left ( + ) 0 in
  let position pits : position =
    need (total pits <= 48) "more than 48 stones";
    Obj.magic pits
  in
  let rec first n l = if n = 0 then [] else List.hd l :: first (n - 1) (List.tl l) in
  let rec last n l = if n = 0 then l else last (n - 1) (List.tl l) in
  let parse text =
    let number t =
      match int_of_string_opt t with
      | Some n when n >= 0 && n <= 48 && string_of_int n = t -> n
      | _ -> raise (Wrong "a number of stones")
    in
    let row t =
      let row = List.map number (String.split_on_char ',' t) in
      need (List.length row = 6) "six pits in a row";
      row
    in
    match String.split_on_char '/' text with
    | [ north; south; side ] when side = "S" || side = "N" ->
        let north, south, stores =
          match (String.split_on_char ':' north, String.split_on_char ':' south) with
          | [ n ], [ s ] -> (n, s, 0)
          | [ north_store; n ], [ s; south_store ] ->
              let stores = number north_store + number south_store in
              need (stores > 0) "stores without stones are not written";
              (n, s, stores)
          | _ -> raise (Wrong "two rows, with both stores or without")
        in
        let north = List.rev (row north) and south = row south in
        need (total north + total south + stores <= 48) "more than 48 stones";
        position (if side = "S" then south @ north else north @ south)
    | _ -> raise (Wrong "two rows of six pits and the side to move")
  in
  let text p =
    let row pits = String.concat "," (List.map string_of_int pits) in
    row (List.rev (last 6 (pits p))) ^ "/" ^ row (first 6 (pits p)) ^ "/S"
  in
  let of_key key =
    need (String.length key = 8) "a key of 8 bytes";
    let rec fields count n =
      if count = 0 then (need (n = 0) "bits above the twelve pits"; [])
      else
        let rec ones n = if n land 1 = 1 then 1 + ones (n lsr 1) else 0 in
        let stones = ones n in
        stones :: fields (count - 1) (n lsr (stones + 1))
    in
    position (fields 12 (number_of_bytes key))
  in
  let key p =
    bytes_of_number 8 (List.fold_right (fun stones n -> (n lsl (stones + 1)) lor ((1 lsl stones) - 1)) (pits p) 0)
  in
  {
    name;
    initial = position (List.init 12 (fun _ -> 4));
    parse; text; of_key; key;
    index = Verified.awari_index oware;
    check = Verified.awari_check oware;
    proved = Verified.awari_proved oware;
    moves = (fun p -> Verified.awari_moves oware (pits p));
    play = Verified.awari_play oware;
    over = Verified.awari_over oware;
  }

let open_game name =
  let number text = match int_of_string_opt text with Some n when n > 0 && string_of_int n = text -> n | _ -> 0 in
  let unknown () = raise (Wrong ("a game that this checker does not have: " ^ name)) in
  let sides board = List.map number (String.split_on_char 'x' board) in
  let gomoku_on board standard =
    let board, length =
      match String.split_on_char '-' board with
      | [ board ] -> (board, 5)
      | [ board; length ] when number length <> 5 -> (board, number length)
      | _ -> unknown ()
    in
    match sides board with
    | [ w; h ] when List.for_all (fun n -> n >= 3 && n <= 19) [ w; h ] && length >= 3 && length <= max w h && (w, h, length) <> (15, 15, 5) ->
        gomoku name w h length standard
    | _ -> unknown ()
  in
  match String.split_on_char ':' name with
  | [ "tic-tac-toe" ] -> tic_tac_toe
  | [ "awari" ] -> awari name false
  | [ "awari"; "oware" ] -> awari name true
  | [ "connect-four" ] -> connect_four name 7 6
  | [ "connect-four"; board ] -> (
      match sides board with
      | [ w; h ] when w > 0 && h > 0 && (w, h) <> (7, 6) -> connect_four name w h
      | _ -> unknown ())
  | [ "gomoku" ] -> gomoku name 15 15 5 false
  | [ "gomoku"; "standard" ] -> gomoku name 15 15 5 true
  | [ "gomoku"; variant ] -> (
      match String.split_on_char ',' variant with
      | [ board ] -> gomoku_on board false
      | [ board; "standard" ] -> gomoku_on board true
      | _ -> unknown ())
  | _ -> unknown ()
