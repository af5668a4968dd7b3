// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 2311
// pan -c0 says errors: 8
// pan -d says flow: A 5 9; B 4 4; C 5 10; D 10 15
// Escapes: the outer one goes first, `else` in an escape is always possible.
byte x, y;

active proctype A() { { x = 1; x = 2 } unless { if :: y == 2 -> y = 0 :: else -> y = 3 fi } }

active proctype B() { y = 1; y = 2; y = 1 }

active proctype C() { { { x = 5; x = 6 } unless { y == 1; x = 7 } } unless { y == 2; x = 8 } }

active proctype D() {
	{ do :: x < 3 -> x++ od } unless { y == 1 -> y = 2; x = 0 };
	atomic { x = 1; x = 3 } unless { y == 1 -> y = 2 };
	d_step { x = 1; x = 3 } unless atomic { y == 2 -> y = 1 }
}
