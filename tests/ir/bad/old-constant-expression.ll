@g = global i32 0
@x = global i64 and (i64 ptrtoint (ptr @g to i64), i64 7)
