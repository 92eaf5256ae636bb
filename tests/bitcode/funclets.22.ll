
declare void @may_throw()

declare i32 @__CxxFrameHandler3(...)

define void @f(ptr %slot) personality ptr @__CxxFrameHandler3 {
entry:
  invoke void @may_throw()
          to label %done unwind label %dispatch

dispatch:                                         ; preds = %entry
  %cs = catchswitch within none [label %first, label %second] unwind label %clean

first:                                            ; preds = %dispatch
  %c1 = catchpad within %cs [ptr null, i32 64, ptr %slot]
  invoke void @may_throw() [ "funclet"(token %c1) ]
          to label %back unwind label %inner

inner:                                            ; preds = %first
  %i = cleanuppad within %c1 []
  call void @may_throw() [ "funclet"(token %i) ]
  cleanupret from %i unwind label %clean

back:                                             ; preds = %first
  catchret from %c1 to label %done

second:                                           ; preds = %dispatch
  %c2 = catchpad within %cs [ptr null, i32 0]
  catchret from %c2 to label %done

clean:                                            ; preds = %inner, %dispatch
  %p = phi i32 [ 1, %dispatch ], [ 2, %inner ]
  %cl = cleanuppad within none [i32 %p]
  cleanupret from %cl unwind to caller

done:                                             ; preds = %second, %back, %entry
  ret void
}

declare void @g()

define void @nested() personality ptr @__CxxFrameHandler3 {
  invoke void @g()
          to label %done unwind label %outer

outer:                                            ; preds = %0
  %o = cleanuppad within none []
  invoke void @g() [ "funclet"(token %o) ]
          to label %next unwind label %switch

next:                                             ; preds = %handler, %outer
  cleanupret from %o unwind to caller

switch:                                           ; preds = %outer
  %s = catchswitch within %o [label %handler] unwind to caller

handler:                                          ; preds = %switch
  %h = catchpad within %s []
  catchret from %h to label %next

done:                                             ; preds = %0
  ret void
}
