// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY -DNOCOMP:
// pan -A -E -c0 says stored: 16282
// pan -c0 says errors: 34
// pan -d says flow: A 16 16; B 9 12; init 7 8
// `set_priority` of oneself and of others, and `_priority` assigned, counted up and received into:
// there it is cut to a byte and may become 0.
chan q = [3] of { byte, short };
byte x, y;

active proctype A() priority 5 {
	q!6,1;
	q!1,4;
	q!0,3;
	set_priority(_pid, 1);
	x = 1;
	q?_priority,_;
	assert(_priority == 6);
	set_priority(1, get_priority(1) + 2);
	q?x,_priority;
	assert(get_priority(_pid) != 9);
	q?_priority,y;
	x = _priority;
	_priority--;
	assert(_priority != 0);
	_priority = 256 + y - 1
}

active [2] proctype B() {
	do
	:: x < 2 -> x++
	:: x == 2 && _priority < 3 -> _priority++
	:: x == 2 -> set_priority(3 - _pid, 1 + y % 3); y = get_priority(1); break
	od;
	if
	:: y == 1 -> set_priority(0, 1 + (_pid == 1))
	:: else -> x = 0
	fi
}

init {
	set_priority(x % 4, 2);
	y = get_priority(1);
	if
	:: get_priority(1) == get_priority(2) -> y = 9
	:: else -> y = 3
	fi;
end:	false
}
