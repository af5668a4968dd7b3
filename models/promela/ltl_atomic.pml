// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY -DNOCLAIM:
// pan -A -E -c0 says stored: 38
// pan -c0 says errors: 1
// pan -d says flow: A 12 12; B 4 4; C 6 6
// Without -DSAFETY -DNOCLAIM, pan -a -N NAME reports an error for
// violated: at_the_end control_lost control_kept after_d_step before_meeting after_meeting nine
// and none for
// satisfied: in_the_middle in_d_step received phases
// What happens inside an atomic sequence is not seen, unless control is lost there; a d_step is one
// step, and so is a rendezvous, behind which control goes over.
byte x, y, z;
chan c = [0] of { byte };

active proctype A() {
	atomic { x = 1; x = 2; x = 3 };
	atomic { x = 4; (y == 2); x = 5 };
	d_step { x = 6; x = 7 };
	atomic { x = 8; c!1; x = 9 };
	x = 0
}

active proctype B() { y = 1; y = 2; y = 3 }

active proctype C() { byte v; atomic { c?v; z = v; z = 2; z = 3 }; z = 0 }

ltl in_the_middle { [] (x != 1 && x != 2) }
ltl at_the_end { [] (x != 3) }
ltl control_lost { [] (x != 4) }
ltl control_kept { [] (x == 4 -> y != 2) }
ltl in_d_step { [] (x != 6) }
ltl after_d_step { [] (x != 7) }
ltl before_meeting { [] (x != 8) }
ltl after_meeting { [] (z == 3 -> x == 8) }
ltl received { [] (z != 1 && z != 2) }
ltl nine { [] (x == 9 -> z != 3) }
ltl phases { (x == 0) W (x == 3 && ((x == 3) W (x == 4 || x == 5))) }
