; ModuleID = 'variadic_format.c'
source_filename = "variadic_format.c"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Str = type { ptr, i64, i64 }

@.str = private unnamed_addr constant [15 x i8] c"[%d] %x:%s%c%f\00", align 1
@.str1 = private unnamed_addr constant [4 x i8] c"odd\00", align 1
@.str2 = private unnamed_addr constant [5 x i8] c"even\00", align 1
@.str3 = private unnamed_addr constant [17 x i8] c"0123456789abcdef\00", align 1

; Function Attrs: nofree norecurse nosync nounwind
define dso_local void @variadic_format(ptr nocapture noundef readonly %0, ptr nocapture noundef writeonly %1) local_unnamed_addr #0 {
  %3 = alloca [64 x i8], align 1
  %4 = alloca %struct.Str, align 8
  %5 = tail call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void @llvm.lifetime.start.p0(i64 64, ptr nonnull %3) #6
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %4) #6
  store ptr %3, ptr %4, align 8, !tbaa !4
  %6 = getelementptr inbounds i8, ptr %4, i64 8
  store i64 0, ptr %6, align 8, !tbaa !10
  %7 = getelementptr inbounds i8, ptr %4, i64 16
  store i64 64, ptr %7, align 8, !tbaa !11
  %8 = zext nneg i32 %5 to i64
  %9 = getelementptr inbounds i32, ptr %0, i64 %8
  %10 = load i32, ptr %9, align 4, !tbaa !12
  %11 = add nsw i32 %10, -1000000000
  %12 = zext i32 %10 to i64
  %13 = mul nuw i64 %12, %12
  %14 = and i32 %5, 1
  %15 = icmp eq i32 %14, 0
  %16 = select i1 %15, ptr @.str2, ptr @.str1
  %17 = trunc nuw nsw i32 %5 to i16
  %18 = urem i16 %17, 7
  %19 = add nuw nsw i16 %18, 33
  %20 = zext nneg i16 %19 to i32
  %21 = uitofp nneg i32 %5 to double
  %22 = fmul double %21, 5.000000e-01
  call void (ptr, ptr, ...) @format(ptr noundef nonnull %4, ptr nonnull poison, i32 noundef %11, i64 noundef %13, ptr noundef nonnull %16, i32 noundef %20, double noundef %22)
  %23 = load i64, ptr %6, align 8, !tbaa !10
  %24 = icmp sgt i64 %23, 0
  br i1 %24, label %25, label %47

25:                                               ; preds = %2
  %26 = and i64 %23, 3
  %27 = icmp ult i64 %23, 4
  br i1 %27, label %30, label %28

28:                                               ; preds = %25
  %29 = and i64 %23, 9223372036854775804
  br label %50

30:                                               ; preds = %50, %25
  %31 = phi i32 [ poison, %25 ], [ %76, %50 ]
  %32 = phi i64 [ 0, %25 ], [ %77, %50 ]
  %33 = phi i32 [ 5381, %25 ], [ %76, %50 ]
  %34 = icmp eq i64 %26, 0
  br i1 %34, label %47, label %35

35:                                               ; preds = %30, %35
  %36 = phi i64 [ %44, %35 ], [ %32, %30 ]
  %37 = phi i32 [ %43, %35 ], [ %33, %30 ]
  %38 = phi i64 [ %45, %35 ], [ 0, %30 ]
  %39 = mul i32 %37, 33
  %40 = getelementptr inbounds [64 x i8], ptr %3, i64 0, i64 %36
  %41 = load i8, ptr %40, align 1, !tbaa !14
  %42 = sext i8 %41 to i32
  %43 = xor i32 %39, %42
  %44 = add nuw nsw i64 %36, 1
  %45 = add i64 %38, 1
  %46 = icmp eq i64 %45, %26
  br i1 %46, label %47, label %35, !llvm.loop !15

47:                                               ; preds = %30, %35, %2
  %48 = phi i32 [ 5381, %2 ], [ %31, %30 ], [ %43, %35 ]
  %49 = getelementptr inbounds i32, ptr %1, i64 %8
  store i32 %48, ptr %49, align 4, !tbaa !12
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %4) #6
  call void @llvm.lifetime.end.p0(i64 64, ptr nonnull %3) #6
  ret void

