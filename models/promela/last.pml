// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 243
// pan -c0 says errors: 0
// pan -d says flow: Worker 3 3; init 13 15
// `_last` is the number of the process that moved last, of the receiver in a rendezvous, and a
// part of the state. A statement sees who moved before it; at first it is 0.
byte x, y;
chan c = [0] of { byte };

proctype Worker(byte n) {
	byte before = _last;
	c!n + _last;
	x = _last
}

init {
	byte v;
	atomic { run Worker(3); run Worker(5) };
	c?v;
	atomic { c?v; x = _last; v = 0 };
	d_step { v = _last; y = v + 1 };
	{ x = 7; x = 8 } unless { _last == 1 && x != 7 -> y = 9 };
	_nr_pr == 1 -> x = _last
}
