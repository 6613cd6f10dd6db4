(** Evidence by a strategy: a diagram of marks, played out against every move of the other side (docs/strategies.md). *)
From Proofbase Require Export Claims.
From Coq Require Import FMapPositive PArith.

(** How diagrams play in a game. Nothing rests on their replies: the check below plays them by the rules. *)
Record squares (G : game) := Squares {
  diagram : Type;
  draw : position G -> list (N * N) -> option diagram;   (** squares with their marks; [None]: the game has no squares *)
  (** The answer of the diagram's side where it is to move, behind the position before the other side's move. *)
  reply : diagram -> position G -> position G -> option N
}.
Arguments diagram {G}. Arguments draw {G}. Arguments reply {G}.

Definition no_squares (G : game) : squares G := Squares G unit (fun _ _ => None) (fun _ _ _ => None).

(** ** Which move the marks prefer *)
Definition pair_mark : N := 1.

(** The held move with the smallest mark, of equal marks the first one. [open] are all moves, each with its mark: while
    two of them have the mark pair, that mark is behind all others. *)
Definition by_marks (open held : list (N * N)) : option N :=
  let pairs := length (filter (fun m => (snd m =? pair_mark)%N) open) in
  let order := fun m : N * N => if (snd m =? pair_mark)%N && (1 <? pairs)%nat then 6%N else snd m in
  match held with
  | [] => None
  | m :: rest => Some (fst (fold_left (fun best m => if (order m <? order best)%N then m else best) rest m))
  end.

(** The reply by the rules alone: a move that wins, else one after which the other side has none that wins. *)
Definition reply_by_rules (G : game) (mark : N -> N) (p : position G) : option N :=
  let wins := fun p m => match terminal G (play G p m) with Some v => v <? 0 | None => false end in
  match find (wins p) (moves G p) with
  | Some m => Some m
  | None =>
      let holds := fun m => let child := play G p m in negb (existsb (wins child) (moves G child)) in
      let marked := map (fun m => (m, mark m)) in
      by_marks (marked (moves G p)) (marked (filter holds (moves G p)))
  end.

(** ** Playing a diagram out *)
Section Play.
Context (G : game) (fair_game : fair G).
Context (same : forall p q : position G, {p = q} + {p <> q}) (code : position G -> positive).
Notation position := (position G).

(** The positions with the other side to move that were played out, and how many more may come about. *)
Definition played : Type := PositiveMap.t position * N.

(** [k] is the code of [p]. *)
Definition met (s : played) (k : positive) (p : position) : bool :=
  match PositiveMap.find k (fst s) with Some q => if same q p then true else false | None => false end.

Definition meet (k : positive) (p : position) (s : played) : played := (PositiveMap.add k p (fst s), snd s).

(** How our side answers, and what it needs. *)
Context (answers : position -> position -> option N) (t : Z).

(** The move [m] of the other side and our answer; then [next] plays on. [None]: our side may get less. *)
Definition one_reply (answer : position -> option N) (next : played -> position -> option played) (s : played)
  (p : position) (m : N) : option played :=
  let child := play G p m in
  if negb (reward G p m =? 0) then None else
  match terminal G child with
  | Some v => if t <=? v then Some s else None
  | None =>
    match answer child with
    | None => None
    | Some a =>
      if existsb (N.eqb a) (moves G child) && (reward G child a =? 0) then
        let after := play G child a in
        match terminal G after with
        | Some v => if t <=? - v then Some s else None
        | None => next s after
        end
      else None
    end
  end.

Fixpoint all_replies (answer : position -> option N) (next : played -> position -> option played) (s : played) (p : position)
  (ms : list N) : option played :=
  match ms with
  | [] => Some s
  | m :: rest =>
      match one_reply answer next s p m with Some s => all_replies answer next s p rest | None => None end
  end.

(** Every line from [p], where the other side is to move, ends well within so many plies. *)
Fixpoint play_out (plies : nat) (s : played) (p : position) : option played :=
  let k := code p in
  if met s k p then Some s else
  match snd s, plies with
  | 0%N, _ | _, O => None
  | budget, S less =>
      let s := (fst s, N.pred budget) in
      match (match less with
             | O => all_replies (fun _ => None) (fun _ _ => None) s p (moves G p)
             | S less => all_replies (answers p) (play_out less) s p (moves G p)
             end) with
      | Some s => Some (meet k p s)
      | None => None
      end
  end.

(** The same for some of the replies at [p]. *)
Definition play_some (plies : nat) (s : played) (p : position) (ms : list N) : option played :=
  match plies with
  | O => None
  | S O => all_replies (fun _ => None) (fun _ _ => None) s p ms
  | S (S less) => all_replies (answers p) (play_out less) s p ms
  end.

(** What was played out is guaranteed. *)
Definition good (s : played) : Type := forall q, met s (code q) q = true -> guarantee G false q t.

