// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 802
// pan -c0 says errors: 0
// pan -d says flow: P 12 19
// A `select` is a choice only where Spin's scanner sees two numbers on one line, outside inlines.
byte a, b, c, d, e;
inline pick(x) {
	select (x : 0 .. 2)
}
active proctype P() {
	select (a : 0 .. 2);
	pick(b);
	select (c : (0) .. 2);
	select (d : 0
		.. 2);
	select
		(e : 0..2)
}
