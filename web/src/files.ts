// Files of the user's own: opened by the button, dropped anywhere on the page, and the names under which texts are saved.

import { signal } from '@preact/signals';
import { asText, openText } from './actions';
import { banner, fileName, lesson, sourceKind } from './store';

/** A file is held over the page. */
export const dropping = signal(false);

/** What a file is by its first bytes, where the page cannot read it, and what to do instead. */
const foreign: ReadonlyArray<{ magic: readonly number[]; what: string }> = [
	{ magic: [0x7f, 0x45, 0x4c, 0x46], what: 'an object file (ELF, perhaps a cubin): save its PTX with cuobjdump -ptx, or compile with -S -emit-llvm' },
	{ magic: [0x50, 0xed, 0x55, 0xba], what: 'a CUDA fat binary: cuobjdump -ptx prints the PTX in it' },
	{ magic: [0x1f, 0x8b], what: 'compressed: unpack it with gunzip first' },
	{ magic: [0x50, 0x4b, 0x03, 0x04], what: 'a ZIP archive: unpack it first' },
];

const begins = (bytes: Uint8Array, magic: readonly number[]) => magic.every((b, i) => bytes[i] === b);
const isBitcode = (bytes: Uint8Array) => begins(bytes, [0x42, 0x43, 0xc0, 0xde]) || begins(bytes, [0xde, 0xc0, 0x17, 0x0b]);

export async function openFile(file: File): Promise<void> {
	const refuse = (what: string) => { banner.value = { kind: 'link', text: `${file.name} is ${what}.` }; };
	const head = new Uint8Array(await file.slice(0, 1024).arrayBuffer());
	const other = foreign.find((f) => begins(head, f.magic));
	if (other)
		refuse(other.what);
	else if (isBitcode(head)) {
		const text = await asText(new Uint8Array(await file.arrayBuffer()));
		if (typeof text === 'string')
			openText(text, file.name.replace(/(?:\.bc)?$/, '.ll'));
		else
			refuse(`LLVM bitcode that cannot be read (${text.error}): llvm-dis makes a text of it`);
	} else if (head.includes(0))
		refuse('no text: open LLVM IR (.ll, .bc), machine IR (.mir) or PTX (.ptx)');
	else if (/\.(?:md|markdown)$/i.test(file.name))
		lesson.value = { text: await file.text(), go: true };
	else
		openText(await file.text(), file.name);
}

/** Asks for a file of text. */
export function pickText(accept: string, use: (text: string) => void): void {
	const input = document.createElement('input');
	input.type = 'file';
	input.accept = accept;
	input.onchange = () => void input.files?.[0]?.text().then(use);
	input.click();
}

/** Asks for a file and opens it. */
export function pickFile(): void {
	const input = document.createElement('input');
	input.type = 'file';
	input.accept = '.ll,.bc,.mir,.ptx,.cu,.md,.txt,text/plain';
	input.onchange = () => input.files?.[0] && void openFile(input.files[0]);
	input.click();
}

/** Files may be dropped anywhere. */
export function followDrops(): () => void {
	const holds = (e: DragEvent) => e.dataTransfer?.types.includes('Files') ?? false;
	const over = (e: DragEvent) => {
		if (!holds(e))
			return;
		e.preventDefault();
		dropping.value = true;
	};
	const leave = (e: DragEvent) => {
		if (!e.relatedTarget)
			dropping.value = false;
	};
	const drop = (e: DragEvent) => {
		dropping.value = false;
		const file = e.dataTransfer?.files[0];
		if (!file)
			return;
		e.preventDefault();
		e.stopPropagation();
		void openFile(file);
	};
	// In front of the editor's own handlers, which would insert the file's text at the caret.
	addEventListener('dragover', over, true);
	addEventListener('dragleave', leave, true);
	addEventListener('drop', drop, true);
	return () => {
		removeEventListener('dragover', over, true);
		removeEventListener('dragleave', leave, true);
		removeEventListener('drop', drop, true);
	};
}

/** The name of the source without its ending. */
export const baseName = (): string => fileName.value.replace(/\.[a-z]+$/, '') || 'kernel';
export const sourceFile = (): string => `${baseName()}.${sourceKind.value}`;
