// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 44
// pan -c0 says errors: 4
// pan -d says flow: P 6 6
// Channels in arrays, variables and messages of structs.
typedef T { byte a; bool b[2] };
T u[2];
chan ch[2] = [1] of { T };
chan any;

active [2] proctype P() {
	T l;
	l.a = _pid; l.b[1] = 3;
	ch[_pid]!l;
	any = ch[1 - _pid];
	any?u[_pid]
}
