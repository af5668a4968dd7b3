E<> Watch.alarm
