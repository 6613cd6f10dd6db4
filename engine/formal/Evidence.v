(** Evidence that needs no records: small searches and lines (docs/fact-model.md, "Search" and "Line"), strategies and
    threat trees. *)
From Proofbase Require Export Threats.

Section Evidence.
Context (G : game) (fair_game : fair G).
Notation position := (position G).
Context (limit : position -> Z) (limit_right : forall own p, guarantee G own p (- limit p)).

(** ** Small searches

    A child is entered with what its end is worth. *)
Definition opened (p : position) (m : N) : position * option Z := let q := play G p m in (q, terminal G q).

(** The moves in the order of a search, some with their children: a search to limits begins with those that end the game. *)
Definition tries (to_limits : bool) (p : position) : list (N * option (position * option Z)) :=
  if to_limits
  then let (over, others) := partition (fun c => match snd c with Some (_, Some _) => true | _ => false end)
                               (map (fun m => (m, Some (opened p m))) (moves G p)) in over ++ others
  else map (fun m => (m, None)) (moves G p).

Definition child_of (p : position) (c : N * option (position * option Z)) : position * option Z :=
  match snd c with Some child => child | None => opened p (fst c) end.

(** Whether our side gets [t], where the limit tells. *)
Definition by_limit (p : position) (t : Z) : option bool :=
  if t <=? - limit p then Some true else if limit p <? t then Some false else None.

(** Whether our side gets the target [t] at [p] within [depth] plies, and how many of the visits are left.
    [None]: there were not enough. [ended] is [terminal G p]; [own] is false for "holds", true for "reach". *)
Fixpoint search (to_limits : bool) (depth : nat) (visits : N) (own : bool) (p : position) (ended : option Z) (t : Z)
  : option (bool * N) :=
  match visits with
  | 0%N => None
  | _ =>
    let visits := N.pred visits in
    match ended with
    | Some v => Some (t <=? signed own v, visits)
    | None =>
      match (if to_limits then by_limit p t else None) with
      | Some good => Some (good, visits)
      | None =>
        match depth with
        | O => Some (false, visits)
        | S depth =>
          (fix each (cs : list (N * option (position * option Z))) (visits : N) : option (bool * N) :=
             match cs with
             | [] => Some (negb own, visits)
             | c :: rest =>
               let (q, ended) := child_of p c in
               match search to_limits depth visits (negb own) q ended (t - signed own (reward G p (fst c))) with
               | None => None
               | Some (good, visits) => if Bool.eqb good own then Some (good, visits) else each rest visits
               end
             end) (tries to_limits p) visits
        end
      end
    end
  end.

