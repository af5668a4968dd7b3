// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 1630
// pan -c0 says errors: 0
// pan -d says flow: Count 8 9; Late 6 6; Messages 9 11
// Values are cut to their types, except in arrays of bits and in
// messages that consist of one bit, which Spin keeps in bytes.
bit b;
bit bits[2];
chan alone = [1] of { bit };
chan pair = [1] of { bit, bool };
unsigned u : 3;
byte n = 250;
short s = 32760;
mtype = { red, green };
mtype = { blue };
mtype m = blue;

active proctype Count() {
	do
	:: n != 4 -> n = n + 2; u = n; b = n / 2
	:: n == 4 -> break
	od;
	bits[1] = 2; s = s + 10; m = green
}

active proctype Late() { byte x = _pid + 1; x++; byte y; int z = x + s; byte a[2] = 3; skip }

active proctype Messages() {
	alone!2;
	if :: alone?0 -> n = 0 :: alone?2 -> b = 1 fi;
	pair!2, 3;
	if :: pair?2, _ -> n = 0 :: pair?0, 1 -> b = 0 fi
}
