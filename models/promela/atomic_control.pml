// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 38
// pan -c0 says errors: 1
// pan -d says flow: A 18 22; B 4 4
// Atomic sequences: the last step gives control up, also a jump or the end of a choice.
byte x, y;

active proctype A() {
	atomic { x = 1; if :: x == 1 -> y = 1 :: else -> y = 2 fi };
	atomic { do :: x < 4 -> x++ :: else -> break od; y = 3 };
again:	atomic { if :: x > 2 -> x--; goto again :: x == 2 -> goto done fi };
done:	atomic { x = 0; { y = 4; x = 1 } }
}

active proctype B() {
	y = 5;
	atomic { y != 5 -> x = 3 }
}
