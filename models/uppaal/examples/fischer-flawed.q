A[] forall (i : id_t) forall (j : id_t) P(i).critical and P(j).critical imply i == j
E<> P(1).critical and P(2).critical and P(3).critical
