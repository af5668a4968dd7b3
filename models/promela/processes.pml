// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 547
// pan -c0 says errors: 0
// pan -d says flow: Worker 5 5; init 5 5
// Processes with parameters and channels of their own; the youngest goes first.
chan q = [3] of { byte };
byte n, r[3];

proctype Worker(byte i; chan to) {
	byte mine = i;
	chan own = [2] of { byte };
	own!mine; to!!i; own?r[i]; mine = 9
}

init {
	atomic { run Worker(2, q); n = run Worker(0, q) };
	run Worker(1, q);
	q?n
}
