// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY -DNOCOMP:
// pan -A -E -c0 says stored: 63
// pan -c0 says errors: 2
// pan -d says flow: High 10 14; Low 17 17; Same 8 11
// Control does not protect from priorities: a process with a higher one goes ahead in the middle of
// an atomic sequence as soon as it can, and nobody has control then. A `d_step` is one step.
byte x, y;

active proctype Low() {
	atomic { x = 1; x = 2; x = 3; y = 1; y = 2; y = 3; x = 4 };
	atomic { y = 5; set_priority(0, 7); y = 6; y = 7; set_priority(0, 1); y = 8; y = 9 };
	d_step {
		x = 2;
		y = 2;
		set_priority(_pid, 9);
		x = 8;
		if
		:: _priority == 9 -> set_priority(_pid, 3); set_priority(2, get_priority(1) + 1)
		:: else -> y = 0
		fi
	};
	x = 9
}

active proctype High() priority 3 {
	do
	:: x == 2 -> x = 12; atomic { x = 13; x = 14 }
	:: y == 2 -> atomic { y = 20; x == 3; y = 21 }
	:: y == 8 -> y = 30
	:: x == 8 -> y = 31
	:: x == 9 -> break
	od
}

active proctype Same() {
	do
	:: x == 14 -> x = 15
	:: y == 6 -> y = 16
	:: x == 8 && _priority == 4 -> atomic { x = 9; set_priority(_pid, 1); y = 40; y = 41 }
	:: x == 9 -> break
	od
}
