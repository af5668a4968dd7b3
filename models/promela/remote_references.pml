// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 378
// pan -c0 says errors: 2
// pan -d says flow: P 4 4; Q 6 6; R 7 7
// References into other processes: elements of arrays, `_p` and `_pid`, processes that are not
// there (0), and a label of another proctype, for which only the numbers of states are compared.
byte g, h;

active proctype P() {
	byte a[2];
	a[1] = 3;
here:	g = 2;
	g = 3
}

active proctype Q() {
	byte k = 7;
	h = P[0]:a[1]; h = P:a[k - 7];
	h = P[0]:_p; h = P[0]:_pid; h = P[8]:_pid
}

active proctype R() {
	byte k;
	k = Q[1]:k; k = P[2]:_pid;
there:	k = Q[7]:k;
	k = R@there + P[k]@here;
	P[1]@here -> g = 7
}
