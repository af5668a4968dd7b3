// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 1169
// pan -c0 says errors: 6
// pan -d says flow: A 5 5; Ask 7 9; B 5 6; C 4 5
// `enabled` about a number that is not known before; an `else` is always possible, and a process
// at its end is as soon as it is the youngest. Nobody has the number 9.
byte x, y;

active proctype A() { x == 1 -> x = 2; x == 0; x = 3 }
active proctype B() { y == 1; if :: x == 7 :: else -> y = 3 fi; y = 4 }
active proctype C() { byte k; do :: k < 2 -> k++ :: k == 2 -> break od; x = 0 }

active proctype Ask() {
	byte i;
	do
	:: i < 3 && enabled(i) -> y++; i++
	:: i < 3 && !enabled(i) -> x = 1; i++
	:: i == 3 -> break
	od;
	x = enabled(9)
}
