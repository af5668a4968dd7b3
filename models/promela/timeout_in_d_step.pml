// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 18
// pan -c0 says errors: 0
// pan -d says flow: A 2 4; B 5 5
// `timeout` inside deterministic steps: it keeps the value it has when the step begins.
byte x, y;
chan q = [1] of { byte };

active proctype A() {
	do
	:: d_step { if :: timeout -> x++; if :: timeout -> y = x :: else -> y = 9 fi :: y == 3 -> y = timeout fi }
	:: d_step { q?x; if :: timeout -> x = 0 :: else fi }
	:: x > 6 -> break
	od
}

active proctype B() { q!2; y = 3; y = 1; q!4 }
