// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 1984
// pan -c0 says errors: 164
// pan -d says flow: P 3 3; init 6 6
// The value of `run` in assignments, assertions and prints.
byte x, y, n[4];

proctype P(byte i) { n[i]++; y = i }

init {
	x = run P(1) + 1;
	x = n[x - run P(3)] + (y == 3 -> 7 : 8);
	atomic { _ = run P(2); printf("%d\n", run P(0)) };
	assert(run P(1) == 5 || x > 8)
}
