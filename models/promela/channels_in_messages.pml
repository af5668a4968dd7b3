// Spin 6.5.2, spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY:
// pan -A -E -c0 says stored: 156
// pan -c0 says errors: 0
// pan -d says flow: Hasty 7 7; Initiator 9 9; Responder 10 11; init 4 4
// Messages that are structs with an array, a channel and a constant of a subtype. Each process hands
// over a channel of its own inside a message and is answered through it; these channels carry
// messages of different lengths, with and without a buffer, so that what `it.reply` stands for
// decides which answer can be sent.
mtype:kind = { hello, challenge, proof };
typedef Cipher { byte key; byte nonces[2] };
typedef Letter { mtype:kind kind; Cipher secret; chan reply };
chan net = [1] of { Letter };

proctype Initiator(byte nonce) {
	chan answers = [1] of { Letter };
	Letter it;
	it.kind = hello; it.secret.key = 1; it.secret.nonces[0] = nonce; it.reply = answers;
	net!it;
	answers?it;
	assert(it.kind == challenge && it.secret.nonces[0] == nonce);
	it.reply!proof,it.secret.nonces[1]
}

proctype Hasty(byte nonce) {
	chan answers = [0] of { byte };
	Letter it;
	byte number;
	it.kind = proof; it.secret.nonces[1] = nonce; it.reply = answers;
	net!it;
	answers?number;
	assert(number == nonce + 1)
}

proctype Responder() {
	chan own = [0] of { mtype:kind, byte };
	Letter it;
	byte number;
end:	do
	:: net?it ->
		if
		:: it.kind == hello ->
			chan back = it.reply;
			it.kind = challenge; it.secret.nonces[1] = 7; it.reply = own;
			back!it;
			own?proof(number);
			assert(number == 7)
		:: it.kind == proof -> it.reply!it.secret.nonces[1] + 1
		fi
	od
}

init { atomic { run Responder(); run Initiator(3); run Hasty(4) } }
