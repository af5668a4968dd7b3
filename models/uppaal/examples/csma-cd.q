A[] forall (i : id_t) forall (j : id_t) i != j and S(i).sends and S(j).sends imply S(i).x < 2 * SIGMA
E<> S(0).sends and S(1).sends
E<> S(0).sends and S(1).sends and S(2).sends
E<> S(0).sends and S(0).x >= 2 * SIGMA
E<> S(0).retries and S(1).retries