50:                                               ; preds = %50, %28
  %51 = phi i64 [ 0, %28 ], [ %77, %50 ]
  %52 = phi i32 [ 5381, %28 ], [ %76, %50 ]
  %53 = phi i64 [ 0, %28 ], [ %78, %50 ]
  %54 = mul i32 %52, 33
  %55 = getelementptr inbounds [64 x i8], ptr %3, i64 0, i64 %51
  %56 = load i8, ptr %55, align 1, !tbaa !14
  %57 = sext i8 %56 to i32
  %58 = xor i32 %54, %57
  %59 = or disjoint i64 %51, 1
  %60 = mul i32 %58, 33
  %61 = getelementptr inbounds [64 x i8], ptr %3, i64 0, i64 %59
  %62 = load i8, ptr %61, align 1, !tbaa !14
  %63 = sext i8 %62 to i32
  %64 = xor i32 %60, %63
  %65 = or disjoint i64 %51, 2
  %66 = mul i32 %64, 33
  %67 = getelementptr inbounds [64 x i8], ptr %3, i64 0, i64 %65
  %68 = load i8, ptr %67, align 1, !tbaa !14
  %69 = sext i8 %68 to i32
  %70 = xor i32 %66, %69
  %71 = or disjoint i64 %51, 3
  %72 = mul i32 %70, 33
  %73 = getelementptr inbounds [64 x i8], ptr %3, i64 0, i64 %71
  %74 = load i8, ptr %73, align 1, !tbaa !14
  %75 = sext i8 %74 to i32
  %76 = xor i32 %72, %75
  %77 = add nuw nsw i64 %51, 4
  %78 = add i64 %53, 4
  %79 = icmp eq i64 %78, %29
  br i1 %79, label %30, label %50, !llvm.loop !17
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: nofree noinline norecurse nosync nounwind
define internal void @format(ptr nocapture noundef %0, ptr nocapture readnone %1, ...) unnamed_addr #3 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca [12 x i8], align 1
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %3) #6
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %4) #6
  call void @llvm.va_start.p0(ptr nonnull %3)
  call void @llvm.va_copy.p0(ptr nonnull %4, ptr nonnull %3)
  %6 = getelementptr inbounds i8, ptr %0, i64 8
  %7 = getelementptr inbounds i8, ptr %0, i64 16
  br label %8

8:                                                ; preds = %176, %2
  %9 = phi ptr [ @.str, %2 ], [ %178, %176 ]
  %10 = load i8, ptr %9, align 1, !tbaa !14
  switch i8 %10, label %11 [
    i8 0, label %179
    i8 37, label %19
  ]

11:                                               ; preds = %8
  %12 = load i64, ptr %6, align 8, !tbaa !10
  %13 = load i64, ptr %7, align 8, !tbaa !11
  %14 = icmp slt i64 %12, %13
  br i1 %14, label %15, label %176

15:                                               ; preds = %11
  %16 = add nsw i64 %12, 1
  %17 = load ptr, ptr %0, align 8, !tbaa !4
  store i64 %16, ptr %6, align 8, !tbaa !10
  %18 = getelementptr inbounds i8, ptr %17, i64 %12
  store i8 %10, ptr %18, align 1, !tbaa !14
  br label %176

19:                                               ; preds = %8
  %20 = getelementptr inbounds i8, ptr %9, i64 1
  %21 = load i8, ptr %20, align 1, !tbaa !14
  switch i8 %21, label %176 [
    i8 100, label %22
    i8 120, label %97
    i8 115, label %124
    i8 99, label %146
    i8 102, label %160
  ]

22:                                               ; preds = %19
  %23 = load ptr, ptr %3, align 8
  %24 = getelementptr inbounds i8, ptr %23, i64 3
  %25 = call align 4 ptr @llvm.ptrmask.p0.i64(ptr nonnull %24, i64 -4)
  %26 = getelementptr inbounds i8, ptr %25, i64 4
  store ptr %26, ptr %3, align 8
  %27 = load i32, ptr %25, align 4, !tbaa !12
  call void @llvm.lifetime.start.p0(i64 12, ptr nonnull %5) #6
  %28 = icmp slt i32 %27, 0
  %29 = call i32 @llvm.abs.i32(i32 %27, i1 false)
  br i1 %28, label %30, label %38

30:                                               ; preds = %22
  %31 = load i64, ptr %6, align 8, !tbaa !10
  %32 = load i64, ptr %7, align 8, !tbaa !11
  %33 = icmp slt i64 %31, %32
  br i1 %33, label %34, label %38

34:                                               ; preds = %30
  %35 = add nsw i64 %31, 1
  %36 = load ptr, ptr %0, align 8, !tbaa !4
  store i64 %35, ptr %6, align 8, !tbaa !10
  %37 = getelementptr inbounds i8, ptr %36, i64 %31
  store i8 45, ptr %37, align 1, !tbaa !14
  br label %38

