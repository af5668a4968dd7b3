// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 61
// pan -c0 says errors: 0
// pan -d says flow: A 3 5; B 2 3
// Deterministic steps: first option first, loops, messages as guards.
byte x, y, z;
chan q = [2] of { byte };

active proctype A() {
	d_step {
		do
		:: x < 5 -> x++; if :: x == 3 -> break :: else fi; y++
		:: else -> break
		od;
		z = y
	};
	do
	:: d_step { x > 0 -> x--; if :: q!x :: full(q) fi }
	:: d_step { q?y; z++ }
	:: d_step { if :: x == 0 -> z = 1 :: y = 7 fi } break
	od
}

active proctype B() { end: do :: q?z :: z == 1 -> z = 0 od }