Lemma tries_are_moves to_limits p m : In m (map fst (tries to_limits p)) <-> In m (moves G p).
Proof.
  unfold tries. destruct to_limits; [|rewrite map_map, map_id; reflexivity].
  destruct (partition _ _) as [over others] eqn:both. assert (all := elements_in_partition _ _ both).
  rewrite in_map_iff. split.
  - intros (c & <- & member). apply in_app_iff, all, in_map_iff in member. destruct member as (m' & <- & is_move). exact is_move.
  - intros is_move. exists (m, Some (opened p m)). split; [reflexivity|]. apply in_app_iff, all, in_map_iff. eauto.
Qed.

Lemma tries_children to_limits p c : In c (tries to_limits p) -> child_of p c = opened p (fst c).
Proof.
  unfold tries. destruct to_limits.
  - destruct (partition _ _) as [over others] eqn:both. intros member.
    apply in_app_iff, (elements_in_partition _ _ both), in_map_iff in member. destruct member as (m & <- & _). reflexivity.
  - intros member. apply in_map_iff in member. destruct member as (m & <- & _). reflexivity.
Qed.

Lemma by_limit_right own p t : by_limit p t = Some true -> guarantee G own p t.
Proof.
  unfold by_limit. destruct (t <=? - limit p) eqn:enough; [|destruct (limit p <? t); discriminate].
  apply Z.leb_le in enough. intros _. exact (weaker G own p _ t enough (limit_right own p)).
Defined.

Lemma search_right to_limits depth : forall visits own p t visits',
  search to_limits depth visits own p (terminal G p) t = Some (true, visits') -> guarantee G own p t.
Proof.
  assert (early : forall own p t good (visits visits' : N), (if to_limits then by_limit p t else None) = Some good ->
      Some (good, visits) = Some (true, visits') -> guarantee G own p t).
  { intros own p t good visits visits' told same. destruct to_limits; [|discriminate]. apply by_limit_right. congruence. }
  induction depth as [|depth IH]; intros visits own p t visits' found; cbn [search] in found;
    (destruct visits as [|some]; [discriminate|]); (destruct (terminal G p) as [v|] eqn:ended;
      [apply (guarantee_over G own p v t ended); apply Z.leb_le; congruence|]);
    (destruct (if to_limits then by_limit p t else None) as [good|] eqn:told; [exact (early _ _ _ _ _ _ told found)|]).
  - discriminate.
  - assert (all := tries_are_moves to_limits p). assert (right := tries_children to_limits p).
    revert found all right. generalize (tries to_limits p) (N.pred (N.pos some)). intros cs. destruct own.
    + intros visits found all right. assert (sub : incl (map fst cs) (moves G p)) by (intros m; apply all). clear all.
      revert sub right visits found. induction cs as [|c rest IHcs]; intros sub right visits found; [discriminate|].
      rewrite (right c (or_introl eq_refl)) in found. cbn [opened] in found.
      destruct (search to_limits depth visits _ _ _ _) as [[good l]|] eqn:child; [|discriminate]. destruct good; cbn in found.
      * apply (guarantee_by_move G fair_game p (fst c) t ended); [apply sub; left; reflexivity|]. exact (IH _ _ _ _ _ child).
      * apply (IHcs (fun x i => sub x (or_intror i)) (fun x i => right x (or_intror i)) l). exact found.
    + intros visits found all right. apply (guarantee_by_moves G fair_game p t ended).
      intros m' is_move. apply all in is_move. clear all. revert right visits found m' is_move.
      induction cs as [|c rest IHcs]; intros right visits found m' is_move; [destruct is_move|].
      rewrite (right c (or_introl eq_refl)) in found. cbn [opened] in found.
      destruct (search to_limits depth visits _ _ _ _) as [[good l]|] eqn:child; [|discriminate].
      destruct good; cbn in found; [|discriminate].
      destruct (N.eq_dec m' (fst c)) as [->|other].
      * replace (t + reward G p (fst c)) with (t - signed false (reward G p (fst c))) by (cbn; lia). exact (IH _ _ _ _ _ child).
      * apply (IHcs (fun x i => right x (or_intror i)) l found). destruct is_move; [congruence|assumption].
Defined.

(** A small search from [p]. It needs no more depth than visits. *)
Definition finds (to_limits : bool) (depth visits : N) (p : position) (t : Z) : bool :=
  match search to_limits (N.to_nat (N.min depth visits)) visits false p (terminal G p) t with
  | Some (good, _) => good
  | None => false
  end.

Lemma finds_right to_limits depth visits p t : finds to_limits depth visits p t = true -> guarantee G false p t.
Proof.
  unfold finds. destruct (search _ _ _ _ _ _ _) as [[good l]|] eqn:searched; [|discriminate].
  intros found. subst good. exact (search_right _ _ _ _ _ _ _ searched).
Defined.

(** ** Lines *)

(** One move ends the game with at least [t]. *)
Definition ends_at_once (p : position) (t : Z) : bool :=
  existsb (fun m => match terminal G (play G p m) with Some v => t - reward G p m <=? - v | None => false end) (moves G p).

(** The reply [r] loses at once, or to one move. *)
Definition loses_at_once (p : position) (t : Z) (r : N) : bool :=
  let t := t + reward G p r in
  match terminal G (play G p r) with Some v => t <=? v | None => ends_at_once (play G p r) t end.

(** The line [m1, r1, m2, ...] of the side to move gets it the target [t], against every reply. *)
Fixpoint reaches (line : list N) (p : position) (t : Z) : bool :=
  match line with
  | [] => false
  | m :: rest =>
    match terminal G p with Some _ => false | None =>
      let child := play G p m in
      let t := t - reward G p m in
      existsb (N.eqb m) (moves G p)
      && match rest with
         | [] => match terminal G child with Some v => t <=? - v | None => false end
         | r :: rest =>
           match terminal G child with Some _ => false | None =>
             existsb (N.eqb r) (moves G child)
             && forallb (fun other => N.eqb other r || loses_at_once child t other) (moves G child)
             && reaches rest (play G child r) (t + reward G child r)
           end
         end
    end
  end.

Lemma is_in m ms : existsb (N.eqb m) ms = true -> In m ms.
Proof. intros some. apply existsb_exists in some. destruct some as (x & ? & same). apply N.eqb_eq in same. congruence. Qed.

Lemma ends_at_once_right p t : terminal G p = None -> ends_at_once p t = true -> guarantee G true p t.
Proof.
  intros on. unfold ends_at_once. assert (sub : incl (moves G p) (moves G p)) by apply incl_refl. revert sub.
  generalize (moves G p) at 1 3. induction l as [|m rest IH]; cbn; intros sub some; [discriminate|].
  destruct (match terminal G (play G p m) with Some v => t - reward G p m <=? - v | None => false end) eqn:this.
  - destruct (terminal G (play G p m)) as [v|] eqn:ended; [|discriminate]. apply Z.leb_le in this.
    apply (guarantee_by_move G fair_game p m t on); [apply sub; left; reflexivity|].
    apply (guarantee_over G false _ v _ ended). exact this.
  - apply IH; [intros x i; apply sub; right; exact i|exact some].
Defined.

Lemma loses_at_once_right p t r : loses_at_once p t r = true -> guarantee G true (play G p r) (t + reward G p r).
Proof.
  unfold loses_at_once. destruct (terminal G (play G p r)) as [v|] eqn:ended; intros some.
  - apply (guarantee_over G true _ v _ ended). apply Z.leb_le, some.
  - apply ends_at_once_right; assumption.
Defined.

(** After the first move of a line that reaches [t], the rest is guaranteed. *)
Lemma reaches_after size : forall m rest p t, (length rest <= size)%nat -> reaches (m :: rest) p t = true ->
  guarantee G false (play G p m) (t - reward G p m).
Proof.
  induction size as [|size IH]; intros m [|r rest] p t short; cbn [reaches]; try (cbn in short; lia).
  - destruct (terminal G p); [discriminate|]. intros both. apply andb_prop in both. destruct both as [_ next].
    destruct (terminal G (play G p m)) as [v|] eqn:ended; [|discriminate]. apply Z.leb_le in next.
    exact (guarantee_over G false _ v _ ended next).
  - destruct (terminal G p); [discriminate|]. intros both. apply andb_prop in both. destruct both as [_ next].
    destruct (terminal G (play G p m)) as [v|] eqn:ended; [|discriminate]. apply Z.leb_le in next.
    exact (guarantee_over G false _ v _ ended next).
  - destruct (terminal G p); [discriminate|]. intros both. apply andb_prop in both. destruct both as [_ next].
    destruct (terminal G (play G p m)) eqn:on'; [discriminate|].
    apply andb_prop in next. destruct next as [next last]. apply andb_prop in next. destruct next as [_ others].
    apply (guarantee_by_moves G fair_game _ _ on'). intros other is_reply.
    destruct (N.eq_dec other r) as [->|different].
    + destruct rest as [|m' rest]; [discriminate|].
      destruct (terminal G (play G (play G p m) r)) eqn:on''; [cbn [reaches] in last; rewrite on'' in last; discriminate|].
      apply (guarantee_by_move G fair_game _ m' _ on'').
      * cbn [reaches] in last. rewrite on'' in last. apply andb_prop in last. apply is_in, last.
      * apply (IH m' rest); [cbn in short; lia|exact last].
    + rewrite forallb_forall in others. specialize (others other is_reply).
      apply loses_at_once_right. destruct (N.eqb_spec other r); [contradiction|exact others].
Defined.

Lemma reaches_right line p t : reaches line p t = true -> guarantee G true p t.
Proof.
  destruct line as [|m rest]; [discriminate|]. intros reached.
  destruct (terminal G p) eqn:on; [cbn [reaches] in reached; rewrite on in reached; discriminate|].
  apply (guarantee_by_move G fair_game p m t on); [|exact (reaches_after (length rest) m rest p t (le_n _) reached)].
  cbn [reaches] in reached. rewrite on in reached. apply andb_prop in reached. apply is_in, reached.
Defined.

(** ** What a checker knows without records *)
Context (tables : position -> claim -> bool).
Context (Q : squares G) (same : forall p q : position, {p = q} + {p <> q}) (code : position -> positive).
Context (T : threat_rules G).

Definition same_move_first (c : claim) (line : list N) : bool :=
  match line with m :: _ => N.eqb m (witness c) | [] => false end.

Definition search_settles (p : position) (c : claim) (to_limits : bool) (nodes : N) : bool :=
  (0 <? rank c)%N
  && (if lower c
      then existsb (N.eqb (witness c)) (moves G p)
           && finds to_limits (N.pred (rank c)) nodes (play G p (witness c)) (target c - reward G p (witness c))
      else finds to_limits (rank c) nodes p (target c)).

Definition settles_alone (p : position) (c : claim) : bool :=
  match rests_on c with
  | Children => false
  | Table => tables p c
  | Search to_limits nodes => search_settles p c to_limits nodes
  | Line [line] => lower c && same_move_first c line && (N.of_nat (length line) =? rank c)%N && reaches line p (target c)
  | Line _ => false
  | Strategy _ marks => lower c && lower_by_strategy G Q same code p c marks
  | Threats named trees =>
      if lower c then lower_by_threats G T p c trees
      else match named with [] => others_by_threats G T p c [] trees | _ => false end
  end.

(** Of an upper claim: one of its lines answers the move, or its strategy. *)
Definition answers (p : position) (c : claim) (m : N) : bool :=
  match rests_on c with
  | Line lines => negb (lower c) &&
      existsb (fun line => (N.of_nat (length line) <? rank c)%N
                           && reaches line (play G p m) (target c + reward G p m)) lines
  | Strategy named marks => negb (lower c) && negb (is_one_of named m) && others_by_strategy G Q same code p c named marks
  | Threats named trees => negb (lower c) && negb (is_one_of named m) && others_by_threats G T p c named trees
  | _ => false
  end.

Definition evidence_leaves : leaves G := Leaves G limit settles_alone answers.

Hypothesis tables_right : forall p c, tables p c = true -> guarantee G false (from_witness G p c) (owed G p c).

Lemma settles_alone_right p c : terminal G p = None -> settles_alone p c = true -> guarantee G false (from_witness G p c) (owed G p c).
Proof.
  intros on. unfold settles_alone, from_witness, owed.
  destruct (rests_on c) as [| |lines|to_limits nodes|named marks|named trees]; [discriminate|apply tables_right| | | |].
  - destruct lines as [|line [|]]; try discriminate. intros all. apply andb_prop in all. destruct all as [all reached].
    apply andb_prop in all. destruct all as [all _]. apply andb_prop in all. destruct all as [side begins]. rewrite side.
    destruct line as [|m rest]; [discriminate|]. cbn in begins. apply N.eqb_eq in begins. subst m.
    exact (reaches_after (length rest) _ rest p _ (le_n _) reached).
  - unfold search_settles. intros all. apply andb_prop in all. destruct all as [_ all].
    destruct (lower c).
    + apply andb_prop in all. destruct all as [_ found]. exact (finds_right _ _ _ _ _ found).
    + exact (finds_right _ _ _ _ _ all).
  - intros both. apply andb_prop in both. destruct both as [side played]. rewrite side. cbn [signed] in *.
    exact (lower_by_strategy_right G fair_game Q same code p c marks side played).
  - destruct (lower c) eqn:side.
    + intros found. exact (lower_by_threats_right G T p c trees on side found).
    + destruct named; [|discriminate]. intros found. apply (guarantee_by_moves G fair_game p _ on). intros m is_move.
      exact (others_by_threats_right G T p c [] trees m found is_move eq_refl).
Defined.

Lemma answers_right p c m : terminal G p = None -> In m (moves G p) -> answers p c m = true ->
  guarantee G (negb (lower c)) (play G p m) (target c - signed (lower c) (reward G p m)).
Proof.
  intros on is_move. unfold answers. destruct (rests_on c) as [| |lines| |named marks|named trees]; try discriminate; intros all;
    apply andb_prop in all; destruct all as [side some]; (destruct (lower c) eqn:upper; [discriminate|]); cbn [negb signed].
  2, 3: destruct (is_one_of named m) eqn:others; [discriminate|];
    replace (target c - - reward G p m) with (target c + reward G p m) by lia.
  2: exact (others_by_strategy_right G fair_game Q same code p c named marks m on some is_move others).
  2: exact (others_by_threats_right G T p c named trees m some is_move others).
  induction lines as [|line rest IH]; cbn in some; [discriminate|].
  destruct ((N.of_nat (length line) <? rank c)%N && reaches line (play G p m) (target c + reward G p m)) eqn:this; [|exact (IH some)].
  apply andb_prop in this. destruct this as [_ reached].
  replace (target c - - reward G p m) with (target c + reward G p m) by lia.
  exact (reaches_right line _ _ reached).
Defined.
End Evidence.
