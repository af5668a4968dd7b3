// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 1188
// pan -c0 says errors: 72
// pan -d says flow: Blocks 16 26; Loops 19 36
// Bodies and escapes of all kinds, and the order in which Spin numbers their elements.
byte x, y;

inline set(a) { x = a; y = a }
inline await(a) { x == a; y = a }

active proctype Loops() {
	byte i;
	do
	:: x < 9; do :: x < 3 -> x++ od unless { y == 1 -> break }
	:: y == 1 -> break
	od;
	for (i : 1 .. 2) { x++; x-- } unless { y == 2; x = 7 };
	select (i : 1 .. 3) unless { x == 4 };
	select (i : 1 .. y) unless { x == 4 };
	x = 2 unless for (i : 1 .. 2) { x-- }
}

active proctype Blocks() {
	y = 1;
	if :: x == 1 -> x = 2 :: x == 2 fi unless { y == 2; x = 5 };
	set(2) unless await(3);
	x = 3 unless await(2);
L:	atomic { x = 1; x = 2 } unless { y == 5; x = 3 };
	d_step { x = 1; x = 2 } unless { if :: x == 3 :: x == 4 -> x = 4 fi };
	assert(x == 2)
}
