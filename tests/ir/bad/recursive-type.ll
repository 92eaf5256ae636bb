%list = type { i32, %list }
@x = global %list zeroinitializer