38:                                               ; preds = %34, %30, %22
  br label %39

39:                                               ; preds = %38, %39
  %40 = phi i32 [ %48, %39 ], [ 0, %38 ]
  %41 = phi i32 [ %43, %39 ], [ %29, %38 ]
  %42 = freeze i32 %41
  %43 = udiv i32 %42, 10
  %44 = mul i32 %43, 10
  %45 = sub i32 %42, %44
  %46 = trunc nuw nsw i32 %45 to i8
  %47 = or disjoint i8 %46, 48
  %48 = add nuw i32 %40, 1
  %49 = zext nneg i32 %40 to i64
  %50 = getelementptr inbounds [12 x i8], ptr %5, i64 0, i64 %49
  store i8 %47, ptr %50, align 1, !tbaa !14
  %51 = icmp ult i32 %41, 10
  br i1 %51, label %52, label %39, !llvm.loop !19

52:                                               ; preds = %39
  %53 = and i32 %40, 1
  %54 = icmp eq i32 %53, 0
  br i1 %54, label %55, label %66

55:                                               ; preds = %52
  %56 = load i64, ptr %6, align 8, !tbaa !10
  %57 = load i64, ptr %7, align 8, !tbaa !11
  %58 = icmp slt i64 %56, %57
  br i1 %58, label %59, label %66

59:                                               ; preds = %55
  %60 = add nsw i64 %56, 1
  %61 = sext i32 %40 to i64
  %62 = getelementptr inbounds [12 x i8], ptr %5, i64 0, i64 %61
  %63 = load i8, ptr %62, align 1, !tbaa !14
  %64 = load ptr, ptr %0, align 8, !tbaa !4
  store i64 %60, ptr %6, align 8, !tbaa !10
  %65 = getelementptr inbounds i8, ptr %64, i64 %56
  store i8 %63, ptr %65, align 1, !tbaa !14
  br label %66

66:                                               ; preds = %55, %59, %52
  %67 = phi i32 [ %48, %52 ], [ %40, %59 ], [ %40, %55 ]
  %68 = icmp eq i32 %40, 0
  br i1 %68, label %96, label %69

69:                                               ; preds = %66, %94
  %70 = phi i32 [ %83, %94 ], [ %67, %66 ]
  %71 = load i64, ptr %6, align 8, !tbaa !10
  %72 = load i64, ptr %7, align 8, !tbaa !11
  %73 = icmp slt i64 %71, %72
  br i1 %73, label %74, label %82

74:                                               ; preds = %69
  %75 = add nsw i32 %70, -1
  %76 = add nsw i64 %71, 1
  %77 = sext i32 %75 to i64
  %78 = getelementptr inbounds [12 x i8], ptr %5, i64 0, i64 %77
  %79 = load i8, ptr %78, align 1, !tbaa !14
  %80 = load ptr, ptr %0, align 8, !tbaa !4
  store i64 %76, ptr %6, align 8, !tbaa !10
  %81 = getelementptr inbounds i8, ptr %80, i64 %71
  store i8 %79, ptr %81, align 1, !tbaa !14
  br label %82

82:                                               ; preds = %69, %74
  %83 = add nsw i32 %70, -2
  %84 = load i64, ptr %6, align 8, !tbaa !10
  %85 = load i64, ptr %7, align 8, !tbaa !11
  %86 = icmp slt i64 %84, %85
  br i1 %86, label %87, label %94

87:                                               ; preds = %82
  %88 = add nsw i64 %84, 1
  %89 = sext i32 %83 to i64
  %90 = getelementptr inbounds [12 x i8], ptr %5, i64 0, i64 %89
  %91 = load i8, ptr %90, align 1, !tbaa !14
  %92 = load ptr, ptr %0, align 8, !tbaa !4
  store i64 %88, ptr %6, align 8, !tbaa !10
  %93 = getelementptr inbounds i8, ptr %92, i64 %84
  store i8 %91, ptr %93, align 1, !tbaa !14
  br label %94

94:                                               ; preds = %87, %82
  %95 = icmp eq i32 %83, 0
  br i1 %95, label %96, label %69, !llvm.loop !20

96:                                               ; preds = %94, %66
  call void @llvm.lifetime.end.p0(i64 12, ptr nonnull %5) #6
  br label %176

97:                                               ; preds = %19
  %98 = load ptr, ptr %3, align 8
  %99 = getelementptr inbounds i8, ptr %98, i64 7
  %100 = call align 8 ptr @llvm.ptrmask.p0.i64(ptr nonnull %99, i64 -8)
  %101 = getelementptr inbounds i8, ptr %100, i64 8
  store ptr %101, ptr %3, align 8
  %102 = load i64, ptr %100, align 8, !tbaa !21
  br label %103

