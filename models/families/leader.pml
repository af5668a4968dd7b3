/* Election of a leader in a ring: everybody sends a number round, and passes on only greater ones than its own; whoever
 * gets its own number back has won. Here all numbers are the same, so that a neighbour's is taken for one's own, and
 * two are elected.
 */
#ifndef N
#define N 4
#endif

chan q[N] = [2] of { byte };
byte leaders;

proctype node(chan in, out; byte number) {
    byte got;
    out!number;
    do
    :: in?got ->
        if
        :: got > number -> out!got
        :: got == number -> leaders++; assert(leaders == 1); break
        :: else
        fi
    od;
end:
    do
    :: in?got
    od
}

init {
    byte i;
    atomic {
        do
        :: i < N -> run node(q[i], q[(i + 1) % N], 5); i++
        :: else -> break
        od
    }
}
