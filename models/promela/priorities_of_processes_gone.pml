// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY -DNOCOMP:
// pan -A -E -c0 says stored: 32
// pan -c0 says errors: 0
// pan -d says flow: C 2 2; D 6 6; init 20 21
// A process that is gone, or never was, has the priority 0; to set it does nothing, whatever the
// number. What is started again has a priority of its own. All is in one order here, because pan
// goes wrong when it takes such a step back.
byte x, p;

proctype C() { x = 10 * _priority + _nr_pr }

proctype D() {
	x == 7 -> set_priority(0, 3);
	x = get_priority(0);
	set_priority(7, 0);
	set_priority(_priority, 4)
}

init priority 2 {
	p = run C();
	_nr_pr == 1;
	assert(get_priority(p) == 0 && get_priority(-1) == 0 && get_priority(300) == 0);
	set_priority(p, 0);
	set_priority(-1, 300);
	p = run C() priority 3;
	assert(get_priority(p) == 0 && x == 32);
	run C();
	set_priority(p, 5);
	if
	:: get_priority(p) == 0 -> x = 6
	:: else -> assert(false)
	fi;
	_nr_pr == 1;
	run D() priority 4;
	x = 7;
	assert(_priority == 3);
	x = get_priority(1);
	set_priority(1, 1);
	x++
}
