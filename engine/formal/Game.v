(** Games: finitely many moves, rewards, ends, and what endless play is worth.

    This is the first section of docs/fact-model.md. A move is a number, as in our stored records. *)
From Coq Require Export ZArith List Bool Lia.
Export ListNotations.
Open Scope Z_scope.

Record game := Game {
  position : Type;
  terminal : position -> option Z;     (** the value for the side to move where the game is over; [None]: it goes on *)
  moves : position -> list N;          (** the legal moves *)
  play : position -> N -> position;    (** then the other side moves *)
  reward : position -> N -> Z;         (** what a move adds to the score of the side that makes it *)
  repetition : position -> option Z;   (** rho: what an endless line is worth to the side to move; [None]: there is none *)
}.

(** What is good for one side, seen by a side that is ([own]) or is not to move. *)
Definition signed (own : bool) (z : Z) : Z := if own then z else - z.

Lemma signed_negb own z : signed (negb own) z = - signed own z.
Proof. destruct own; cbn; lia. Qed.
