%x = add i32 1, 2
