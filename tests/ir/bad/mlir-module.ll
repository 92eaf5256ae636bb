#loc = loc(unknown)
module {
  tt.func @k() { tt.return }
}
