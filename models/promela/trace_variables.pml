// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 114
// pan -c0 says errors: 0
// pan -d says flow: C 6 6; P 3 3; init 4 4
// A trace without an end label: where no process is left, its state does not matter.
mtype = { a, b };
chan q = [2] of { mtype, byte };
byte n;
trace { do :: q!_,_ :: q?a,_ :: q?b,_ od }
proctype P(chan c; byte k) { c!a,k; c!b,k }
proctype C(chan c) { mtype m; byte k; c?m,k; c?_,_; n = k; c?m,_; c??b,_ }
init { run P(q, 1); run P(q, 2); run C(q) }
