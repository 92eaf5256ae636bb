// What clang writes into every device module, one character each in a link. Deflate knows no text in advance, so these lines would
// cost a short kernel a third of its link. The list belongs to the format: never change or reorder a phrase, only append.

const phrases = [
	'; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)\n',
	'; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)\n',
	'target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"\ntarget triple = "nvptx64-nvidia-cuda"\n',
	'!nvvm.annotations = !{!0}\n!llvm.module.flags = !{!1, !2, !3}\n!llvm.ident = !{!4}\n\n!0 = !{ptr @',
	', !"kernel", i32 1}\n!1 = !{i32 1, !"wchar_size", i32 4}\n!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}\n!3 = !{i32 7, !"frame-pointer", i32 2}\n!4 = !{!"',
	' "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_',
	' "uniform-work-group-size"="true" }\n',
	'attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }\n',
	'mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)',
	'mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)',
	'nocallback nofree nosync nounwind speculatable willreturn memory(none)',
	'convergent mustprogress noinline norecurse nounwind',
	'convergent mustprogress norecurse nounwind',
	'; Function Attrs: convergent nocallback nounwind\n',
	'!"llvm.loop.mustprogress"}\n', '!"omnipotent char", !', '!"Simple C++ TBAA"}\n', '!llvm.module.flags = ', '!nvvm.annotations = ',
	'!llvm.ident = ', 'source_filename = "', '; ModuleID = \'', 'target-features"="+ptx', ' local_unnamed_addr #0 {\n',
	'noalias nocapture noundef readonly %', 'noalias nocapture noundef writeonly %', 'noalias nocapture noundef %', 'define dso_local void @',
	'declare noundef i32 @llvm.nvvm.read.ptx.sreg.', ' = tail call noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.',
	' = tail call noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.', ' = tail call noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.',
	' = tail call noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.', '@llvm.nvvm.read.ptx.sreg.', 'tail call void @llvm.nvvm.barrier0()\n',
	'tail call void @llvm.nvvm.bar.warp.sync(i32 -1)\n', ' = getelementptr inbounds float, ptr %', ' = getelementptr inbounds i32, ptr %',
	' = load float, ptr %', ' = load i32, ptr %', ', align 4, !tbaa !', ' = phi i32 [ ', ' = phi float [ ', ' = fmul contract float %', ' = fadd contract float %',
	' = add nuw nsw i32 %', ' = icmp slt i32 %', ' = sext i32 %', ' = zext nneg i32 %', '  br i1 %', '  br label %', ', label %', '; preds = %',
	'                                               ', '                                     ', ' addrspacecast (ptr addrspace(3) @', ' to ptr), i64 0, i64 %',
	'internal unnamed_addr addrspace(3) global [', ' x float] undef, align 4\n', '!tbaa !5\n', 'attributes #',
] as const;

const firstChar = 0xe000;
const privateUse = /[\ue000-\uf8ff]/;

/** The text with phrases replaced, or null where it holds private-use characters of its own. */
export function shorten(text: string): string | null {
	if (privateUse.test(text))
		return null;
	phrases.forEach((phrase, i) => { text = text.replaceAll(phrase, String.fromCharCode(firstChar + i)); });
	return text;
}

/** Undoes `shorten`; null where the text would grow past `limit` characters. */
export function lengthen(text: string, limit: number): string | null {
	let room = limit - text.length;
	const long = text.replace(/[\ue000-\uf8ff]/g, (c) => {
		const phrase = room < 0 ? c : phrases[c.charCodeAt(0) - firstChar] ?? c;
		room -= phrase.length;
		return phrase;
	});
	return room < 0 ? null : long;
}
