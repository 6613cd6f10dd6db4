(* proofbase-check-verified FILE...       checks certificates by the checker that Coq has proved right
   proofbase-check-verified --theorem FILE         writes a certificate as a theorem for Coq
   proofbase-check-verified --counts GAME PLIES [POSITION]    lines, ends and keys for every ply, to compare the rules
   Exit status: 0 all valid, 1 one is not valid, 2 usage, 3 a file that cannot be read. docs/formal.md *)

open Certificate

let claim_of c : Verified.claim =
  let rests_on =
    match c.rests_on with
    | Children -> Verified.Children
    | Table -> Verified.Table
    | Line lines -> Verified.Line lines
    | Search nodes -> Verified.Search nodes
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

(* The certificate as a theorem for Coq: engine/formal/Data.v says how it is written. *)
let write_theorem name =
  let header, game, root, records = open_file name in
  let number n = Printf.printf "%d; " n in
  let claim c =
    let kind, payload =
      match c.rests_on with
      | Children -> (0, [])
      | Table -> (1, [])
      | Line lines -> (2, List.length lines :: List.concat_map (fun line -> List.length line :: line) lines)
      | Search nodes -> (3, [ nodes ])
    in
    let bound = if c.bound < 0 then (-2 * c.bound) - 1 else 2 * c.bound in
    let witness = if c.is_lower then [ c.witness ] else [] in
    List.iter (Printf.printf "; %d") ((((2 * kind) + if c.is_lower then 0 else 1) :: bound :: c.rank :: witness) @ payload)
  in
  print_string "(* Made from a certificate by proofbase-check-verified --theorem. *)\n";
  print_string "From Proofbase Require Import Data.\nOpen Scope N_scope.\n";
  (* Coq reads no list of any length. *)
  let parts = ref 0 in
  List.iteri
    (fun index (key, claims) ->
      if index mod 500 = 0 then begin
        if index > 0 then print_string "].\n";
        Printf.printf "Definition part_%d : list N := [\n" !parts;
        incr parts
      end
      else print_string ";\n";
      number (Games.number_of_bytes key);
      Printf.printf "%d" (List.length claims);
      List.iter claim claims)
    records;
  if !parts > 0 then print_string "].\n";
  print_string "Definition numbers : list N := ";
  for part = 0 to !parts - 1 do Printf.printf "part_%d ++ (" part done;
  Printf.printf "[]%s.\n" (String.make !parts ')');
  let bound = function Some n -> Printf.sprintf "Some (%d)%%Z" n | None -> "None" in
  let rows = String.split_on_char '/' header.root in
  let width = String.length (List.hd rows) and height = List.length rows in
  let rule, reader, start =
    if header.game = "tic-tac-toe" then ("tic_tac_toe", "tic_tac_toe_of_key", "tic_tac_toe_start")
    else if header.game = "awari" then ("(awari false)", "awari_of_key", "(repeat 4 12)")
    else if header.game = "awari:oware" then ("(awari true)", "awari_of_key", "(repeat 4 12)")
    else
      ( Printf.sprintf "(connect_four %d)" height,
        Printf.sprintf "(connect_four_of_key %d%%nat %d)" width height,
        Printf.sprintf "(empty_board %d)" width )
  in
  let from_start = game.text root = game.text game.initial in
  let root = if from_start then start else Printf.sprintf "(%s %d)" reader (Games.number_of_bytes (game.key root)) in
  let says, lemma =
    match (header.lower, header.upper) with
    | Some l, Some u when l = u -> (Printf.sprintf "has_value (rules %s) %s (%d)%%Z" rule root l, "proved_value")
    | Some l, _ -> (Printf.sprintf "at_least (rules %s) %s (%d)%%Z" rule root l, "proved_at_least")
    | None, Some u -> (Printf.sprintf "at_most (rules %s) %s (%d)%%Z" rule root u, "proved_at_most")
    | None, None -> raise (Wrong "the certificate says nothing of its root")
  in
  let outcome =
    match (from_start, header.lower, header.upper) with
    | true, Some 1, _ -> "first_player_wins"
    | true, _, Some -1 -> "second_player_wins"
    | true, Some 0, Some 0 -> "draw"
    | _ -> "bounds"
  in
  let plain = String.map (fun c -> if c = '-' || c = ':' then '_' else c) header.game in
  let plain = if header.game = "connect-four" then plain ^ "_7x6" else plain in
  Printf.printf
    "\n(* %s, %s *)\nTheorem %s_%s : %s.\nProof.\n  eapply (%s %s (read %s numbers)).\n  vm_cast_no_check (eq_refl (Some (%s, %s))).\nQed.\nCheck %s_%s.\nPrint Assumptions %s_%s.\n"
    header.game header.root plain outcome says lemma rule reader (bound header.lower) (bound header.upper) plain outcome
    plain outcome

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
    | [ "--theorem"; file ] -> (
        try write_theorem file
        with Wrong why ->
          prerr_endline ("not valid: " ^ why);
          exit 1)
    | first :: _ as files when first.[0] <> '-' || files = [ "-" ] ->
        let valid = List.fold_left (fun valid file -> check_file file && valid) true files in
        exit (if valid then 0 else 1)
    | _ ->
        prerr_endline "usage: proofbase-check-verified FILE... | - | --counts GAME PLIES [POSITION] | --theorem FILE";
        exit 2
  with
  | Sys_error why ->
      prerr_endline ("error: " ^ why);
      exit 3
  | Invalid_argument _ | Stack_overflow | Out_of_memory ->
      prerr_endline "error: the file is too large for this machine";
      exit 3
