// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 12
// pan -c0 says errors: 0
// pan -d says flow: P 10 11
// Prints are steps without effect, whatever they print.
mtype = { red, green };
mtype:size = { small, large };
mtype m = red;
mtype:size s = large;
byte x;

active proctype P() {
	printf("%d %u %c %e %o %x\n", x, x, 'a', m, x, _pid);
	printm(m); printm(green); printm(s);
	atomic { printf("no values\n"); x = 1 };
	d_step { printm(m); printf("%e", m); x = 2 };
	if :: printf("an option") -> m = green :: printm(red) fi
}
