; RUN: ptxscope compile %s -mcpu=sm_90 --run-pass=lowerinvoke --verify-each -o - | filecheck %s
; RUN: ptxscope compile %s -mcpu=sm_90 -o - | filecheck %s --check-prefix=PTX
; RUN: ptxscope compile %s -mcpu=sm_90 -O0 -o - | filecheck %s --check-prefix=PTX
target triple = "nvptx64-nvidia-cuda"

declare i32 @__gxx_personality_v0(...)
declare i32 @__CxxFrameHandler3(...)
declare i32 @callee(i32)
declare void @release(i32)

; Nobody calls the personality any more: it is not declared.
; PTX-NOT: __gxx_personality_v0

; The call keeps name, attributes and convention, and loses weights of edges; phis in front of which a call ended lose nothing,
; those that only the pad's edge came to go.
; CHECK-LABEL: define i32 @cleanup(i32 %a) {
; CHECK: entry:
; CHECK-NEXT: %r = call fastcc range(i32 0, 9) i32 @callee(i32 noundef %a) #[[N:[0-9]+]]{{$}}
; CHECK-NEXT: br label %ok
; CHECK: ok:
; CHECK-NEXT: %s = call i32 @callee(i32 %r)
; CHECK-NEXT: br label %done
; CHECK: done:
; CHECK-NEXT: ret i32 %s
; CHECK-NEXT: }
; PTX-LABEL: .func  (.param .b32 func_retval0) cleanup(
; PTX: call.uni (retval0), callee, (param0);
; PTX: call.uni (retval0), callee, (param0);
; PTX-NOT: release
; PTX: ret;
define i32 @cleanup(i32 %a) personality ptr @__gxx_personality_v0 {
entry:
  %r = invoke fastcc range(i32 0, 9) i32 @callee(i32 noundef %a) cold to label %ok unwind label %pad, !prof !0

ok:
  %s = invoke i32 @callee(i32 %r) to label %done unwind label %pad

pad:
  %held = phi i32 [ %a, %entry ], [ %r, %ok ]
  %e = landingpad { ptr, i32 } cleanup
  call void @release(i32 %held)
  br label %out

out:
  resume { ptr, i32 } %e

done:
  ret i32 %s
}

; A handler that comes back to the path of no exception: the phi there has one entry left.
; CHECK-LABEL: define i32 @caught(i32 %a) {
; CHECK: %r = call i32 @callee(i32 %a)
; CHECK-NEXT: br label %join
; CHECK: join:
; CHECK-NEXT: ret i32 %r
; CHECK-NEXT: }
define i32 @caught(i32 %a) personality ptr @__gxx_personality_v0 {
  %r = invoke i32 @callee(i32 %a) to label %join unwind label %pad

pad:
  %e = landingpad { ptr, i32 } catch ptr null
  %sel = extractvalue { ptr, i32 } %e, 1
  br label %join

join:
  %v = phi i32 [ %r, %0 ], [ %sel, %pad ]
  ret i32 %v
}

; Funclets go, too.
; CHECK-LABEL: define void @funclets(i32 %a) {
; CHECK: %{{.*}} = call i32 @callee(i32 %a)
; CHECK-NEXT: br label %done
; CHECK: done:
; CHECK-NEXT: ret void
; CHECK-NEXT: }
define void @funclets(i32 %a) personality ptr @__CxxFrameHandler3 {
  %r = invoke i32 @callee(i32 %a) to label %done unwind label %dispatch

dispatch:
  %cs = catchswitch within none [label %handler] unwind label %clean

handler:
  %cp = catchpad within %cs [ptr null, i32 64, ptr null]
  catchret from %cp to label %done

clean:
  %c = cleanuppad within none []
  call void @release(i32 %a) [ "funclet"(token %c) ]
  cleanupret from %c unwind to caller

done:
  ret void
}

; An asm and an intrinsic can be invoked; code after an invoke in a loop stays a loop.
; CHECK-LABEL: define void @loop(ptr %p, i32 %n) {
; CHECK: call void asm sideeffect unwind "bar.sync 0;", ""()
; CHECK-NEXT: br label %next
; CHECK: call void @llvm.donothing()
; CHECK-NEXT: br label %latch
; CHECK-NOT: landingpad
; CHECK: }
define void @loop(ptr %p, i32 %n) personality ptr @__gxx_personality_v0 {
entry:
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  invoke void asm sideeffect unwind "bar.sync 0;", ""() to label %next unwind label %pad

next:
  invoke void @llvm.donothing() to label %latch unwind label %pad

latch:
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %head, label %end

end:
  ret void

pad:
  %e = landingpad { ptr, i32 } filter [0 x ptr] zeroinitializer
  store i32 %i, ptr %p
  resume { ptr, i32 } %e
}

declare void @llvm.donothing()

!0 = !{!"branch_weights", i32 9, i32 1}
