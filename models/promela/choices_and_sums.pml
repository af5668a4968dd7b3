// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 3072
// pan -c0 says errors: 0
// pan -d says flow: P 19 27
// With merged statements (spin -a) pan stores 512 states.
// A long computation after many choices: the more of either, the more there is to merge.
active proctype P() {
	bit x0, x1, x2, x3, x4, x5, x6, x7;
	byte sum;
	if :: x0 = 0 :: x0 = 1 fi;
	if :: x1 = 0 :: x1 = 1 fi;
	if :: x2 = 0 :: x2 = 1 fi;
	if :: x3 = 0 :: x3 = 1 fi;
	if :: x4 = 0 :: x4 = 1 fi;
	if :: x5 = 0 :: x5 = 1 fi;
	if :: x6 = 0 :: x6 = 1 fi;
	if :: x7 = 0 :: x7 = 1 fi;
	sum = 0;
	sum = sum + x0;
	sum = sum + x1;
	sum = sum + x2;
	sum = sum + x3;
	sum = sum + x4;
	sum = sum + x5;
	sum = sum + x6;
	sum = sum + x7;
	assert(sum <= 8)
}
