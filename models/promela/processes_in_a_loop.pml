// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 149
// pan -c0 says errors: 0
// pan -d says flow: Child 4 5; init 6 7
// Processes started in a loop, and processes that start others like themselves.
byte done;

proctype Child(byte depth) {
	if :: depth > 0 -> run Child(depth - 1) :: else fi;
	done++
}

init {
	byte i;
	do :: i < 2 -> run Child(i); i++ :: else -> break od;
	_nr_pr == 1 -> done = 0
}
