@f = ifunc void (), ptr @resolve
define ptr @resolve() {
  ret ptr null
}
