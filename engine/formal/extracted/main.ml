(* proofbase-check-verified FILE...       checks certificates by the checker that Coq has proved right
   proofbase-check-verified --counts GAME PLIES [POSITION]    lines, ends and keys for every ply, to compare the rules
   Exit status: 0 all valid, 1 one is not valid, 2 usage, 3 a file that cannot be read. docs/formal.md *)

open Certificate

let rec tree_of = function
  | Ends -> Verified.Ends
  | Attack (move, after) -> Verified.Attack (move, List.map (fun (reply, tree) -> (reply, tree_of tree)) after)

let claim_of c : Verified.claim =
  let rests_on =
    match c.rests_on with
    | Children -> Verified.Children
    | Table -> Verified.Table
    | Line lines -> Verified.Line lines
    | Search (to_limits, nodes) -> Verified.Search (to_limits, nodes)
    | Strategy (named, marks) -> Verified.Strategy (named, marks)
    | Threats (named, trees) -> Verified.Threats (named, List.map (fun (reply, tree) -> (reply, tree_of tree)) trees)
  in
  { lower = c.is_lower; bound = c.bound; rank = c.rank; witness = c.witness; rests_on }

let read_file name =
  let channel = if name = "-" then stdin else open_in_bin name in
  set_binary_mode_in channel true;
  let data = Buffer.create 65_536 in
  (try while true do Buffer.add_channel data channel 1 done with End_of_file -> ());
  close_in channel;
  Buffer.contents data

let hex text = String.concat "" (List.map (fun c -> Printf.sprintf "%02x" (Char.code c)) (List.of_seq (String.to_seq text)))

let shown = function Some n -> string_of_int n | None -> "none"

(* A certificate that has been read, its game, root and records. *)
let open_file name =
  let header, records = read (read_file name) in
  need (header.rules_version = 1) "version 1 of the rules";
  let game = Games.open_game header.game in
  let root = game.parse header.root in
  need (hex (game.key root) = header.root_key) "the key of the root is another one";
  (header, game, root, records)

let check_file name =
  try
    let header, game, root, records = open_file name in
    let certificate =
      List.rev_map
        (fun (key, claims) ->
          try (game.of_key key, List.map claim_of claims) with Wrong why -> raise (Wrong ("key " ^ hex key ^ ": " ^ why)))
        records
    in
    let proved =
      match game.proved certificate root with
      | Some bounds -> bounds
      | None ->
          let index = game.index certificate in
          let position, _ = List.find (fun record -> not (game.check index record)) certificate in
          raise (Wrong ("the local check fails at " ^ game.text position))
    in
    need (proved = (header.lower, header.upper)) "the header's bounds are not those of the records";
    let claims = List.fold_left (fun n (_, claims) -> n + List.length claims) 0 certificate in
    Printf.printf "%s %s: lower %s, upper %s\nproved: %d records, %d claims checked\n%!" header.game header.root
      (shown header.lower) (shown header.upper) (List.length certificate) claims;
    true
  with Wrong why ->
    Printf.printf "not valid: %s\n%!" why;
    false

(* Lines of every ply, those that end there, and its positions up to symmetry. *)
let counts name plies start =
  let game = Games.open_game name in
  let start = match start with Some text -> game.parse text | None -> game.initial in
  let level = ref (Hashtbl.create 1) in
  Hashtbl.add !level (game.text start) (start, 1);
  for ply = 0 to plies do
    let lines = ref 0 and ends = ref 0 and keys = Hashtbl.create 1000 and next = Hashtbl.create 1000 in
    Hashtbl.iter
      (fun _ (position, ways) ->
        lines := !lines + ways;
        Hashtbl.replace keys (game.key position) ();
        match game.over position with
        | Some _ -> ends := !ends + ways
        | None ->
            List.iter
              (fun move ->
                let child = game.play position move in
                let text = game.text child in
                let before = match Hashtbl.find_opt next text with Some (_, n) -> n | None -> 0 in
                Hashtbl.replace next text (child, before + ways))
              (game.moves position))
      !level;
    Printf.printf "ply %d: paths %d, games %d, keys %d\n" ply !lines !ends (Hashtbl.length keys);
    level := next
  done

let () =
  try
    match List.tl (Array.to_list Sys.argv) with
    | "--counts" :: name :: plies :: start when int_of_string_opt plies <> None && List.length start < 2 -> (
        try counts name (int_of_string plies) (List.nth_opt start 0)
        with Wrong why ->
          prerr_endline ("error: " ^ why);
          exit 2)
    | first :: _ as files when first.[0] <> '-' || files = [ "-" ] ->
        let valid = List.fold_left (fun valid file -> check_file file && valid) true files in
        exit (if valid then 0 else 1)
    | _ ->
        prerr_endline "usage: proofbase-check-verified FILE... | - | --counts GAME PLIES [POSITION]";
        exit 2
  with
  | Sys_error why ->
      prerr_endline ("error: " ^ why);
      exit 3
  | Invalid_argument _ | Stack_overflow | Out_of_memory ->
      prerr_endline "error: the file is too large for this machine";
      exit 3
