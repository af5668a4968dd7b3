// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 5392
// pan -c0 says errors: 14
// pan -d says flow: Child 2 2; P 10 18; Q 13 18
// `enabled`: some statement of the process can be executed, whatever `provided` says. Statements
// are tested as far as their first condition.
byte x, y;
chan q = [1] of { byte };
mtype = { done };

proctype Child(byte n) { skip }

active proctype P() provided (x != 4) {
	do
	:: d_step { x == 3 -> x = 1; x = 2 }
	:: d_step { if :: x == 1 -> x = 2 :: x == 2 -> x = 3 fi; x = 5 }
	:: d_step { q?x; x = 1 }
	:: q?[1] -> skip
	:: atomic { x == 4 -> x = 5 }
	:: x == 6 -> break
	od unless (x == 9);
	q!2; run Child(x); x = run Child(2); assert(x < 10); printf("x"); printm(done)
}

active proctype Q() {
	byte i;
	do
	:: i < 5 && enabled(0) -> y = 1; x = (x + 1) % 10; i++
	:: i < 5 && !enabled(0) -> y = 0; x = 3; i++
	:: i < 5 && enabled(2) -> x = 6; i++
	:: i < 3 -> if :: nfull(q) -> q!1 :: full(q) fi; i++
	:: i == 5 -> break
	od
}
