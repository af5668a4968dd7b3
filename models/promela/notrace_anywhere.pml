// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 40
// pan -c0 says errors: 0
// pan -d says flow: C 1 2; P 4 5
// A `notrace` whose end cannot be reached: the first event that does not fit puts it there.
mtype = { a, b };
chan q = [2] of { mtype, byte };
byte n;
notrace { q!a,1; q?a,1; q!b,_; do :: q?b,2 od }
active proctype P() { do :: n < 3 -> n++; q!a,n :: q!b,n; break od }
active proctype C() { mtype m; byte k; end: do :: q?m,k :: q??b,k od }
