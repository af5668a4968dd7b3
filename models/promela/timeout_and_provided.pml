// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 23
// pan -c0 says errors: 0
// pan -d says flow: A 4 5; B 4 5; C 3 3
// `timeout` when nothing else can move, `provided` on every step.
byte x, y;
chan q = [1] of { byte };

active proctype A() { do :: x < 2 -> q!x; x++ :: x == 2 -> break od }

active proctype B() provided (y != 1) {
	byte v;
	end: do :: q?v :: timeout -> y = 1; break od;
	x = 3
}

active proctype C() { y == 1 -> y = 2 }
