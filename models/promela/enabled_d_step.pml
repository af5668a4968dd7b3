// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 37
// pan -c0 says errors: 0
// pan -d says flow: P 5 5; Q 6 9
// `enabled` in a `d_step` and outside guards, about a process that waits for `timeout`.
byte x, y;
active proctype P() { timeout -> x = 1; timeout -> x = 2 }
active proctype Q() {
	end: do
	:: d_step { enabled(0) -> x = 3 - x; y = y + enabled(0); y = y % 5 }
	:: x == 1 -> break
	:: d_step { if :: enabled(0) && y < 3 -> y++ :: y == 3 -> y = 4 fi }
	od;
	y = enabled(0) + 2;
	if :: enabled(0) -> y = 7 :: else -> y = 8 fi
}
