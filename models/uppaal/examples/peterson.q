A[] not (P(0).critical and P(1).critical)
E<> P(1).critical
E<> P(0).critical and P(1).waits
A[] not deadlock
