(** Merging: the union of two valid closed sets is valid, also when dominated claims are dropped. *)
From Proofbase Require Export Soundness.

(** A claim dominates another one of the same side when its bound is at least as strong and its rank no larger. *)
Definition dominates (c d : claim) : bool :=
  Bool.eqb (lower c) (lower d) && (target d <=? target c) && (rank c <=? rank d)%N.

(** Unites claims. A claim is left out where another one dominates it. *)
Definition add_claim (cs : list claim) (c : claim) : list claim :=
  if existsb (fun d => dominates d c) cs then cs else c :: filter (fun d => negb (dominates c d)) cs.

Definition merge_claims (cs ds : list claim) : list claim := fold_left add_claim ds cs.

Lemma dominates_itself c : dominates c c = true.
Proof. unfold dominates. rewrite eqb_reflx, Z.leb_refl, N.leb_refl. reflexivity. Qed.

Lemma dominates_trans c d e : dominates c d = true -> dominates d e = true -> dominates c e = true.
Proof.
  unfold dominates. rewrite !andb_true_iff, !eqb_true_iff, !Z.leb_le, !N.leb_le. intros [[-> ?] ?] [[-> ?] ?]. repeat split; lia.
Qed.

Lemma add_claim_from cs c d : In d (add_claim cs c) -> In d cs \/ d = c.
Proof.
  unfold add_claim. destruct (existsb _ cs); [auto|]. intros [->|member]; [auto|]. left. apply filter_In in member. apply member.
Qed.

Lemma add_claim_keeps cs c d : In d cs \/ d = c -> exists e, In e (add_claim cs c) /\ dominates e d = true.
Proof.
  unfold add_claim. destruct (existsb _ cs) eqn:some.
  - intros [member| ->]; [exists d; auto using dominates_itself|]. apply existsb_exists in some. exact some.
  - intros [member| ->]; [|exists c; split; [left; reflexivity|apply dominates_itself]].
    destruct (dominates c d) eqn:dom; [exists c; split; [left; reflexivity|exact dom]|].
    exists d. split; [|apply dominates_itself]. right. apply filter_In. rewrite dom. auto.
Qed.

Lemma merge_from ds : forall cs d, In d (merge_claims cs ds) -> In d cs \/ In d ds.
Proof.
  induction ds as [|c ds IH]; cbn; [auto|]. intros cs d member.
  destruct (IH _ _ member) as [a|]; [|auto]. destruct (add_claim_from _ _ _ a); auto.
Qed.

Lemma merge_keeps ds : forall cs d, In d cs \/ In d ds -> exists e, In e (merge_claims cs ds) /\ dominates e d = true.
Proof.
  induction ds as [|c ds IH]; cbn.
  - intros cs d [member|[]]. exists d. auto using dominates_itself.
  - intros cs d [member|[<-|member]].
    + destruct (add_claim_keeps cs c d (or_introl member)) as (e & a & b).
      destruct (IH _ e (or_introl a)) as (f & x & y). exists f. eauto using dominates_trans.
    + destruct (add_claim_keeps cs c c (or_intror eq_refl)) as (e & a & b).
      destruct (IH _ e (or_introl a)) as (f & x & y). exists f. eauto using dominates_trans.
    + apply IH. auto.
Qed.

Section Merging.
Context (G : game) (fair_game : fair G) (K : keyed G) (L : leaves G).

Definition merge (R S : records G K) : records G K :=
  Records G K (fun k => merge_claims (claims_of R k) (claims_of S k)) (place R).

(** A claim may rest on stronger claims than before. *)
Lemma passes_with_more R S p c : (forall k d, In d (claims_of R k) -> exists e, In e (claims_of S k) /\ dominates e d = true) ->
  passes G K L R p c = true -> passes G K L S p c = true.
Proof.
  intros more. assert (child : forall m, child_check G K L R p c m = true -> child_check G K L S p c m = true).
  { intros m. unfold child_check. destruct (terminal G (play G p m)); [auto|]. rewrite !orb_true_iff.
    intros [known|leaf]; [left|auto]. apply existsb_exists in known. destruct known as (d & member & said).
    destruct (more _ _ member) as (e & member' & dom). apply existsb_exists. exists e. split; [assumption|].
    unfold says, dominates in *. rewrite !andb_true_iff, !orb_true_iff, !eqb_true_iff, !Z.leb_le, !N.ltb_lt, !N.leb_le in *.
    destruct said as [[side ?] ranks], dom as [[side' ?] ?]. repeat split; [congruence|lia|].
    destruct ranks; [auto|right; lia]. }
  unfold passes. rewrite !andb_true_iff. intros [a b]. split; [exact a|].
  destruct (stands_alone c); [exact b|]. destruct (lower c); [auto|]. rewrite forallb_forall in *. auto.
Qed.

Theorem union_of_valid_sets_is_valid R S : (forall k, place R k = place S k) ->
  valid G K L R -> valid G K L S -> valid G K L (merge R S).
Proof.
  intros places one two k c member. cbn [merge claims_of place] in *.
  destruct (merge_from _ _ _ member) as [from|from].
  - destruct (one k c from) as (a & b & d). repeat split; auto. apply (passes_with_more R); [|assumption].
    intros. cbn. apply merge_keeps. auto.
  - destruct (two k c from) as (a & b & d). rewrite places. repeat split; auto. apply (passes_with_more S); [|assumption].
    intros. cbn. apply merge_keeps. auto.
Qed.

(** [lower > upper] in a merge shows that one of the two sets is not valid. *)
Corollary contradiction_shows_a_false_set R S (leaves_are_right : leaves_right G K L) q c d : (forall k, place R k = place S k) ->
  In c (claims_of R (key K q)) -> In d (claims_of S (key K q)) -> lower c = true -> lower d = false ->
  bound d < bound c -> ~ (valid G K L R /\ valid G K L S).
Proof.
  intros _ member member' is_lower is_upper crossed [one two].
  assert (bound c <= bound d); [|lia]. apply (bounds_do_not_cross G fair_game q).
  - apply (lower_bounds_hold G fair_game K L leaves_are_right R one); assumption.
  - apply (upper_bounds_hold G fair_game K L leaves_are_right S two); assumption.
Qed.
End Merging.
