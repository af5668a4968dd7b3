// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 1795
// pan -c0 says errors: 0
// pan -d says flow: P 18 33; Q 7 8
// The numbers of control states are Spin's; 0 without a process. An escape is numbered before the
// choice that it leaves.
byte x, y;

active proctype P() {
	x = 1;
	if :: x == 1 -> x = 2 :: x == 3 -> x = 4 fi unless x == 7;
	do :: x < 4 -> x++ :: x >= 4 -> break od unless { x == 8 -> x = 0 };
	for (x : 1 .. 2) { skip } unless { y == 9; x = 0 };
	atomic { x = 1; x = 2 } unless { x == 9; x = 0 };
	{ x = 30; x = 4 } unless x == 5
}

active proctype Q() {
	byte before, i;
	do
	:: i < 4 -> before = pc_value(0); i++
	:: i == 4 -> break
	od;
end:	atomic { x == 30 -> assert(pc_value(0) == 43 && pc_value(1) == 10 && pc_value(2) == 0) };
	y = pc_value(_pid)
}
