// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY -DNOCLAIM:
// pan -A -E -c0 says stored: 9
// pan -c0 says errors: 0
// pan -d says flow: P 8 8
// Without -DSAFETY -DNOCLAIM, pan -a -N NAME reports an error for
// violated: compared compared_too truth negated release equivalent_too minus bits_too zero channel names
// and none for
// satisfied: implied sum until weak both arrow equivalent conditions twice minus_too bits either mixed scalar number
// Formulas that Spin tolerates: where one stands in the place of a number, the number of the
// operator's token is computed with, and an index 0 after what is not an array means nothing.
chan q[2] = [2] of { byte };
chan s = [2] of { byte, byte };
byte x;
byte a[3];
bool b;

active proctype P() {
	q[0]!1; q[1]!2;
	x = 3;
	s!1,2;
	a[1] = 2;
	b = 1;
	q[0]?x
}

ltl compared { [] x == 0 }
ltl compared_too { <> x == 3 }
ltl truth { ([] b) == true }
ltl implied { [] b == 0 -> <> x > 2 }
ltl sum { [] ((<> b) + 1) }
ltl negated { ! [] b == true }
ltl until { (b U (x == 3)) == 335 }
ltl weak { (b W (x == 3)) == 1 }
ltl release { (b V (x == 3)) == 1 }
ltl both { (([] b) && (<> b)) == 1 }
ltl arrow { (([] b) -> (<> b)) == 1 }
ltl equivalent { (([] b) <-> (<> b)) == 330 }
ltl equivalent_too { (b <-> (x == 3)) == 1 }
ltl conditions { ((b) -> (x == 3)) == 1 }
ltl twice { [] [] b == 333 }
ltl minus { [] -b < 1 }
ltl minus_too { -([] b) < 1 }
ltl bits { [] (b | <> b) }
ltl bits_too { [] (b & <> b) }
ltl zero { [] x - 333 }
ltl either { ([] b || x == 1) == 1 }
ltl mixed { [] ((b <-> (x == 3)) + (<> b) > 300) }
ltl channel { [] (len(s[0]) == 0) }
ltl scalar { [] (x[0] <= 3) }
ltl number { [] (q[0] == 1) }
ltl names { [] (s[0] == 1) }
