// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 604
// pan -c0 says errors: 0
// pan -d says flow: A 16 24
// `for` and `select` are loops with steps of their own.
byte i, k, total;
byte a[3];

active proctype A() {
	for (i : 1 .. 3) { if :: i == 2 -> break :: else fi };
	for (i in a) { a[i] = i };
	select (k : 1 .. 4);
	select (total : 1 .. k);
	select (total : 0 .. 34)
}
