@x = global i32 0, !kind !{label %there}
