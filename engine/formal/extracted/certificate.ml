(* Reads a certificate: docs/certificate.md and docs/record-encoding.md. Nothing here is proved. What is read wrongly
   here is another certificate; the verified check then says whether that one is valid. *)

exception Wrong of string

let need condition what = if not condition then raise (Wrong what)

type header = {
  game : string;
  lower : int option;
  upper : int option;
  records : int;
  root : string;
  root_key : string;
  rules_version : int;
}

type tree = Ends | Attack of int * (int * tree) list  (* the attacker's move, and the tree after each listed reply *)

type evidence =
  | Children
  | Table
  | Line of int list list
  | Search of bool * int  (* whether it ends at limits; its nodes *)
  | Strategy of int list * (int * int) list  (* named replies; squares with their marks *)
  | Threats of int list * (int option * tree) list  (* named replies; trees, the one against a pass first *)

type claim = { is_lower : bool; bound : int; rank : int; witness : int; rests_on : evidence }

let first_line = "proofbase certificate 1\n"

(* The header is one line in exactly one form, so it is read by its form. *)
let read_header line =
  let place = ref 0 in
  let literal text =
    let size = String.length text in
    need (!place + size <= String.length line && String.sub line !place size = text) ("header: " ^ text ^ " is missing");
    place := !place + size
  in
  let peek () = if !place < String.length line then line.[!place] else '\n' in
  let text () =
    literal "\"";
    let start = !place in
    while peek () <> '"' do
      need (peek () >= ' ' && peek () <= '~' && peek () <> '\\') "header: a text that no field has";
      incr place
    done;
    literal "\"";
    String.sub line start (!place - start - 1)
  in
  let number () =
    let start = !place in
    if peek () = '-' then incr place;
    while peek () >= '0' && peek () <= '9' do incr place done;
    let digits = String.sub line start (!place - start) in
    match int_of_string_opt digits with
    | Some n when string_of_int n = digits -> n
    | _ -> raise (Wrong "header: not a number in its shortest form")
  in
  let bound () = if peek () = 'n' then (literal "null"; None) else Some (number ()) in
  literal "{";
  if !place + 14 < String.length line && String.sub line !place 14 = "\"fingerprint\":" then begin
    literal "\"fingerprint\":";
    ignore (text ());
    literal ","
  end;
  literal "\"game\":";
  let game = text () in
  literal ",\"lower\":";
  let lower = bound () in
  literal ",\"records\":";
  let records = number () in
  literal ",\"root\":";
  let root = text () in
  literal ",\"root_key\":";
  let root_key = text () in
  literal ",\"rules_version\":";
  let rules_version = number () in
  if !place + 11 < String.length line && String.sub line !place 11 = ",\"sources\":" then begin
    literal ",\"sources\":";
    ignore (text ())
  end;
  literal ",\"upper\":";
  let upper = bound () in
  literal "}";
  need (!place = String.length line) "header: something behind the object";
  { game; lower; upper; records; root; root_key; rules_version }

(* A part of the file: its bytes from `place` on, up to `stop`. *)
type stream = { data : string; mutable place : int; stop : int }

let at_end stream = stream.place >= stream.stop

let byte stream =
  need (not (at_end stream)) "cut off";
  stream.place <- stream.place + 1;
  Char.code stream.data.[stream.place - 1]

(* An unsigned LEB128 number in its shortest form. *)
let number ?(largest = 0x7fffffff) stream =
  let rec go shift sum =
    need (shift < 35) "a number of more than five bytes";
    let b = byte stream in
    let sum = sum lor ((b land 127) lsl shift) in
    if b > 127 then go (shift + 7) sum
    else begin
      need (b > 0 || shift = 0) "a number that is not in its shortest form";
      need (sum <= largest) "a number that is too large";
      sum
    end
  in
  go 0 0

let part stream size =
  need (stream.place + size <= stream.stop) "cut off";
  let inner = { data = stream.data; place = stream.place; stop = stream.place + size } in
  stream.place <- stream.place + size;
  inner

let rec numbers stream count =
  if count = 0 || (count < 0 && at_end stream) then []
  else
    let n = number stream in
    n :: numbers stream (count - 1)

let read_lines stream is_lower =
  if is_lower then begin
    let line = numbers stream (-1) in
    need (line <> []) "a line without moves";
    [ line ]
  end
  else
    let rec lines () =
      if at_end stream then []
      else begin
        let size = number stream in
        need (size > 0) "a line without moves";
        let line = numbers stream size in
        line :: lines ()
      end
    in
    lines ()

let rec ascending what = function
  | a :: (b :: _ as rest) -> need (a < b) (what ^ " do not ascend"); ascending what rest
  | [ _ ] | [] -> ()

(* Named replies: the first as it is, each other as what it is more. *)
let read_named stream =
  let rec named count last =
    if count = 0 then []
    else
      let reply = last + number stream in
      need (reply <= 0x7fffffff) "a named reply of 2^31 or more";
      reply :: named (count - 1) reply
  in
  let named = named (number stream) 0 in
  ascending "named replies" named;
  named

(* Behind an upper claim's named replies the marks. *)
let read_strategy stream is_lower =
  let named = if is_lower then [] else read_named stream in
  let rec marks last =
    if at_end stream then []
    else
      let n = number stream in
      let square = last + 1 + (n / 6) in
      need (square <= 0x7fffffff) "a square of 2^31 or more";
      (square, n mod 6) :: marks square
  in
  Strategy (named, marks (-1))

let read_threats stream is_lower =
  let rec tree depth =
    let move = number stream - 1 in
    if move < 0 then Ends
    else begin
      need (depth < 200) "a threat tree of more than 200 moves";
      Attack (move, listed (number stream) (fun () -> tree (depth + 1)))
    end
  and listed : 'a. int -> (unit -> tree) -> (int * tree) list =
   fun count tree ->
    let rec read count = if count = 0 then [] else let reply = number stream in let t = tree () in (reply, t) :: read (count - 1) in
    let replies = read count in
    ascending "replies of a tree" (List.map fst replies);
    replies
  in
  let named = read_named stream in
  let passed = number stream in
  need (passed < 2) "two trees against a pass";
  let against_pass = if passed = 1 then [ (None, tree 0) ] else [] in
  let others = listed (number stream) (fun () -> tree 0) in
  need (at_end stream) "numbers behind threat trees";
  let trees = against_pass @ List.map (fun (reply, tree) -> (Some reply, tree)) others in
  (if is_lower then
     need (named = [] && match trees with [ (None, Attack _) ] -> true | _ -> false)
       "a lower claim by threats has one tree, which begins with a move");
  Threats (named, trees)

let read_claim stream =
  let kind = byte stream in
  need (kind < 14) "a claim of a kind that this checker does not know";
  let is_lower = kind land 1 = 0 in
  let zigzag = number stream in
  let bound = if zigzag land 1 = 1 then -(zigzag + 1) / 2 else zigzag / 2 in
  let rank = number stream in
  let witness = if is_lower then number stream else 0 in
  let rests_on =
    match kind lsr 1 with
    | 0 -> Children
    | 1 -> ignore (part stream (number stream)); Table
    | 2 -> Line (read_lines (part stream (number stream)) is_lower)
    | 4 -> read_threats (part stream (number stream)) is_lower
    | 5 -> read_strategy (part stream (number stream)) is_lower
    | _ ->
        let nodes = number ~largest:10_000 stream in
        need (nodes > 0) "a search of 0 nodes";
        Search (kind lsr 1 = 6, nodes)
  in
  { is_lower; bound; rank; witness; rests_on }

(* Lower claims first; within a side bounds weaken and ranks fall. *)
let follows last claim =
  if last.is_lower <> claim.is_lower then last.is_lower
  else (if claim.is_lower then claim.bound < last.bound else claim.bound > last.bound) && claim.rank < last.rank

let read_claims stream =
  need (stream.stop - stream.place <= 65_536) "a record of more than 65,536 bytes";
  let head = byte stream in
  need (head lsr 4 > 0 && head lsr 4 < 5) "a record of a version that this checker does not know";
  need (head land 15 > 0) "a record without claims";
  let rec read count last =
    if count = 0 then []
    else begin
      let claim = read_claim stream in
      (match last with Some last -> need (follows last claim) "claims out of order" | None -> ());
      claim :: read (count - 1) (Some claim)
    end
  in
  let claims = read (head land 15) None in
  need (at_end stream) "bytes after the claims of a record";
  let version claim = match claim.rests_on with Search (true, _) -> 4 | Strategy _ -> 3 | Threats _ -> 2 | _ -> 1 in
  need (head lsr 4 = List.fold_left (fun most claim -> max most (version claim)) 1 claims) "a record whose version is not that of its claims";
  claims

(* The header, and for each record in its order its key and its claims. *)
let read data =
  let length = String.length data in
  let first = String.length first_line in
  need (length >= first && String.sub data 0 first = first_line) "not a proofbase certificate of version 1";
  need
    (length >= first + 32 && Sha256.digest data (length - 32) = String.sub data (length - 32) 32)
    "the SHA-256 at the end is not that of the bytes before it";
  let stop = length - 32 in
  let line_end = match String.index_from_opt data first '\n' with Some i when i < stop -> i | _ -> raise (Wrong "no header") in
  need (line_end - first < 65_536) "a header of more than 65,536 bytes";
  let header = read_header (String.sub data first (line_end - first)) in
  let body = { data; place = line_end + 1; stop } in
  let records = ref [] and count = ref 0 and last = ref None in
  while not (at_end body) do
    let key = part body (number ~largest:255 body) in
    let key = String.sub data key.place (key.stop - key.place) in
    (match !last with Some k -> need (k < key) "keys that do not ascend" | None -> ());
    last := Some key;
    let claims = read_claims (part body (number body)) in
    records := (key, claims) :: !records;
    incr count
  done;
  need (!count = header.records) (Printf.sprintf "the header says %d records, the body has %d" header.records !count);
  (header, List.rev !records)
