E<> Observer.both
