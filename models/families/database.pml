/* Managers of a database with N copies: whoever changes its copy tells all others and waits until all have answered.
 * Finding out that nobody changes anything, and saying that one does, should be one step; here they are two, so that
 * two change it at once, and wait for each other forever.
 */
#ifndef N
#define N 4
#endif

bool busy;
byte writer = 255;
bool asked[N];
byte answers;

proctype manager(byte me) {
    do
    :: !busy ->
       busy = 1;
       atomic { writer == 255 -> writer = me; answers = 0 };
       atomic { d_step {
            asked[0] = 1;
            asked[1] = 1;
#if N > 2
            asked[2] = 1;
#endif
#if N > 3
            asked[3] = 1;
#endif
#if N > 4
            asked[4] = 1;
#endif
#if N > 5
            asked[5] = 1;
#endif
#if N > 6
            asked[6] = 1;
#endif
#if N > 7
            asked[7] = 1;
#endif
            asked[me] = 0 } };
       atomic { answers == N - 1 -> writer = 255; busy = 0 }
    :: atomic { asked[me] -> asked[me] = 0; answers++ }
    od
}

init {
    byte i;
    atomic {
        do
        :: i < N -> run manager(i); i++
        :: else -> break
        od
    }
}