103:                                              ; preds = %97, %121
  %104 = phi i32 [ 60, %97 ], [ %122, %121 ]
  %105 = zext nneg i32 %104 to i64
  %106 = lshr i64 %102, %105
  %107 = icmp eq i64 %106, 0
  %108 = icmp ne i32 %104, 0
  %109 = and i1 %108, %107
  br i1 %109, label %121, label %110

110:                                              ; preds = %103
  %111 = load i64, ptr %6, align 8, !tbaa !10
  %112 = load i64, ptr %7, align 8, !tbaa !11
  %113 = icmp slt i64 %111, %112
  br i1 %113, label %114, label %121

114:                                              ; preds = %110
  %115 = add nsw i64 %111, 1
  %116 = and i64 %106, 15
  %117 = getelementptr inbounds [17 x i8], ptr @.str3, i64 0, i64 %116
  %118 = load i8, ptr %117, align 1, !tbaa !14
  %119 = load ptr, ptr %0, align 8, !tbaa !4
  store i64 %115, ptr %6, align 8, !tbaa !10
  %120 = getelementptr inbounds i8, ptr %119, i64 %111
  store i8 %118, ptr %120, align 1, !tbaa !14
  br label %121

121:                                              ; preds = %114, %110, %103
  %122 = add nsw i32 %104, -4
  %123 = icmp eq i32 %104, 0
  br i1 %123, label %176, label %103, !llvm.loop !23

124:                                              ; preds = %19
  %125 = load ptr, ptr %3, align 8
  %126 = getelementptr inbounds i8, ptr %125, i64 7
  %127 = call align 8 ptr @llvm.ptrmask.p0.i64(ptr nonnull %126, i64 -8)
  %128 = getelementptr inbounds i8, ptr %127, i64 8
  store ptr %128, ptr %3, align 8
  %129 = load ptr, ptr %127, align 8, !tbaa !24
  %130 = load i8, ptr %129, align 1, !tbaa !14
  %131 = icmp eq i8 %130, 0
  br i1 %131, label %176, label %132

132:                                              ; preds = %124, %142
  %133 = phi i8 [ %144, %142 ], [ %130, %124 ]
  %134 = phi ptr [ %143, %142 ], [ %129, %124 ]
  %135 = load i64, ptr %6, align 8, !tbaa !10
  %136 = load i64, ptr %7, align 8, !tbaa !11
  %137 = icmp slt i64 %135, %136
  br i1 %137, label %138, label %142

138:                                              ; preds = %132
  %139 = add nsw i64 %135, 1
  %140 = load ptr, ptr %0, align 8, !tbaa !4
  store i64 %139, ptr %6, align 8, !tbaa !10
  %141 = getelementptr inbounds i8, ptr %140, i64 %135
  store i8 %133, ptr %141, align 1, !tbaa !14
  br label %142

142:                                              ; preds = %132, %138
  %143 = getelementptr inbounds i8, ptr %134, i64 1
  %144 = load i8, ptr %143, align 1, !tbaa !14
  %145 = icmp eq i8 %144, 0
  br i1 %145, label %176, label %132, !llvm.loop !25

146:                                              ; preds = %19
  %147 = load ptr, ptr %3, align 8
  %148 = getelementptr inbounds i8, ptr %147, i64 3
  %149 = call align 4 ptr @llvm.ptrmask.p0.i64(ptr nonnull %148, i64 -4)
  %150 = getelementptr inbounds i8, ptr %149, i64 4
  store ptr %150, ptr %3, align 8
  %151 = load i64, ptr %6, align 8, !tbaa !10
  %152 = load i64, ptr %7, align 8, !tbaa !11
  %153 = icmp slt i64 %151, %152
  br i1 %153, label %154, label %176

154:                                              ; preds = %146
  %155 = add nsw i64 %151, 1
  %156 = load i32, ptr %149, align 4, !tbaa !12
  %157 = trunc i32 %156 to i8
  %158 = load ptr, ptr %0, align 8, !tbaa !4
  store i64 %155, ptr %6, align 8, !tbaa !10
  %159 = getelementptr inbounds i8, ptr %158, i64 %151
  store i8 %157, ptr %159, align 1, !tbaa !14
  br label %176

