/* Peterson's mutual exclusion for N processes, with a wrong guard: one waits only while somebody is further on, not
 * also while somebody is as far as oneself. Two get in.
 */
#ifndef N
#define N 4
#endif

/* Ids are 1 to N; 0 is nobody. */
byte level[N + 1];
byte turn[N];
byte inside;

proctype user(byte me) {
    byte k;
    do
    :: k = 1;
       do
       :: k < N ->
          level[me] = k;
          turn[k] = me;
          /* others further on, or somebody else's turn */
          (turn[k] != me || (
#if N > 0
             (me == 1 || level[1] <= k)
#endif
#if N > 1
             && (me == 2 || level[2] <= k)
#endif
#if N > 2
             && (me == 3 || level[3] <= k)
#endif
#if N > 3
             && (me == 4 || level[4] <= k)
#endif
#if N > 4
             && (me == 5 || level[5] <= k)
#endif
#if N > 5
             && (me == 6 || level[6] <= k)
#endif
          ));
          k++
       :: else -> break
       od;
       inside++;
       assert(inside == 1);
       inside--;
       level[me] = 0
    od
}

init {
    byte i;
    atomic {
        do
        :: i < N -> i++; run user(i)
        :: else -> break
        od
    }
}
