/* Dining philosophers who all take the fork on their left first: they can starve each other.
 * With N of them the shortest way there is N steps; everybody takes one fork.
 *
 * A ring: whatever can happen to one can happen to the next.
 */
#ifndef N
#define N 6
#endif

bit taken[N];

active [N] proctype philosopher() {
    do
    :: atomic { !taken[_pid] -> taken[_pid] = 1 };
       atomic { !taken[(_pid + 1) % N] -> taken[(_pid + 1) % N] = 1 };
       taken[(_pid + 1) % N] = 0;
       taken[_pid] = 0
    od
}
