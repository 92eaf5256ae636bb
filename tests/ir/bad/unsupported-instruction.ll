define void @f() personality ptr null {
  invoke void @g() to label %ok unwind label %bad
ok:
  ret void
bad:
  %p = cleanuppad within none []
  cleanupret from %p unwind to caller
}
declare void @g()
