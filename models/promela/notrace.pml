// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 314
// pan -c0 says errors: 4
// pan -d says flow: C 1 1; P 4 5; init 4 4
// A `notrace` about an element of an array, which processes know by a parameter: it is not
// violated, but where it is not over while a process is left the end is invalid.
mtype = { a, b };
chan q[2] = [2] of { mtype };
byte n;
notrace {
	do
	:: q[0]!a
	:: q[0]?a; break
	od;
	q[0]!b; q[0]!b
}
proctype P(chan c) { do :: n < 3 -> n++; c!a :: c!b; break od }
proctype C(chan c) { mtype m; end: do :: c?m od }
init { atomic { run P(q[0]); run P(q[1]); run C(q[0]) } }
