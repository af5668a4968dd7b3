// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 1260
// pan -c0 says errors: 0
// pan -d says flow: A 2 3; B 4 6; C 5 8; D 3 4
// An `else` counts a rendezvous that it could send, but none that it could receive; a nested one
// counts only what stands before it.
chan c = [0] of { byte };
chan d = [0] of { byte };
byte x, y;

active proctype A() { do :: c!1 :: else -> x = 1 - x od }

active proctype B() { byte v; do :: c?v -> y = 1 :: d?v -> y = 2 :: y != 0 -> y = 0 od }

active proctype C() {
	if :: if :: x == 1 :: else -> d!2 fi :: x == 0 -> d!3 :: y == 2 fi;
	d!4
}

active proctype D() { byte v; do :: c?v -> break :: else -> y = 3 od }
