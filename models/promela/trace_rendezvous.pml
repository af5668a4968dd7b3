// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 110
// pan -c0 says errors: 0
// pan -d says flow: O 3 4; P 4 5; R 4 6
// Both sides of a rendezvous are events. (If the trace stood first, process 0 could not send in a
// rendezvous: Spin's verifiers take its steps for those of the trace.)
mtype = { a, b };
chan c = [0] of { mtype, byte };
chan d = [0] of { byte };
byte x;
active proctype P() { c!a,1; c!a,x; c!b,7; do :: d!1 :: d!2 od }
active proctype R() { byte y; mtype m; do :: c?m,y -> if :: m == b -> break :: else fi od; x = 2; do :: d?y :: d?1 od }
active proctype O() { byte n; do :: n < 4 -> n++ :: n == 4 -> break od }
trace {
	do
	:: c!a,_; c?a,_
	:: c!b,_; c?b,_; break
	od;
	end: do :: d!1; d?1 :: d!2; d?eval(x) od
}
