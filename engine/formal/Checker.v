(** The checker: a function from a certificate to yes or no, and the proof that "yes" is right. *)
From Proofbase Require Export Evidence Merging Cycles.
From Coq Require Import FMapPositive PArith.

(** A game with what the checker needs of it. Records stand under the [canonical] position; [code] is for looking them
    up fast, and nothing rests on it. *)
Record ruleset := Ruleset {
  rules : game;
  rules_fair : fair rules;
  canonical : position rules -> position rules;
  same_position : forall p q : position rules, {p = q} + {p <> q};
  canonical_terminal : forall p q, canonical p = canonical q -> terminal rules p = terminal rules q;
  canonical_repetition : forall p q, canonical p = canonical q -> repetition rules p = repetition rules q;
  canonical_moves : forall p q m, canonical p = canonical q -> terminal rules p = None -> In m (moves rules p) ->
    exists m', In m' (moves rules q) /\ reward rules q m' = reward rules p m
               /\ canonical (play rules q m') = canonical (play rules p m);
  code : position rules -> positive;
  limits : position rules -> Z;
  limits_right : forall own p, guarantee rules own p (- limits p);
  canonical_limits : forall p q, canonical p = canonical q -> limits p = limits q;
  diagrams : squares rules;
  threats : threat_rules rules
}.

Definition keys (X : ruleset) : keyed (rules X) :=
  Keyed (rules X) (position (rules X)) (canonical X) (fun p q => same_position X (canonical X p) (canonical X q))
    (canonical_terminal X) (canonical_repetition X) (canonical_moves X).

Section Checker.
Context (X : ruleset).
Notation G := (rules X).
Notation place := (position G).

(** A certificate: canonical positions, and the claims about each. *)
Definition certificate := list (place * list claim).

(** Which claims by tables are accepted without a check. *)
Context (tables : place -> claim -> bool).

(** The entries of each code. *)
Definition index := PositiveMap.t (list (place * list claim)).

Definition entries (i : index) (k : positive) : list (place * list claim) :=
  match PositiveMap.find k i with Some found => found | None => [] end.

Definition add_entry (i : index) (entry : place * list claim) : index :=
  let k := code X (fst entry) in PositiveMap.add k (entry :: entries i k) i.

Definition index_of (records : certificate) : index := fold_left add_entry records (PositiveMap.empty _).

Fixpoint entry_of (p : place) (l : list (place * list claim)) : list claim :=
  match l with
  | [] => []
  | (q, claims) :: rest => if same_position X q p then claims else entry_of p rest
  end.

Definition look_up (i : index) (p : place) : list claim := entry_of p (entries i (code X p)).

Definition records_of (i : index) : records G (keys X) := Records G (keys X) (look_up i) (fun k => k).

Definition leaves_of : leaves G := evidence_leaves G (limits X) tables (diagrams X) (same_position X) (code X) (threats X).

(** Of an upper claim that names replies: the [others] are settled together. *)
Definition passes_but_named (i : index) (p : place) (c : claim) (named : list N) (others : bool) : bool :=
  let falls := (0 <? rank c)%N in
  (if safety G p c then negb falls else falls)
  && forallb (is_one_of (moves G p)) named
  && others
  && forallb (child_check G (keys X) leaves_of (records_of i) p c) named.

Definition check_claim (i : index) (p : place) (c : claim) : bool :=
  if stands_alone c then passes G (keys X) leaves_of (records_of i) p c
  else match rests_on c with
       | Strategy named marks =>
           passes_but_named i p c named
             (others_by_strategy G (diagrams X) (same_position X) (code X) p c named marks)
       | Threats named trees => passes_but_named i p c named (others_by_threats G (threats X) p c named trees)
       | _ => passes G (keys X) leaves_of (records_of i) p c
       end.

Definition check_record (i : index) (entry : place * list claim) : bool :=
  let (p, claims) := entry in
  (if same_position X (canonical X p) p then true else false)
  && match terminal G p with None => true | Some _ => false end
  && forallb (check_claim i p) claims.

(** The check of a whole certificate. *)
Definition check (records : certificate) : bool := let i := index_of records in forallb (check_record i) records.

(** What the check rests on, and nothing else: that the accepted claims by tables are true, of lower ones the witness. *)
Definition tables_are_right : Type :=
  forall p c, tables p c = true -> guarantee G false (from_witness G p c) (owed G p c).

Lemma index_has_records records k entry : In entry (entries (index_of records) k) -> In entry records.
Proof.
  unfold index_of. assert (general : forall l i, In entry (entries (fold_left add_entry l i) k) ->
      In entry (entries i k) \/ In entry l).
  { induction l as [|e l IH]; cbn [fold_left]; [auto|]. intros i found. destruct (IH _ found) as [old|]; [|right; right; assumption].
    unfold add_entry, entries in old. destruct (Pos.eq_dec k (code X (fst e))) as [->|other].
    - rewrite PositiveMap.gss in old. destruct old as [<-|old]; [right; left; reflexivity|left; exact old].
    - rewrite PositiveMap.gso in old by assumption. left. exact old. }
  intros found. destruct (general _ _ found) as [none|]; [|assumption].
  unfold entries in none. rewrite PositiveMap.gempty in none. destruct none.
Qed.

Lemma entry_of_in p l c : In c (entry_of p l) -> exists claims, In (p, claims) l /\ In c claims.
Proof.
  induction l as [|[q claims] l IH]; cbn [entry_of]; [intros []|]. destruct (same_position X q p) as [->|].
  - intros member. exists claims. split; [left; reflexivity|exact member].
  - intros member. destruct (IH member) as (found & there & inside). exists found. split; [right; exact there|exact inside].
Qed.

Lemma evidence_is_right : tables_are_right -> leaves_right G (keys X) leaves_of.
Proof.
  intros right. split.
  - exact (limits_right X).
  - exact (canonical_limits X).
  - intros p c on. apply settles_alone_right; [apply rules_fair|exact (limits_right X)|exact right|exact on].
  - intros p c m. apply answers_right, rules_fair.
Defined.

Lemma passes_but_named_passes i p c named others : tables_are_right -> terminal G p = None -> lower c = false ->
  stands_alone c = false ->
  (others = true -> forall m, is_one_of named m = false -> settles_child leaves_of p c m = true) ->
  passes_but_named i p c named others = true -> passes G (keys X) leaves_of (records_of i) p c = true.
Proof.
  intros right on upper alone settled. unfold passes_but_named. rewrite !andb_true_iff. intros [[[falls _] all] children].
  unfold passes, legal_witness. rewrite alone, upper. cbn [negb orb].
  rewrite !andb_true_iff. split; [split; [|reflexivity]|].
  - destruct (safety G p c); [|reflexivity]. cbn [negb orb]. destruct (rank c); [reflexivity|discriminate].
  - rewrite forallb_forall in *. intros m is_move. destruct (is_one_of named m) eqn:is_named.
    + apply children. unfold is_one_of in is_named. apply existsb_exists in is_named.
      destruct is_named as (n & member & equal). apply N.eqb_eq in equal. congruence.
    + assert (this := settled all m is_named).
      assert (g := settles_child_right (evidence_is_right right) p c m on is_move this). rewrite upper in g.
      assert (by_rank : safety G p c || (0 <? rank c)%N = true) by (destruct (safety G p c); [reflexivity|exact falls]).
      unfold child_check. rewrite upper. cbn [negb signed] in *.
      destruct (terminal G (play G p m)) as [v|] eqn:ended; rewrite by_rank, andb_true_r.
      * destruct g as [s good]. assert (enough := when_over _ _ _ _ _ good [] v I I ended).
        cbn [scored turn_after signed] in enough. apply Z.leb_le. lia.
      * rewrite this, !orb_true_r. reflexivity.
Qed.

Lemma checked_claim_passes i p c : tables_are_right -> terminal G p = None -> check_claim i p c = true ->
  passes G (keys X) leaves_of (records_of i) p c = true.
Proof.
  intros right on. unfold check_claim. destruct (stands_alone c) eqn:alone; [auto|].
  destruct (rests_on c) as [| | | |named marks|named trees] eqn:rests; auto.
  all: assert (upper : lower c = false) by
    (unfold stands_alone in alone; rewrite rests in alone; destruct (lower c); [discriminate|reflexivity]).
  all: apply passes_but_named_passes; auto; intros all m other.
  all: cbn [settles_child leaves_of evidence_leaves]; unfold answers; rewrite rests, upper, other; exact all.
Qed.

Lemma checked_is_valid records : tables_are_right -> check records = true ->
  valid G (keys X) leaves_of (records_of (index_of records)).
Proof.
  intros right checked k c member. cbn [claims_of records_of look_up Claims.place key keys] in *. unfold look_up in member.
  apply entry_of_in in member. destruct member as (claims & found & member).
  apply index_has_records in found. unfold check in checked. rewrite forallb_forall in checked.
  specialize (checked _ found). unfold check_record in checked.
  apply andb_prop in checked. destruct checked as [checked all]. apply andb_prop in checked. destruct checked as [same on].
  destruct (same_position X (canonical X k) k); [|discriminate].
  destruct (terminal G k) eqn:goes_on; [discriminate|]. rewrite forallb_forall in all. split; [assumption|]. split; [reflexivity|].
  apply checked_claim_passes; [exact right|exact goes_on|exact (all c member)].
Qed.

(** ** The theorem about the checker *)
Theorem checked_claims_are_true records p c : tables_are_right -> check records = true ->
  In c (look_up (index_of records) (canonical X p)) -> true_claim G p c.
Proof.
  intros right checked member.
  exact (every_claim_is_true G (rules_fair X) (keys X) _ (evidence_is_right right) _ (checked_is_valid records right checked) p c member).
Qed.

(** The strongest bounds that a certificate claims of a position. *)
Definition best (side : bool) (claims : list claim) : option Z :=
  fold_left (fun found c =>
    if Bool.eqb (lower c) side
    then match found with
         | Some b => Some (if side then Z.max b (bound c) else Z.min b (bound c))
         | None => Some (bound c)
         end
    else found) claims None.

(** What is proved of a position: [None] if the certificate fails, else the bounds that it claims of it. *)
Definition proved (records : certificate) (p : place) : option (option Z * option Z) :=
  let i := index_of records in
  if forallb (check_record i) records
  then match terminal G p with
       | Some v => Some (Some v, Some v)
       | None => let claims := look_up i (canonical X p) in Some (best true claims, best false claims)
       end
  else None.

Lemma best_is_a_claim side claims b : best side claims = Some b ->
  exists c, In c claims /\ lower c = side /\ bound c = b.
Proof.
  unfold best. assert (general : forall l found, fold_left (fun found c =>
      if Bool.eqb (lower c) side
      then match found with
           | Some b => Some (if side then Z.max b (bound c) else Z.min b (bound c))
           | None => Some (bound c)
           end
      else found) l found = Some b -> found = Some b \/ exists c, In c l /\ lower c = side /\ bound c = b).
  { induction l as [|c l IH]; cbn; [auto|]. intros found same. destruct (IH _ same) as [a|(d & ? & ?)]; [|eauto 6].
    destruct (Bool.eqb (lower c) side) eqn:this; [|auto]. apply eqb_prop in this.
    destruct found as [f|]; [|right; exists c; repeat split; [auto|auto|congruence]].
    destruct (Z.eq_dec b (bound c)) as [->|other]; [right; exists c; auto|left].
    injection a as a. f_equal. destruct side; lia. }
  intros same. destruct (general _ _ same) as [|]; [discriminate|assumption].
Qed.

Theorem what_is_proved_is_true records p l u : tables_are_right -> proved records p = Some (l, u) ->
  (forall b, l = Some b -> at_least G p b) /\ (forall b, u = Some b -> at_most G p b).
Proof.
  intros right. unfold proved. destruct (forallb _ records) eqn:checked; [|discriminate].
  destruct (terminal G p) as [v|] eqn:ended.
  - intros same. injection same as <- <-. split; intros b same; injection same as <-.
    + destruct (guarantee_over G true p v v ended (Z.le_refl _)) as [s good]. exists s. exact good.
    + destruct (guarantee_over G false p v (- v) ended (Z.le_refl _)) as [s good]. exists s. exact good.
  - intros same. injection same as <- <-. split; intros b some.
    + destruct (best_is_a_claim _ _ _ some) as (c & member & side & <-).
      destruct (checked_claims_are_true records p c right checked member) as [s good].
      exists s. unfold target in good. rewrite side in good. exact good.
    + destruct (best_is_a_claim _ _ _ some) as (c & member & side & <-).
      destruct (checked_claims_are_true records p c right checked member) as [s good].
      exists s. unfold target in good. rewrite side in good. exact good.
Qed.
End Checker.
Arguments check X tables records : clear implicits.

(** Without tables nothing is assumed. *)
Definition no_tables {X : ruleset} : position (rules X) -> claim -> bool := fun _ _ => false.

Lemma no_tables_are_right {X : ruleset} : tables_are_right X no_tables.
Proof. intros p c. discriminate. Defined.

(** The value is known when the bounds meet. *)
Definition has_value (G : game) (p : position G) (v : Z) : Prop := at_least G p v /\ at_most G p v.

Corollary proved_value (X : ruleset) records p v : proved X no_tables records p = Some (Some v, Some v) ->
  has_value (rules X) p v.
Proof.
  intros same. destruct (what_is_proved_is_true X no_tables records p _ _ no_tables_are_right same) as [a b]. split; auto.
Qed.

Corollary proved_at_least (X : ruleset) records p v u : proved X no_tables records p = Some (Some v, u) ->
  at_least (rules X) p v.
Proof. intros same. apply (what_is_proved_is_true X no_tables records p _ _ no_tables_are_right same). reflexivity. Qed.

Corollary proved_at_most (X : ruleset) records p v l : proved X no_tables records p = Some (l, Some v) ->
  at_most (rules X) p v.
Proof. intros same. apply (what_is_proved_is_true X no_tables records p _ _ no_tables_are_right same). reflexivity. Qed.
