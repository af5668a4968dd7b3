E<> P(1).critical and P(2).critical
