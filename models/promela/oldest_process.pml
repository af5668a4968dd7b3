// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 168
// pan -c0 says errors: 0
// pan -d says flow: Worker 3 3; init 7 9
// A remote reference without a number means the oldest process of the proctype that still runs.
byte g, h;

proctype Worker(byte n) { byte mine = n; g = g + n; here: g = 0 }

init {
	byte i;
	do
	:: i < 2 -> run Worker(i + 1); h = Worker:mine; i++
	:: Worker@here -> h = 5; break
	:: else -> break
	od;
	h = Worker:_pid
}
