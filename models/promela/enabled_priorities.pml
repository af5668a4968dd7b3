// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 9378
// pan -c0 says errors: 0
// pan -d says flow: P 6 6; Q 5 7; R 5 7
// `enabled` says what a process could do, whatever priorities say.
byte x, y;
active proctype P() priority 2 { x == 1 -> x = 2; x == 3 -> set_priority(1, 3); x = 4 }
active proctype Q() priority 1 {
	do
	:: enabled(0) -> y++; x = 1
	:: !enabled(0) && x < 3 -> x++
	:: y == 2 -> break
	od
}
active proctype R() priority 1 { byte z; do :: z < 3 -> z++ ; if :: get_priority(1) == 3 -> y = 2 :: else fi :: z == 3 -> break od }
