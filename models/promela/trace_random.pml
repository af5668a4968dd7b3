// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 266
// pan -c0 says errors: 0
// pan -d says flow: C 3 6; P 6 6
// With `??` the trace sees the first message of the channel, whichever is received; `?<...>` and
// polls are no events. A message may depend on how many there are.
chan q = [3] of { byte, byte };
byte n;
trace { do :: q!_,1 :: q!_,2 :: q?1,_ :: q!3,_ :: q?2,_; do :: q!_,_ :: q?2,_ :: q?3,_ :: q?1,_ od od }
active proctype P() { q!1,1; q!2,2; q!1,2 - (len(q) > 1) ; n = 5; q!3,3 }
active proctype C() { byte k; do :: q??2,k :: q??1,_ :: q?<k,_> -> n = k :: q?[3,3] -> break od }
