E<> all_over() and time <= 60
E<> all_over() and time < 60
E<> all_over()
