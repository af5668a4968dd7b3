// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 9
// pan -c0 says errors: 4
// pan -d says flow: A 3 3; B 4 5
// An assertion fails after one step; the nearest invalid end state is two steps away.
byte u, v;

active proctype A() { u = 1; false }

active proctype B() {
	if
	:: v = v -> assert(false)
	:: u == 1 -> false
	fi
}
