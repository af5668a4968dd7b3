// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 32
// pan -c0 says errors: 0
// pan -d says flow: P 5 6; Q 3 3
// Remote references; a label on a jump is a state if it is referred to or means something.
byte x;

active proctype P() {
again:	x = 1 - x;
here:	goto there;
	x = 7;
there:	if :: x == 1 -> end: goto again :: x == 0 -> progress: skip; goto again fi
}

active proctype Q() { P[0]@here -> P@there }