Definition plays_right (next : played -> position -> option played) : Type := forall s q s', good s ->
  terminal G q = None -> next s q = Some s' -> good s' * guarantee G false q t.

Lemma good_meet p s : good s -> guarantee G false p t -> good (meet (code p) p s).
Proof.
  intros all here q. unfold met, meet. cbn [fst]. destruct (Pos.eq_dec (code q) (code p)) as [->|other].
  - rewrite PositiveMap.gss. destruct (same p q) as [<-|]; [intros _; exact here|discriminate].
  - rewrite PositiveMap.gso by exact other. exact (all q).
Defined.

Lemma one_reply_right answer next s p m s' : plays_right next -> good s -> one_reply answer next s p m = Some s' ->
  good s' * guarantee G true (play G p m) (t + reward G p m).
Proof.
  intros on all. unfold one_reply. destruct (Z.eqb_spec (reward G p m) 0) as [->|]; [|discriminate]. cbn [negb].
  rewrite Z.add_0_r. destruct (terminal G (play G p m)) as [v|] eqn:ended.
  - destruct (t <=? v) eqn:enough; [|discriminate]. intros found. replace s' with s by congruence. split; [exact all|].
    apply (guarantee_over G true _ v _ ended). apply Z.leb_le, enough.
  - destruct (answer (play G p m)) as [a|]; [|discriminate].
    destruct (existsb (N.eqb a) (moves G (play G p m)) && (reward G (play G p m) a =? 0)) eqn:legal; [|discriminate].
    apply andb_prop in legal. destruct legal as [legal nothing]. apply Z.eqb_eq in nothing.
    assert (is_move : In a (moves G (play G p m))).
    { apply existsb_exists in legal. destruct legal as (b & member & equal). apply N.eqb_eq in equal. congruence. }
    intros found.
    assert (rest : good s' * guarantee G false (play G (play G p m) a) t).
    { destruct (terminal G (play G (play G p m) a)) as [v|] eqn:ended'.
      - destruct (t <=? - v) eqn:enough; [|discriminate]. replace s' with s by congruence. split; [exact all|].
        apply (guarantee_over G false _ v _ ended'). apply Z.leb_le, enough.
      - exact (on _ _ _ all ended' found). }
    destruct rest as [more rest]. split; [exact more|].
    apply (guarantee_by_move G fair_game _ a t ended is_move). rewrite nothing, Z.sub_0_r. exact rest.
Defined.

Lemma all_replies_right answer next p : plays_right next -> forall ms s s', good s ->
  all_replies answer next s p ms = Some s' ->
  good s' * (forall m, In m ms -> guarantee G true (play G p m) (t + reward G p m)).
Proof.
  intros on. induction ms as [|m rest IH]; cbn [all_replies]; intros s s' all found.
  - replace s' with s by congruence. split; [exact all|intros m []].
  - destruct (one_reply answer next s p m) as [s1|] eqn:this; [|discriminate].
    destruct (one_reply_right _ _ _ _ _ _ on all this) as [all1 here]. destruct (IH _ _ all1 found) as [all' others].
    split; [exact all'|]. intros m' member. destruct (N.eq_dec m' m) as [->|other]; [exact here|].
    apply others. destruct member; [congruence|assumption].
Defined.

Lemma none_right : plays_right (fun _ _ => None).
Proof. intros s q s' _ _. discriminate. Defined.

Lemma play_out_right most : forall plies, (plies <= most)%nat -> plays_right (play_out plies).
Proof.
  induction most as [|most IH]; intros plies short s p s' all on found.
  - destruct plies; [|lia]. cbn [play_out] in found. destruct (met s (code p) p) eqn:before.
    + replace s' with s by congruence. split; [exact all|exact (all p before)].
    + destruct (snd s); discriminate.
  - destruct plies as [|less]; cbn [play_out] in found; (destruct (met s (code p) p) eqn:before;
      [replace s' with s by congruence; split; [exact all|exact (all p before)]|]); destruct (snd s) as [|budget];
      try discriminate.
    set (started := (fst s, N.pred (N.pos budget)) : played) in *. assert (all' : good started) by exact all.
    destruct (match less with O => _ | S _ => _ end) as [s1|] eqn:replies; [|discriminate].
    assert (each : good s1 * (forall m, In m (moves G p) -> guarantee G true (play G p m) (t + reward G p m))).
    { destruct less as [|less].
      - exact (all_replies_right _ _ _ none_right _ _ _ all' replies).
      - apply (all_replies_right _ _ _ (IH less ltac:(lia)) _ _ _ all' replies). }
    destruct each as [all1 each]. assert (here := guarantee_by_moves G fair_game p t on each).
    replace s' with (meet (code p) p s1) by congruence. split; [apply good_meet; assumption|exact here].
Defined.

Lemma play_some_right plies p ms s s' : good s -> play_some plies s p ms = Some s' ->
  forall m, In m ms -> guarantee G true (play G p m) (t + reward G p m).
Proof.
  intros all. destruct plies as [|[|less]]; cbn [play_some]; [discriminate| |]; intros found.
  - apply (all_replies_right _ _ _ none_right _ _ _ all found).
  - apply (all_replies_right _ _ _ (play_out_right less less (le_n _)) _ _ _ all found).
Defined.
End Play.

(** ** Claims by a strategy *)
Section Claims_by_strategy.
Context (G : game) (fair_game : fair G) (Q : squares G).
Context (same : forall p q : position G, {p = q} + {p <> q}) (code : position G -> positive).

Definition most_positions : N := 10000.
Definition start : played G := (PositiveMap.empty _, most_positions).
Definition plies (rank : N) : nat := N.to_nat (N.min rank (2 * most_positions + 1)). (* no line is longer *)
Definition succeeds {A} (found : option A) : bool := match found with Some _ => true | None => false end.
Definition is_one_of (ms : list N) (m : N) : bool := existsb (N.eqb m) ms.

(** A diagram never proves that its side loses by little. *)
Definition needed (c : claim) : Z := Z.max (target c) 0.

(** After the witness the diagram plays. *)
Definition lower_by_strategy (p : position G) (c : claim) (marks : list (N * N)) : bool :=
  match draw Q p marks with
  | None => false
  | Some d =>
      let child := play G p (witness c) in
      (0 <? rank c)%N && (reward G p (witness c) =? 0)
      && match terminal G child with
         | Some v => needed c <=? - v
         | None => succeeds (play_out G same code (reply Q d) (needed c) (plies (N.pred (rank c))) start child)
         end
  end.

(** Every reply but the named ones is answered by the diagram. *)
Definition others_by_strategy (p : position G) (c : claim) (named : list N) (marks : list (N * N)) : bool :=
  match draw Q p marks with
  | None => false
  | Some d =>
      match named with
      | [] => succeeds (play_out G same code (reply Q d) (needed c) (plies (rank c)) start p)
      | _ => succeeds (play_some G same code (reply Q d) (needed c) (plies (rank c)) start p
                         (filter (fun m => negb (is_one_of named m)) (moves G p)))
      end
  end.

Lemma start_good t : good G same code t start.
Proof. intros q. unfold met, start. cbn [fst]. rewrite PositiveMap.gempty. discriminate. Defined.

Lemma weaker own p t u : u <= t -> guarantee G own p t -> guarantee G own p u.
Proof. intros le [s good]. exists s. exact (guarantees_weaken G s own p t u le good). Defined.

Lemma lower_by_strategy_right p c marks : lower c = true -> lower_by_strategy p c marks = true ->
  guarantee G false (play G p (witness c)) (target c - reward G p (witness c)).
Proof.
  intros side. unfold lower_by_strategy. destruct (draw Q p marks) as [d|]; [|discriminate]. intros all.
  apply andb_prop in all. destruct all as [all played]. apply andb_prop in all. destruct all as [_ nothing].
  apply Z.eqb_eq in nothing. rewrite nothing, Z.sub_0_r. apply (weaker _ _ (needed c)); [unfold needed; lia|].
  destruct (terminal G (play G p (witness c))) as [v|] eqn:ended.
  - apply (guarantee_over G false _ v _ ended). apply Z.leb_le, played.
  - destruct (play_out _ _ _ _ _ _ _ _) as [s|] eqn:found; [|discriminate].
    exact (snd (play_out_right G fair_game same code _ _ _ _ (le_n _) _ _ _ (start_good _) ended found)).
Defined.

Lemma others_by_strategy_right p c named marks m : terminal G p = None -> others_by_strategy p c named marks = true ->
  In m (moves G p) -> is_one_of named m = false -> guarantee G true (play G p m) (target c + reward G p m).
Proof.
  intros on. unfold others_by_strategy. destruct (draw Q p marks) as [d|]; [|discriminate]. intros all is_move other.
  apply (weaker _ _ (needed c + reward G p m)); [unfold needed; lia|].
  destruct named as [|first named].
  - destruct (play_out _ _ _ _ _ _ _ _) as [s|] eqn:found; [|discriminate].
    destruct (snd (play_out_right G fair_game same code _ _ _ _ (le_n _) _ _ _ (start_good _) on found)) as [plan good].
    exists (after plan m). replace (needed c + reward G p m) with (needed c - signed false (reward G p m)) by (cbn; lia).
    apply (guarantees_after G plan false p (needed c) m good on is_move). discriminate.
  - destruct (play_some _ _ _ _ _ _ _ _ _) as [s|] eqn:found; [|discriminate].
    apply (play_some_right G fair_game same code _ _ _ _ _ _ _ (start_good _) found).
    apply filter_In. rewrite other. auto.
Defined.
End Claims_by_strategy.
