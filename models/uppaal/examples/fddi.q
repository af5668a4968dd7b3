A[] (sum (i : id_t) holds[i]) <= 1
A[] S(0).second imply S(0).y <= TTRT + 2 * SA
E<> S(0).second and S(0).y == 160
E<> S(0).second_sync
A[] not deadlock
