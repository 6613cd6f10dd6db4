(** Claims, records, and the local check (docs/fact-model.md, "Claims and the local check"). *)
From Proofbase Require Export Symmetry.

(** A threat tree: it ends, or the attacker's move and the tree after each listed reply (docs/zones.md). *)
Inductive tree := Ends | Attack (m : N) (replies : list (N * tree)).

(** What a claim rests on. Claims by children are checked with the claims of the children; what the others say is
    checked on its own, by a check that the theorem takes as an argument ([settles] below). *)
Inductive evidence :=
| Children
| Table
| Line (lines : list (list N))   (** of a lower claim its one line; of an upper claim lines of the other side *)
| Search (to_limits : bool) (nodes : N)
| Strategy (named : list N) (marks : list (N * N))  (** the replies left to records, and squares with their marks *)
| Threats (named : list N) (trees : list (option N * tree)).   (** [None]: the tree against a pass *)

Record claim := Claim {
  lower : bool;      (** [lower = bound] if true, else [upper = bound] *)
  bound : Z;
  rank : N;
  witness : N;       (** of a lower claim *)
  rests_on : evidence
}.

(** The side that a claim favours guarantees itself so much. For [lower = L] this is the side to move. *)
Definition target (c : claim) : Z := signed (lower c) (bound c).

(** Whether a claim is checked without claims of the children. *)
Definition stands_alone (c : claim) : bool :=
  match rests_on c with
  | Children => false
  | Line _ | Strategy _ _ => lower c
  | Threats named _ => lower c || match named with [] => true | _ => false end
  | Table | Search _ _ => true
  end.

Section Claims.
Context (G : game) (K : keyed G).
Notation position := (position G).

(** [at_least p L] or [at_most p U]. *)
Definition true_claim (p : position) (c : claim) : Prop := exists s, guarantees G s (lower c) p (target c).

(** A set of records. [place] is the position that a key stands for: moves in claims are moves there. *)
Record records := Records { claims_of : key_type K -> list claim; place : key_type K -> position }.

(** What the check takes as given: limits of values, and claims that need no claims of children. *)
Record leaves := Leaves {
  limit : position -> Z;
  settles : position -> claim -> bool;             (** a claim that stands alone is true: a search, a line, a table *)
  settles_child : position -> claim -> N -> bool   (** the move needs no claim of the child: a line, a table *)
}.

(** What is left to be shown of a claim that names a witness: that whoever has played it gets the rest. *)
Definition from_witness (p : position) (c : claim) : position := if lower c then play G p (witness c) else p.
Definition owed (p : position) (c : claim) : Z := if lower c then target c - reward G p (witness c) else target c.

(** That they are right. *)
Record leaves_right (L : leaves) : Type := {
  limit_right : forall own p, guarantee G own p (- limit L p);
  key_limit : forall p q, key K p = key K q -> limit L p = limit L q;
  settles_right : forall p c, terminal G p = None -> settles L p c = true ->
    guarantee G false (from_witness p c) (owed p c);
  settles_child_right : forall p c m, terminal G p = None -> In m (moves G p) -> settles_child L p c m = true ->
    guarantee G (negb (lower c)) (play G p m) (target c - signed (lower c) (reward G p m))
}.

Context (L : leaves) (R : records).

(** A bound that repetition itself satisfies is a safety claim, any other one a progress claim. *)
Definition safety (p : position) (c : claim) : bool :=
  match repetition G p with Some r => target c <=? signed (lower c) r | None => false end.

(** Whether a claim of a child says enough for the side that needs the target [t] there. *)
Definition says (own : bool) (t : Z) (any_rank : bool) (below : N) (c : claim) : bool :=
  Bool.eqb (lower c) own && (t <=? target c) && (any_rank || (rank c <? below)%N).

(** Whether the child by the move [m] says enough for the claim [c] at [p]. *)
Definition child_check (p : position) (c : claim) (m : N) : bool :=
  let child := play G p m in
  let own := negb (lower c) in
  let t := target c - signed (lower c) (reward G p m) in
  let by_rank_0 := safety p c || (0 <? rank c)%N in
  match terminal G child with
  | Some v => (t <=? signed own v) && by_rank_0
  | None => existsb (says own t (safety p c) (rank c)) (claims_of R (key K child))
            || ((t <=? - limit L child) || settles_child L p c m) && by_rank_0
  end.

Definition legal_witness (p : position) (c : claim) : bool := negb (lower c) || existsb (N.eqb (witness c)) (moves G p).

(** The local check of a claim about [p]. *)
Definition passes (p : position) (c : claim) : bool :=
  (negb (safety p c) || (rank c =? 0)%N)
  && legal_witness p c
  && (if stands_alone c then settles L p c
      else if lower c then child_check p c (witness c)
      else forallb (child_check p c) (moves G p)).

(** A closed set of records in which every claim passes its local check. *)
Definition valid : Prop := forall k c, In c (claims_of R k) ->
  key K (place R k) = k /\ terminal G (place R k) = None /\ passes (place R k) c = true.
End Claims.
Arguments claims_of {G K}. Arguments place {G K}.
Arguments limit {G}. Arguments settles {G}. Arguments settles_child {G}.
Arguments limit_right {G K L}. Arguments key_limit {G K L}. Arguments settles_right {G K L}.
Arguments settles_child_right {G K L}.
