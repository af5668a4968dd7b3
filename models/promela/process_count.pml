// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 536
// pan -c0 says errors: 0
// pan -d says flow: First 3 3; Worker 4 4; init 8 9
// What `_nr_pr` and `_pid` are while a process starts: the process counts already.
byte x;
byte none = _nr_pr;

proctype Worker(byte n) { byte count = _nr_pr, own = _pid; x = x + count + own; x = 0; assert(count == own + 1) }

active proctype First() provided (_pid == 0) { byte count = _nr_pr; assert(count == 1 && none == 0); x = _nr_pr }

init {
	byte i = _nr_pr, p;
	assert(i == 2);
	do :: i < 4 -> run Worker(_pid); i++ :: i == 4 -> break od;
	_nr_pr == 2;
	p = run Worker(_nr_pr);
	x = p
}