160:                                              ; preds = %19
  %161 = load ptr, ptr %3, align 8
  %162 = getelementptr inbounds i8, ptr %161, i64 7
  %163 = call align 8 ptr @llvm.ptrmask.p0.i64(ptr nonnull %162, i64 -8)
  %164 = getelementptr inbounds i8, ptr %163, i64 8
  store ptr %164, ptr %3, align 8
  %165 = load i64, ptr %6, align 8, !tbaa !10
  %166 = load i64, ptr %7, align 8, !tbaa !11
  %167 = icmp slt i64 %165, %166
  br i1 %167, label %168, label %176

168:                                              ; preds = %160
  %169 = add nsw i64 %165, 1
  %170 = load double, ptr %163, align 8, !tbaa !26
  %171 = fptosi double %170 to i32
  %172 = trunc i32 %171 to i8
  %173 = add i8 %172, 97
  %174 = load ptr, ptr %0, align 8, !tbaa !4
  store i64 %169, ptr %6, align 8, !tbaa !10
  %175 = getelementptr inbounds i8, ptr %174, i64 %165
  store i8 %173, ptr %175, align 1, !tbaa !14
  br label %176

176:                                              ; preds = %142, %121, %124, %168, %160, %154, %146, %15, %11, %96, %19
  %177 = phi ptr [ %20, %19 ], [ %20, %96 ], [ %9, %11 ], [ %9, %15 ], [ %20, %146 ], [ %20, %154 ], [ %20, %160 ], [ %20, %168 ], [ %20, %124 ], [ %20, %121 ], [ %20, %142 ]
  %178 = getelementptr inbounds i8, ptr %177, i64 1
  br label %8, !llvm.loop !28

179:                                              ; preds = %8
  %180 = load ptr, ptr %4, align 8
  %181 = getelementptr inbounds i8, ptr %180, i64 3
  %182 = call align 4 ptr @llvm.ptrmask.p0.i64(ptr nonnull %181, i64 -4)
  %183 = getelementptr inbounds i8, ptr %182, i64 4
  store ptr %183, ptr %4, align 8
  %184 = load i32, ptr %182, align 4, !tbaa !12
  %185 = and i32 %184, 1
  %186 = icmp eq i32 %185, 0
  br i1 %186, label %195, label %187

187:                                              ; preds = %179
  %188 = load i64, ptr %6, align 8, !tbaa !10
  %189 = load i64, ptr %7, align 8, !tbaa !11
  %190 = icmp slt i64 %188, %189
  br i1 %190, label %191, label %195

191:                                              ; preds = %187
  %192 = add nsw i64 %188, 1
  %193 = load ptr, ptr %0, align 8, !tbaa !4
  store i64 %192, ptr %6, align 8, !tbaa !10
  %194 = getelementptr inbounds i8, ptr %193, i64 %188
  store i8 126, ptr %194, align 1, !tbaa !14
  br label %195

195:                                              ; preds = %191, %187, %179
  call void @llvm.va_end.p0(ptr nonnull %3)
  call void @llvm.va_end.p0(ptr nonnull %4)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %4) #6
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %3) #6
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.va_start.p0(ptr) #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.va_copy.p0(ptr, ptr) #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.va_end.p0(ptr) #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.abs.i32(i32, i1 immarg) #5

attributes #0 = { nofree norecurse nosync nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx85,+sm_80" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nofree noinline norecurse nosync nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx85,+sm_80" }
attributes #4 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #5 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nounwind }

!nvvm.annotations = !{!0}
!llvm.module.flags = !{!1, !2}
!llvm.ident = !{!3}

!0 = !{ptr @variadic_format, !"kernel", i32 1}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 7, !"frame-pointer", i32 2}
!3 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!4 = !{!5, !6, i64 0}
!5 = !{!"", !6, i64 0, !9, i64 8, !9, i64 16}
!6 = !{!"any pointer", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = !{!"long", !7, i64 0}
!10 = !{!5, !9, i64 8}
!11 = !{!5, !9, i64 16}
!12 = !{!13, !13, i64 0}
!13 = !{!"int", !7, i64 0}
!14 = !{!7, !7, i64 0}
!15 = distinct !{!15, !16}
!16 = !{!"llvm.loop.unroll.disable"}
!17 = distinct !{!17, !18}
!18 = !{!"llvm.loop.mustprogress"}
!19 = distinct !{!19, !18}
!20 = distinct !{!20, !18}
!21 = !{!22, !22, i64 0}
!22 = !{!"long long", !7, i64 0}
!23 = distinct !{!23, !18}
!24 = !{!6, !6, i64 0}
!25 = distinct !{!25, !18}
!26 = !{!27, !27, i64 0}
!27 = !{!"double", !7, i64 0}
!28 = distinct !{!28, !18}
