// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY -DNOCOMP:
// pan -A -E -c0 says stored: 241
// pan -c0 says errors: 1
// pan -d says flow: High 6 6; Low 5 8; Middle 7 8; Started 6 7; init 8 8
// All ways to give a priority. A process moves only where none with a higher priority can, so the
// higher ones wait for a condition and go ahead as soon as it holds; 1 is the default, and what a
// proctype declares that is not `active` is of no effect.
byte x, y, n;

active proctype Low() {
	do
	:: x < 4 -> x++
	:: x == 2 && y < 3 -> y++
	:: x == 4 -> break
	:: y == 3 -> x = 4
	od
}

active [2] proctype Middle() priority 2 {
	assert(get_priority(_pid) == 2);
	x == 2 -> y = 1 + _pid;
	if
	:: x == 3 -> y = 2
	:: x == 4 -> y = get_priority(0)
	fi
}

active proctype High() priority 255 {
	y == 2 -> y = 5;
	x++;
	timeout -> y = 6
}

proctype Started(byte v) priority 9 {
	byte own = _priority, same = get_priority(_pid);
	assert(own == same && own == v);
	n--;
	if
	:: n < 2 -> x++
	:: else -> skip
	fi
}

init priority 3 {
	n = 3;
	run Started(4) priority 4;
	run Started(1);
	run Started(2) priority 2;
	x++;
	y == 6 -> x = 0
}
