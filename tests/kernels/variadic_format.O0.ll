; ModuleID = 'variadic_format.c'
source_filename = "variadic_format.c"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Str = type { ptr, i64, i64 }

@.str = private unnamed_addr constant [15 x i8] c"[%d] %x:%s%c%f\00", align 1
@.str1 = private unnamed_addr constant [4 x i8] c"odd\00", align 1
@.str2 = private unnamed_addr constant [5 x i8] c"even\00", align 1
@.str3 = private unnamed_addr constant [17 x i8] c"0123456789abcdef\00", align 1

; Function Attrs: noinline nounwind
define dso_local void @variadic_format(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca [64 x i8], align 1
  %7 = alloca %struct.Str, align 8
  %8 = alloca i32, align 4
  %9 = alloca i64, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %10 = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %10, ptr %5, align 4
  %11 = getelementptr inbounds %struct.Str, ptr %7, i32 0, i32 0
  %12 = getelementptr inbounds [64 x i8], ptr %6, i64 0, i64 0
  store ptr %12, ptr %11, align 8
  %13 = getelementptr inbounds %struct.Str, ptr %7, i32 0, i32 1
  store i64 0, ptr %13, align 8
  %14 = getelementptr inbounds %struct.Str, ptr %7, i32 0, i32 2
  store i64 64, ptr %14, align 8
  %15 = load ptr, ptr %3, align 8
  %16 = load i32, ptr %5, align 4
  %17 = zext i32 %16 to i64
  %18 = getelementptr inbounds i32, ptr %15, i64 %17
  %19 = load i32, ptr %18, align 4
  %20 = sub nsw i32 %19, 1000000000
  %21 = load ptr, ptr %3, align 8
  %22 = load i32, ptr %5, align 4
  %23 = zext i32 %22 to i64
  %24 = getelementptr inbounds i32, ptr %21, i64 %23
  %25 = load i32, ptr %24, align 4
  %26 = zext i32 %25 to i64
  %27 = load ptr, ptr %3, align 8
  %28 = load i32, ptr %5, align 4
  %29 = zext i32 %28 to i64
  %30 = getelementptr inbounds i32, ptr %27, i64 %29
  %31 = load i32, ptr %30, align 4
  %32 = zext i32 %31 to i64
  %33 = mul i64 %26, %32
  %34 = load i32, ptr %5, align 4
  %35 = and i32 %34, 1
  %36 = icmp ne i32 %35, 0
  %37 = zext i1 %36 to i64
  %38 = select i1 %36, ptr @.str1, ptr @.str2
  %39 = load i32, ptr %5, align 4
  %40 = urem i32 %39, 7
  %41 = add nsw i32 33, %40
  %42 = load i32, ptr %5, align 4
  %43 = uitofp i32 %42 to double
  %44 = fmul double %43, 5.000000e-01
  call void (ptr, ptr, ...) @format(ptr noundef %7, ptr noundef @.str, i32 noundef %20, i64 noundef %33, ptr noundef %38, i32 noundef %41, double noundef %44)
  store i32 5381, ptr %8, align 4
  store i64 0, ptr %9, align 8
  br label %45

45:                                               ; preds = %58, %2
  %46 = load i64, ptr %9, align 8
  %47 = getelementptr inbounds %struct.Str, ptr %7, i32 0, i32 1
  %48 = load i64, ptr %47, align 8
  %49 = icmp slt i64 %46, %48
  br i1 %49, label %50, label %61

50:                                               ; preds = %45
  %51 = load i32, ptr %8, align 4
  %52 = mul i32 %51, 33
  %53 = load i64, ptr %9, align 8
  %54 = getelementptr inbounds [64 x i8], ptr %6, i64 0, i64 %53
  %55 = load i8, ptr %54, align 1
  %56 = sext i8 %55 to i32
  %57 = xor i32 %52, %56
  store i32 %57, ptr %8, align 4
  br label %58

58:                                               ; preds = %50
  %59 = load i64, ptr %9, align 8
  %60 = add nsw i64 %59, 1
  store i64 %60, ptr %9, align 8
  br label %45, !llvm.loop !4

61:                                               ; preds = %45
  %62 = load i32, ptr %8, align 4
  %63 = load ptr, ptr %4, align 8
  %64 = load i32, ptr %5, align 4
  %65 = zext i32 %64 to i64
  %66 = getelementptr inbounds i32, ptr %63, i64 %65
  store i32 %62, ptr %66, align 4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: noinline nounwind
define internal void @format(ptr noundef %0, ptr noundef %1, ...) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca [12 x i8], align 1
  %10 = alloca i32, align 4
  %11 = alloca i64, align 8
  %12 = alloca i32, align 4
  %13 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  call void @llvm.va_start.p0(ptr %5)
  call void @llvm.va_copy.p0(ptr %6, ptr %5)
  br label %14

14:                                               ; preds = %146, %2
  %15 = load ptr, ptr %4, align 8
  %16 = load i8, ptr %15, align 1
  %17 = icmp ne i8 %16, 0
  br i1 %17, label %18, label %149

18:                                               ; preds = %14
  %19 = load ptr, ptr %4, align 8
  %20 = load i8, ptr %19, align 1
  %21 = sext i8 %20 to i32
  %22 = icmp ne i32 %21, 37
  br i1 %22, label %23, label %27

23:                                               ; preds = %18
  %24 = load ptr, ptr %3, align 8
  %25 = load ptr, ptr %4, align 8
  %26 = load i8, ptr %25, align 1
  call void @push(ptr noundef %24, i8 noundef signext %26)
  br label %146

27:                                               ; preds = %18
  %28 = load ptr, ptr %4, align 8
  %29 = getelementptr inbounds i8, ptr %28, i32 1
  store ptr %29, ptr %4, align 8
  %30 = load i8, ptr %29, align 1
  %31 = sext i8 %30 to i32
  switch i32 %31, label %145 [
    i32 100, label %32
    i32 120, label %77
    i32 115, label %109
    i32 99, label %127
    i32 102, label %135
  ]

32:                                               ; preds = %27
  %33 = load ptr, ptr %5, align 8
  %34 = getelementptr inbounds i8, ptr %33, i32 3
  %35 = call ptr @llvm.ptrmask.p0.i64(ptr %34, i64 -4)
  %36 = getelementptr inbounds i8, ptr %35, i64 4
  store ptr %36, ptr %5, align 8
  %37 = load i32, ptr %35, align 4
  store i32 %37, ptr %7, align 4
  store i32 0, ptr %8, align 4
  %38 = load i32, ptr %7, align 4
  %39 = icmp slt i32 %38, 0
  br i1 %39, label %40, label %43

40:                                               ; preds = %32
  %41 = load i32, ptr %7, align 4
  %42 = sub i32 0, %41
  br label %45

43:                                               ; preds = %32
  %44 = load i32, ptr %7, align 4
  br label %45

45:                                               ; preds = %43, %40
  %46 = phi i32 [ %42, %40 ], [ %44, %43 ]
  store i32 %46, ptr %10, align 4
  %47 = load i32, ptr %7, align 4
  %48 = icmp slt i32 %47, 0
  br i1 %48, label %49, label %51

49:                                               ; preds = %45
  %50 = load ptr, ptr %3, align 8
  call void @push(ptr noundef %50, i8 noundef signext 45)
  br label %51

51:                                               ; preds = %49, %45
  br label %52

52:                                               ; preds = %61, %51
  %53 = load i32, ptr %10, align 4
  %54 = urem i32 %53, 10
  %55 = add i32 48, %54
  %56 = trunc i32 %55 to i8
  %57 = load i32, ptr %8, align 4
  %58 = add nsw i32 %57, 1
  store i32 %58, ptr %8, align 4
  %59 = sext i32 %57 to i64
  %60 = getelementptr inbounds [12 x i8], ptr %9, i64 0, i64 %59
  store i8 %56, ptr %60, align 1
  br label %61

61:                                               ; preds = %52
  %62 = load i32, ptr %10, align 4
  %63 = udiv i32 %62, 10
  store i32 %63, ptr %10, align 4
  %64 = icmp ne i32 %63, 0
  br i1 %64, label %52, label %65, !llvm.loop !6

65:                                               ; preds = %61
  br label %66

66:                                               ; preds = %69, %65
  %67 = load i32, ptr %8, align 4
  %68 = icmp ne i32 %67, 0
  br i1 %68, label %69, label %76

69:                                               ; preds = %66
  %70 = load ptr, ptr %3, align 8
  %71 = load i32, ptr %8, align 4
  %72 = add nsw i32 %71, -1
  store i32 %72, ptr %8, align 4
  %73 = sext i32 %72 to i64
  %74 = getelementptr inbounds [12 x i8], ptr %9, i64 0, i64 %73
  %75 = load i8, ptr %74, align 1
  call void @push(ptr noundef %70, i8 noundef signext %75)
  br label %66, !llvm.loop !7

76:                                               ; preds = %66
  br label %145

77:                                               ; preds = %27
  %78 = load ptr, ptr %5, align 8
  %79 = getelementptr inbounds i8, ptr %78, i32 7
  %80 = call ptr @llvm.ptrmask.p0.i64(ptr %79, i64 -8)
  %81 = getelementptr inbounds i8, ptr %80, i64 8
  store ptr %81, ptr %5, align 8
  %82 = load i64, ptr %80, align 8
  store i64 %82, ptr %11, align 8
  store i32 60, ptr %12, align 4
  br label %83

83:                                               ; preds = %105, %77
  %84 = load i32, ptr %12, align 4
  %85 = icmp sge i32 %84, 0
  br i1 %85, label %86, label %108

86:                                               ; preds = %83
  %87 = load i64, ptr %11, align 8
  %88 = load i32, ptr %12, align 4
  %89 = zext i32 %88 to i64
  %90 = lshr i64 %87, %89
  %91 = icmp ne i64 %90, 0
  br i1 %91, label %95, label %92

92:                                               ; preds = %86
  %93 = load i32, ptr %12, align 4
  %94 = icmp ne i32 %93, 0
  br i1 %94, label %104, label %95

95:                                               ; preds = %92, %86
  %96 = load ptr, ptr %3, align 8
  %97 = load i64, ptr %11, align 8
  %98 = load i32, ptr %12, align 4
  %99 = zext i32 %98 to i64
  %100 = lshr i64 %97, %99
  %101 = and i64 %100, 15
  %102 = getelementptr inbounds [17 x i8], ptr @.str3, i64 0, i64 %101
  %103 = load i8, ptr %102, align 1
  call void @push(ptr noundef %96, i8 noundef signext %103)
  br label %104

104:                                              ; preds = %95, %92
  br label %105

105:                                              ; preds = %104
  %106 = load i32, ptr %12, align 4
  %107 = sub nsw i32 %106, 4
  store i32 %107, ptr %12, align 4
  br label %83, !llvm.loop !8

108:                                              ; preds = %83
  br label %145

109:                                              ; preds = %27
  %110 = load ptr, ptr %5, align 8
  %111 = getelementptr inbounds i8, ptr %110, i32 7
  %112 = call ptr @llvm.ptrmask.p0.i64(ptr %111, i64 -8)
  %113 = getelementptr inbounds i8, ptr %112, i64 8
  store ptr %113, ptr %5, align 8
  %114 = load ptr, ptr %112, align 8
  store ptr %114, ptr %13, align 8
  br label %115

115:                                              ; preds = %123, %109
  %116 = load ptr, ptr %13, align 8
  %117 = load i8, ptr %116, align 1
  %118 = icmp ne i8 %117, 0
  br i1 %118, label %119, label %126

119:                                              ; preds = %115
  %120 = load ptr, ptr %3, align 8
  %121 = load ptr, ptr %13, align 8
  %122 = load i8, ptr %121, align 1
  call void @push(ptr noundef %120, i8 noundef signext %122)
  br label %123

123:                                              ; preds = %119
  %124 = load ptr, ptr %13, align 8
  %125 = getelementptr inbounds i8, ptr %124, i32 1
  store ptr %125, ptr %13, align 8
  br label %115, !llvm.loop !9

126:                                              ; preds = %115
  br label %145

127:                                              ; preds = %27
  %128 = load ptr, ptr %3, align 8
  %129 = load ptr, ptr %5, align 8
  %130 = getelementptr inbounds i8, ptr %129, i32 3
  %131 = call ptr @llvm.ptrmask.p0.i64(ptr %130, i64 -4)
  %132 = getelementptr inbounds i8, ptr %131, i64 4
  store ptr %132, ptr %5, align 8
  %133 = load i32, ptr %131, align 4
  %134 = trunc i32 %133 to i8
  call void @push(ptr noundef %128, i8 noundef signext %134)
  br label %145

135:                                              ; preds = %27
  %136 = load ptr, ptr %3, align 8
  %137 = load ptr, ptr %5, align 8
  %138 = getelementptr inbounds i8, ptr %137, i32 7
  %139 = call ptr @llvm.ptrmask.p0.i64(ptr %138, i64 -8)
  %140 = getelementptr inbounds i8, ptr %139, i64 8
  store ptr %140, ptr %5, align 8
  %141 = load double, ptr %139, align 8
  %142 = fptosi double %141 to i32
  %143 = add nsw i32 97, %142
  %144 = trunc i32 %143 to i8
  call void @push(ptr noundef %136, i8 noundef signext %144)
  br label %145

145:                                              ; preds = %27, %135, %127, %126, %108, %76
  br label %146

146:                                              ; preds = %145, %23
  %147 = load ptr, ptr %4, align 8
  %148 = getelementptr inbounds i8, ptr %147, i32 1
  store ptr %148, ptr %4, align 8
  br label %14, !llvm.loop !10

149:                                              ; preds = %14
  %150 = load ptr, ptr %6, align 8
  %151 = getelementptr inbounds i8, ptr %150, i32 3
  %152 = call ptr @llvm.ptrmask.p0.i64(ptr %151, i64 -4)
  %153 = getelementptr inbounds i8, ptr %152, i64 4
  store ptr %153, ptr %6, align 8
  %154 = load i32, ptr %152, align 4
  %155 = and i32 %154, 1
  %156 = icmp ne i32 %155, 0
  br i1 %156, label %157, label %159

157:                                              ; preds = %149
  %158 = load ptr, ptr %3, align 8
  call void @push(ptr noundef %158, i8 noundef signext 126)
  br label %159

159:                                              ; preds = %157, %149
  call void @llvm.va_end.p0(ptr %5)
  call void @llvm.va_end.p0(ptr %6)
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare void @llvm.va_start.p0(ptr) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare void @llvm.va_copy.p0(ptr, ptr) #2

; Function Attrs: noinline nounwind
define internal void @push(ptr noundef %0, i8 noundef signext %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i8, align 1
  store ptr %0, ptr %3, align 8
  store i8 %1, ptr %4, align 1
  %5 = load ptr, ptr %3, align 8
  %6 = getelementptr inbounds %struct.Str, ptr %5, i32 0, i32 1
  %7 = load i64, ptr %6, align 8
  %8 = load ptr, ptr %3, align 8
  %9 = getelementptr inbounds %struct.Str, ptr %8, i32 0, i32 2
  %10 = load i64, ptr %9, align 8
  %11 = icmp slt i64 %7, %10
  br i1 %11, label %12, label %22

12:                                               ; preds = %2
  %13 = load i8, ptr %4, align 1
  %14 = load ptr, ptr %3, align 8
  %15 = getelementptr inbounds %struct.Str, ptr %14, i32 0, i32 0
  %16 = load ptr, ptr %15, align 8
  %17 = load ptr, ptr %3, align 8
  %18 = getelementptr inbounds %struct.Str, ptr %17, i32 0, i32 1
  %19 = load i64, ptr %18, align 8
  %20 = add nsw i64 %19, 1
  store i64 %20, ptr %18, align 8
  %21 = getelementptr inbounds i8, ptr %16, i64 %19
  store i8 %13, ptr %21, align 1
  br label %22

22:                                               ; preds = %12, %2
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare void @llvm.va_end.p0(ptr) #2

attributes #0 = { noinline nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx85,+sm_80" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind willreturn }

!nvvm.annotations = !{!0}
!llvm.module.flags = !{!1, !2}
!llvm.ident = !{!3}

!0 = !{ptr @variadic_format, !"kernel", i32 1}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 7, !"frame-pointer", i32 2}
!3 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.mustprogress"}
!6 = distinct !{!6, !5}
!7 = distinct !{!7, !5}
!8 = distinct !{!8, !5}
!9 = distinct !{!9, !5}
!10 = distinct !{!10, !5}
