(* SHA-256 (FIPS 180-4) of a part of a string: the seal of a certificate. *)

let k =
  let primes = ref [] and n = ref 2 in
  while List.length !primes < 64 do
    if List.for_all (fun p -> !n mod p <> 0) !primes then primes := !primes @ [ !n ];
    incr n
  done;
  !primes

(* The first 32 bits of the fraction of a root of a prime: floor (2^32 * p^(1/n)) mod 2^32, by integers of 63 bits. *)
let fraction power p =
  let large = ref 0 and high = ref (1 lsl 36) in
  (* The largest r with (r / 2^32)^power <= p; products are compared in parts of 32 bits. *)
  let multiply a b =
    (* numbers as lists of 16-bit parts, the low ones first *)
    let result = Array.make (Array.length a + Array.length b) 0 in
    Array.iteri
      (fun i x ->
        let carry = ref 0 in
        Array.iteri
          (fun j y ->
            let v = result.(i + j) + (x * y) + !carry in
            result.(i + j) <- v land 0xffff;
            carry := v lsr 16)
          b;
        result.(i + Array.length b) <- result.(i + Array.length b) + !carry)
      a;
    result
  in
  let parts r = [| r land 0xffff; (r lsr 16) land 0xffff; r lsr 32 |] in
  let at_most r =
    let product = ref (parts r) in
    for _ = 2 to power do product := multiply !product (parts r) done;
    (* compare with p * 2^(32 * power) *)
    let bound = Array.make (Array.length !product) 0 in
    bound.(2 * power) <- p;
    let rec compare_from i =
      if i < 0 then true
      else if !product.(i) <> bound.(i) then !product.(i) < bound.(i)
      else compare_from (i - 1)
    in
    compare_from (Array.length bound - 1)
  in
  while !high - !large > 1 do
    let middle = (!large + !high) / 2 in
    if at_most middle then large := middle else high := middle
  done;
  !large land 0xffffffff

let constants = lazy (Array.of_list (List.map (fraction 3) k))
let start = lazy (Array.of_list (List.filteri (fun i _ -> i < 8) (List.map (fraction 2) k)))

let digest text length =
  let k = Lazy.force constants and h = Array.copy (Lazy.force start) in
  let blocks = (length + 8) / 64 + 1 in
  let byte i =
    if i < length then Char.code text.[i]
    else if i = length then 0x80
    else
      let from_end = (blocks * 64) - 1 - i in
      if from_end < 8 then ((length * 8) lsr (8 * from_end)) land 0xff else 0
  in
  let rotate x n = ((x lsr n) lor (x lsl (32 - n))) land 0xffffffff in
  let w = Array.make 64 0 in
  for block = 0 to blocks - 1 do
    for t = 0 to 15 do
      let i = (64 * block) + (4 * t) in
      w.(t) <- (byte i lsl 24) lor (byte (i + 1) lsl 16) lor (byte (i + 2) lsl 8) lor byte (i + 3)
    done;
    for t = 16 to 63 do
      let s0 = rotate w.(t - 15) 7 lxor rotate w.(t - 15) 18 lxor (w.(t - 15) lsr 3) in
      let s1 = rotate w.(t - 2) 17 lxor rotate w.(t - 2) 19 lxor (w.(t - 2) lsr 10) in
      w.(t) <- (w.(t - 16) + s0 + w.(t - 7) + s1) land 0xffffffff
    done;
    let v = Array.copy h in
    for t = 0 to 63 do
      let a = v.(0) and e = v.(4) in
      let s1 = rotate e 6 lxor rotate e 11 lxor rotate e 25 in
      let choice = (e land v.(5)) lxor (lnot e land v.(6)) in
      let t1 = v.(7) + s1 + (choice land 0xffffffff) + k.(t) + w.(t) in
      let s0 = rotate a 2 lxor rotate a 13 lxor rotate a 22 in
      let majority = (a land v.(1)) lxor (a land v.(2)) lxor (v.(1) land v.(2)) in
      let t2 = s0 + majority in
      Array.blit v 0 v 1 7;
      v.(4) <- (v.(4) + t1) land 0xffffffff;
      v.(0) <- (t1 + t2) land 0xffffffff
    done;
    Array.iteri (fun i x -> h.(i) <- (h.(i) + x) land 0xffffffff) v
  done;
  String.init 32 (fun i -> Char.chr ((h.(i / 4) lsr (24 - (8 * (i mod 4)))) land 0xff))
