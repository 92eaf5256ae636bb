@v = global i32 0, comdat($c)
@w = global i32 0, comdat
