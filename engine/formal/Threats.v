(** Evidence by threat trees, against all legal replies (docs/zones.md, "Claims by threats"). *)
From Proofbase Require Export Strategies.

(** How trees win in a game of threats; [wins_by] with the attacker to move, [wins_after] by the move [m] of the tree.
    Where the game does not offer threats, no claim rests on them. *)
Record threat_rules (G : game) := Threat_rules {
  offers_threats : bool;
  wins_by : tree -> position G -> bool;
  wins_by_right : forall t p, terminal G p = None -> wins_by t p = true -> guarantee G true p 1;
  wins_after : N -> list (N * tree) -> position G -> bool;
  wins_after_right : forall m after p, terminal G p = None -> wins_after m after p = true ->
    guarantee G false (play G p m) 1
}.
Arguments offers_threats {G}. Arguments wins_by {G}. Arguments wins_by_right {G}. Arguments wins_after {G}. Arguments wins_after_right {G}.

Definition no_threats (G : game) : threat_rules G.
Proof. refine (Threat_rules G false (fun _ _ => false) _ (fun _ _ _ => false) _); discriminate. Defined.

(** The attacker has won within so many plies. *)
Fixpoint tree_plies (t : tree) : N :=
  match t with
  | Ends => 3
  | Attack _ after => 2 + fold_right N.max 3 (map (fun x => tree_plies (snd x)) after)
  end%N.

Section Claims_by_threats.
Context (G : game) (fair_game : fair G) (T : threat_rules G).

(** A win is worth 1, and comes when no square is left at the latest. *)
Definition quick_enough (p : position G) (c : claim) (plies : N) : bool :=
  (N.min plies (N.of_nat (length (moves G p))) <=? rank c)%N && (Z.abs (bound c) <=? 1).

Definition lower_by_threats (p : position G) (c : claim) (trees : list (option N * tree)) : bool :=
  match trees with
  | [(None, Attack m after)] =>
      (m =? witness c)%N && quick_enough p c (tree_plies (Attack m after)) && (reward G p m =? 0) && wins_after T m after p
  | _ => false
  end.

(** Every reply but the named ones is answered by one of the trees. *)
Definition others_by_threats (p : position G) (c : claim) (named : list N) (trees : list (option N * tree)) : bool :=
  let legal := forallb (fun x => match fst x with Some r => is_one_of (moves G p) r | None => true end) trees in
  let usable := filter (fun x : option N * tree => quick_enough p c (1 + tree_plies (snd x))) trees in
  offers_threats T && (Z.abs (bound c) <=? 1) && legal && forallb (fun m =>
    if is_one_of named m then true else
    if negb (reward G p m =? 0) then false else
    let child := play G p m in
    match terminal G child with
    | Some v => target c <=? v
    | None => match find (fun x => wins_by T (snd x) child) usable with Some _ => true | None => false end
    end) (moves G p).

Lemma lower_by_threats_right p c trees : terminal G p = None -> lower c = true -> lower_by_threats p c trees = true ->
  guarantee G false (play G p (witness c)) (target c - reward G p (witness c)).
Proof.
  intros on side. unfold lower_by_threats, quick_enough. destruct trees as [|[[r|] [|m after]] [|]]; try discriminate.
  intros all. apply andb_prop in all. destruct all as [all wins]. apply andb_prop in all. destruct all as [all nothing].
  apply andb_prop in all. destruct all as [same small]. apply andb_prop in small. destruct small as [_ small].
  apply N.eqb_eq in same. subst m. apply Z.eqb_eq in nothing. apply Z.leb_le in small.
  rewrite nothing. apply (weaker G _ _ 1); [unfold target; rewrite side; cbn; lia|].
  exact (wins_after_right T _ _ _ on wins).
Defined.

Lemma others_by_threats_right p c named trees m : others_by_threats p c named trees = true ->
  In m (moves G p) -> is_one_of named m = false -> guarantee G true (play G p m) (target c + reward G p m).
Proof.
  unfold others_by_threats. intros all is_move other. apply andb_prop in all. destruct all as [all each].
  apply andb_prop in all. destruct all as [all _]. apply andb_prop in all. destruct all as [_ small].
  apply Z.leb_le in small. rewrite forallb_forall in each.
  specialize (each m is_move). rewrite other in each.
  destruct (Z.eqb_spec (reward G p m) 0) as [->|]; [|discriminate]. cbn [negb] in each.
  assert (le : target c + 0 <= 1) by (unfold target; destruct (lower c); cbn; lia).
  destruct (terminal G (play G p m)) as [v|] eqn:ended.
  - apply (guarantee_over G true _ v _ ended). apply Z.leb_le in each. cbn. lia.
  - destruct (find _ _) as [[r t]|] eqn:found; [|discriminate]. apply find_some in found. destruct found as [_ wins].
    exact (weaker G _ _ 1 _ le (wins_by_right T t _ ended wins)).
Defined.
End Claims_by_threats.
