// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 822
// pan -c0 says errors: 0
// pan -d says flow: P 12 18
// Where Spin's scanner writes a `select` as a loop, a label means the assignment before that; it
// leaves a variable with `_` in its name to the parser, and there the label means the loop.
byte a, b_, c;
active proctype P() {
	do
	:: c < 1 ->
		c++;
one:		select (a : 0 .. 40);
		if
		:: a == 7 -> goto one
		:: else
		fi
	:: c < 2 ->
		c++;
two:		select (b_ : 5 .. 7);
		if
		:: b_ == 6 -> goto two
		:: else
		fi
	:: else -> break
	od
}
