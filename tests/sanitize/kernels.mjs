// Kernels for the sanitizers, in pairs: one with a planted error, one without. In a body, `//!` marks the line that the report is
// about, `//?` the line of the other access. `%r0` is the thread, `%r1` its word of shared memory `sh`, `%rd0` the buffer `out`, `%rd1`
// the thread's word of it (by number in the grid).

const neighbour = 'xor.b32 %r2, %r0, 1;\nshl.b32 %r2, %r2, 2;\nmov.u32 %r3, sh;\nadd.s32 %r2, %r3, %r2;\n';
const neighbourGlobal = 'xor.b32 %r2, %r0, 1;\nmul.wide.u32 %rd2, %r2, 4;\nadd.s64 %rd2, %rd0, %rd2;\n';
const pairs = [];
const pair = (name, kind, options, bad, good) => pairs.push({ name, kind, ...options, bad, good });
const malloc = '.extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);';
const take = (bytes, to) => `{\n.param .b64 n;\n.param .b64 r;\nst.param.b64 [n], ${bytes};\ncall.uni (r), malloc, (n);MARK\nld.param.b64 ${to}, [r];\n}\n`;
const give = (p) => `{\n.param .b64 p;\nst.param.b64 [p], ${p};\ncall.uni free, (p);MARK\n}\n`;
const only = (n, text) => `setp.ne.u32 %p1, %r0, ${n};\n@%p1 bra $ONLY${n};\n${text}$ONLY${n}:\n`;

// ---- races between threads of a warp and of a block, in shared and in global memory, with and without what orders them
for (const [space, address, other, setup] of [['shared', '%r1', '%r2', neighbour], ['global', '%rd1', '%rd2', neighbourGlobal]])
	for (const [what, first, second] of [['write, read', 'st', 'ld'], ['read, write', 'ld', 'st'], ['write, write', 'st', 'st']])
		for (const [sync, threads, statement] of [['bar.sync', 64, 'bar.sync 0;\n'], ['bar.warp.sync', 32, 'bar.warp.sync 0xffffffff;\n'], ['barrier.cluster', 64, 'barrier.cluster.arrive;\nbarrier.cluster.wait;\n']]) {
			const access = (op, at, mark) => op === 'st' ? `st.${space}.u32 [${at}], %r0;${mark}\n` : `ld.${space}.u32 %r9, [${at}];${mark}\n`;
			pair(`race: ${space}, ${what}, ${sync}`, 'race', { threads },
				`${setup}${access(first, address, '//?')}${access(second, other, '//!')}`, `${setup}${access(first, address, '')}${statement}${access(second, other, '')}`);
		}
for (const bits of [8, 16, 64]) {
	const at = `mul.lo.u32 %r4, %r0, ${bits / 8};\nmov.u32 %r3, sh;\nadd.s32 %r4, %r3, %r4;\nxor.b32 %r5, %r0, 1;\nmad.lo.s32 %r5, %r5, ${bits / 8}, %r3;\n`;
	const value = bits === 64 ? 'cvt.u64.u32 %rd5, %r0;\n' : 'cvt.u16.u32 %rs1, %r0;\n', r = bits === 64 ? '%rd5' : '%rs1', d = bits === 64 ? '%rd6' : '%rs2';
	pair(`race: elements of ${bits} bits`, 'race', {}, `${at}${value}st.shared.b${bits} [%r4], ${r};//?\nld.shared.b${bits} ${d}, [%r5];//!\n`,
		`${at}${value}st.shared.b${bits} [%r4], ${r};\nld.shared.b${bits} ${d}, [%r4];\n`);
}
pair('race: all threads write one word, different values or the same', 'race', {}, 'st.shared.u32 [sh], %r0;//!\n', 'st.shared.u32 [sh], 7;\n');
pair('race: blocks that write one word', 'race', { grid: 4, threads: 1 }, 'mov.u32 %r9, %ctaid.x;\nadd.s32 %r9, %r9, 1;\nst.global.u32 [%rd0], %r9;//!\n', 'atom.global.add.u32 %r9, [%rd0], 1;\n');
pair('race: an atomic and a plain read in another block', 'race', { grid: 2, threads: 1 }, 'ld.global.u32 %r9, [%rd0];//?\natom.global.add.u32 %r9, [%rd0], 1;//!\n', 'ld.relaxed.gpu.global.u32 %r9, [%rd0];\natom.global.add.u32 %r9, [%rd0], 1;\n');
// The read tells an atomic operation what to compare with, or whether it is needed; one of another size, or for a sum, does not.
for (const [op, size, name] of [['cas', 'u32', 'compare and swap'], ['max', 'u32', 'max'], ['or', 'b32', 'or']]) {
	const guess = (load, end) => `mov.u32 %r4, %ctaid.x;\nadd.s32 %r4, %r4, 1;\nld.global.${load}${load === 'u16' ? ' %rs1' : ' %r9'}, [%rd0];${end ? '//?' : ''}\natom.global.${op}.${op === 'cas' ? 'b32' : size} %r8, [%rd0], ${op === 'cas' ? '%r9, ' : ''}%r4;${end}\n`;
	pair(`race: a read before ${name}, of another size and the same`, 'race', { grid: 2, threads: 1 }, `mov.u32 %r9, 0;\n${guess('u16', '//!')}`, guess('u32', ''));
}
pair('race: atomics of a block\'s scope in two blocks', 'race', { grid: 2, threads: 1 }, 'atom.global.cta.add.u32 %r9, [%rd0], 1;//!\n', 'atom.global.gpu.add.u32 %r9, [%rd0], 1;\n');
pair('race: bar.arrive learns nothing', 'race', { threads: 64 },
	'setp.lt.u32 %p1, %r0, 32;\n@%p1 bra $A;\nbar.arrive 1, 64;\nld.shared.u32 %r9, [sh];//!\nbra $E;\n$A:\nst.shared.u32 [sh], 5;//?\nbar.sync 1, 64;\n$E:\n',
	'setp.lt.u32 %p1, %r0, 32;\n@%p1 bra $A;\nbar.sync 1, 64;\nld.shared.u32 %r9, [sh];\nbra $E;\n$A:\nst.shared.u32 [sh], 5;\nbar.arrive 1, 64;\n$E:\n');
pair('race: a lane acquires, the others read without the warp\'s barrier', 'race', { threads: 64 },
	`st.shared.u32 [sh+132], 0;\nbar.sync 0;\nsetp.lt.u32 %p1, %r0, 32;\n@%p1 bra $C;\nsetp.ne.u32 %p3, %r0, 32;\n@%p3 bra $E;\nst.shared.u32 [sh+128], 5;//?\nst.release.cta.shared.u32 [sh+132], 1;\nbra $E;\n$C:\n${only(0, '$W:\nld.acquire.cta.shared.u32 %r4, [sh+132];\nsetp.eq.u32 %p2, %r4, 0;\n@%p2 bra $W;\n')}ld.shared.u32 %r9, [sh+128];//!\n$E:\n`,
	`st.shared.u32 [sh+132], 0;\nbar.sync 0;\nsetp.lt.u32 %p1, %r0, 32;\n@%p1 bra $C;\nsetp.ne.u32 %p3, %r0, 32;\n@%p3 bra $E;\nst.shared.u32 [sh+128], 5;\nst.release.cta.shared.u32 [sh+132], 1;\nbra $E;\n$C:\n${only(0, '$W:\nld.acquire.cta.shared.u32 %r4, [sh+132];\nsetp.eq.u32 %p2, %r4, 0;\n@%p2 bra $W;\n')}bar.warp.sync 0xffffffff;\nld.shared.u32 %r9, [sh+128];\n$E:\n`);
// Lock-free code, with what makes it right and without.
const message = (write, fence, flag, poll, after) =>
	`mov.u32 %r7, %ctaid.x;\nsetp.eq.u32 %p1, %r7, 0;\n@%p1 bra $C;\n${write}\n${fence}${flag}\nbra $E;\n$C:\nmov.u32 %r8, 0;\n$W:\n${poll}\nadd.s32 %r8, %r8, 1;\nsetp.eq.u32 %p2, %r4, 0;\nsetp.lt.u32 %p3, %r8, 6000000;\nand.pred %p2, %p2, %p3;\n@%p2 bra $W;\n${after}ld.global.u32 %r9, [%rd0];//!\n$E:\n`;
const poll = (order) => `ld.${order}.global.u32 %r4, [%rd0+64];`;
for (const [name, bad, good] of [
	['release and acquire; relaxed', ['', 'st.relaxed.gpu.global.u32 [%rd0+64], 1;', 'relaxed.gpu', ''], ['', 'st.release.gpu.global.u32 [%rd0+64], 1;', 'acquire.gpu', '']],
	['fences around volatile accesses; only one', ['membar.gl;\n', 'st.volatile.global.u32 [%rd0+64], 1;', 'volatile', ''], ['membar.gl;\n', 'st.volatile.global.u32 [%rd0+64], 1;', 'volatile', 'membar.gl;\n']],
	['scope of the device; of the block', ['', 'st.release.cta.global.u32 [%rd0+64], 1;', 'acquire.cta', ''], ['', 'st.release.sys.global.u32 [%rd0+64], 1;', 'acquire.gpu', '']],
	['a fence of the block between blocks', ['fence.acq_rel.cta;\n', 'atom.global.exch.b32 %r6, [%rd0+64], 1;', 'relaxed.gpu', 'fence.acq_rel.cta;\n'], ['fence.acq_rel.gpu;\n', 'atom.global.exch.b32 %r6, [%rd0+64], 1;', 'relaxed.gpu', 'fence.acq_rel.gpu;\n']],
]) {
	const make = ([fence, flag, order, after]) => message('st.global.u32 [%rd0], 5;//?', fence, flag, poll(order), after);
	pair(`race: message, ${name}`, /^race$/, { grid: 2, threads: 1, options: ['--schedule=seed:3'] }, make(bad), make(good));
}
const lastBlock = (fence) => `mov.u32 %r7, %ctaid.x;\nmul.wide.u32 %rd3, %r7, 4;\nadd.s64 %rd3, %rd0, %rd3;\nst.global.u32 [%rd3+64], %r7;//?\n${fence}atom.global.add.u32 %r4, [%rd0], 1;\nsetp.ne.u32 %p1, %r4, 3;\n@%p1 bra $E;\n${fence}ld.global.u32 %r5, [%rd0+64];//!\nld.global.u32 %r5, [%rd0+72];\n$E:\n`;
pair('race: the last block, with __threadfence and without', 'race', { grid: 4, threads: 1 }, lastBlock(''), lastBlock('membar.gl;\n'));
const lock = (take, release) => `$W:\n${take}\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra $W;\nld.global.u32 %r5, [%rd0+8];//!\nadd.s32 %r5, %r5, 1;\nst.global.u32 [%rd0+8], %r5;//?\n${release}\n`;
pair('race: a spin lock that orders nothing, and one that does', 'race', { grid: 4, threads: 1 },
	lock('atom.relaxed.gpu.global.cas.b32 %r4, [%rd0], 0, 1;', 'atom.relaxed.gpu.global.exch.b32 %r4, [%rd0], 0;'),
	lock('atom.acquire.gpu.global.cas.b32 %r4, [%rd0], 0, 1;', 'atom.release.gpu.global.exch.b32 %r4, [%rd0], 0;').replace(/\/\/[!?]/g, ''));

// ---- uninitialised
const use = (setup, read) => `${setup}${read}\nst.global.u32 [%rd1], %r9;//!\n`;
pair('init: a register', 'uninitialised', {}, 'st.global.u32 [%rd1], %r9;//!\n', 'mov.u32 %r9, 1;\nst.global.u32 [%rd1], %r9;\n');
pair('init: a register on one path', 'uninitialised', {}, 'setp.lt.u32 %p1, %r0, 8;\n@!%p1 mov.u32 %r9, 1;\nst.global.u32 [%rd1], %r9;//!\n', 'setp.lt.u32 %p1, %r0, 8;\n@%p1 mov.u32 %r9, 2;\n@!%p1 mov.u32 %r9, 1;\nst.global.u32 [%rd1], %r9;\n');
pair('init: shared memory', 'uninitialised', {}, use('', 'ld.shared.u32 %r9, [%r1];'), use('st.shared.u32 [%r1], 1;\n', 'ld.shared.u32 %r9, [%r1];'));
pair('init: local memory', 'uninitialised', { outside: '' }, use('.local .align 4 .b8 lo[16];\n', 'ld.local.u32 %r9, [lo+4];'), use('.local .align 4 .b8 lo[16];\nst.local.u32 [lo+4], 1;\n', 'ld.local.u32 %r9, [lo+4];'));
pair('init: memory of malloc', 'uninitialised', { outside: malloc, threads: 1 }, `${take(16, '%rd5')}ld.u32 %r9, [%rd5];\nst.global.u32 [%rd1], %r9;//!\n${give('%rd5')}`, `${take(16, '%rd5')}st.u32 [%rd5], 1;\nld.u32 %r9, [%rd5];\nst.global.u32 [%rd1], %r9;\n${give('%rd5')}`);
pair('init: a branch', 'uninitialised', {}, 'ld.shared.u32 %r9, [%r1];\nsetp.eq.u32 %p1, %r9, 0;\n@%p1 bra $E;//!\nadd.s32 %r9, %r9, 1;\n$E:\n', 'ld.shared.u32 %r9, [%r1];\nadd.s32 %r9, %r9, 1;\nst.shared.u32 [%r1], %r9;\n');
pair('init: an address', 'uninitialised', {}, 'ld.shared.u32 %r9, [%r1];\nand.b32 %r9, %r9, 4;\nshl.b32 %r8, %r9, 5;\nand.b32 %r8, %r8, 128;\nadd.s32 %r8, %r1, %r8;\nadd.s32 %r8, %r8, 512;\nst.shared.u32 [%r8], 1;//!\n', 'ld.shared.u32 %r9, [%r1];\nand.b32 %r9, %r9, 0;\nadd.s32 %r8, %r1, %r9;\nst.shared.u32 [%r8], 1;\n');
pair('init: arithmetic carries it on', 'uninitialised', {}, use('ld.shared.u32 %r8, [%r1];\nadd.s32 %r8, %r8, 3;\n', 'mul.lo.s32 %r9, %r8, 5;'), use('ld.shared.u32 %r8, [%r1];\nand.b32 %r8, %r8, 0;\nadd.s32 %r8, %r8, 3;\n', 'mul.lo.s32 %r9, %r8, 5;'));
pair('init: the other half of 64 bits', 'uninitialised', {}, 'mov.u32 %r8, sh;\nmad.lo.s32 %r8, %r0, 8, %r8;\nst.shared.u32 [%r8], 1;\nld.shared.u64 %rd5, [%r8];\nmov.b64 {%r7, %r9}, %rd5;\nst.global.u32 [%rd1], %r9;//!\n', 'mov.u32 %r8, sh;\nmad.lo.s32 %r8, %r0, 8, %r8;\nst.shared.u32 [%r8], 1;\nld.shared.u64 %rd5, [%r8];\nmov.b64 {%r9, %r7}, %rd5;\nst.global.u32 [%rd1], %r9;\n');
pair('init: padding may be copied, a value may not', 'uninitialised', { threads: 1 }, 'ld.shared.v2.u32 {%r8, %r9}, [sh];\nst.global.v2.u32 [%rd0], {%r8, %r9};//!\n', 'st.shared.u32 [sh], 1;\nld.shared.v2.u32 {%r8, %r9}, [sh];\nst.global.v2.u32 [%rd0], {%r8, %r9};\n');
pair('init: what a shuffle brings', 'uninitialised', {}, 'setp.eq.u32 %p1, %r0, 0;\n@!%p1 mov.u32 %r8, 1;\nshfl.sync.idx.b32 %r9, %r8, 0, 31, 0xffffffff;\nst.global.u32 [%rd1], %r9;//!\n', 'setp.eq.u32 %p1, %r0, 0;\n@%p1 mov.u32 %r8, 1;\nshfl.sync.idx.b32 %r9, %r8, 0, 31, 0xffffffff;\nst.global.u32 [%rd1], %r9;\n');
pair('init: a vote', 'uninitialised', {}, 'setp.eq.u32 %p1, %r9, 0;\nvote.sync.any.pred %p2, %p1, 0xffffffff;\n@%p2 bra $E;//!\nadd.s32 %r8, %r0, 1;\n$E:\n', 'setp.eq.u32 %p1, %r0, 0;\nvote.sync.any.pred %p2, %p1, 0xffffffff;\n@%p2 bra $E;\nadd.s32 %r8, %r0, 1;\n$E:\n');
pair('init: an atomic on shared memory that nobody has set', 'uninitialised', {}, 'atom.shared.add.u32 %r9, [%r1], 1;//!\n', 'atom.shared.exch.b32 %r9, [%r1], 1;\natom.shared.add.u32 %r9, [%r1], 1;\n');
pair('init: the result of barrier.red', 'uninitialised', {}, 'setp.eq.u32 %p1, %r9, 0;\nbar.red.and.pred %p2, 0, %p1;//!\n', 'setp.eq.u32 %p1, %r0, 0;\nbar.red.and.pred %p2, 0, %p1;\n@%p2 bra $E;\nadd.s32 %r8, %r0, 1;\n$E:\n');
pair('init: an argument of a function', 'uninitialised', { outside: '.func (.param .b32 r) f(.param .b32 a)\n{\n.reg .b32 %x;\nld.param.b32 %x, [a];\nadd.s32 %x, %x, 1;\nst.param.b32 [r], %x;\nret;\n}' },
	'{\n.param .b32 a;\n.param .b32 r;\nst.param.b32 [a], %r9;\ncall.uni (r), f, (a);\nld.param.b32 %r8, [r];\n}\nst.global.u32 [%rd1], %r8;//!\n', '{\n.param .b32 a;\n.param .b32 r;\nst.param.b32 [a], %r0;\ncall.uni (r), f, (a);\nld.param.b32 %r8, [r];\n}\nst.global.u32 [%rd1], %r8;\n');

// ---- memory
pair('memory: past a shared variable, into the next one', 'out-of-bounds', { threads: 1, outside: '.shared .align 4 .b8 one[16];\n.shared .align 4 .b8 two[16];' }, 'mov.u32 %r8, one;\nst.shared.u32 [%r8+16], 1;//!\n', 'mov.u32 %r8, two;\nst.shared.u32 [%r8+12], 1;\n');
pair('memory: past a local variable, into the next one', 'out-of-bounds', { threads: 1 }, '.local .align 4 .b8 a[8];\n.local .align 4 .b8 b[8];\nmov.u64 %rd5, a;\nst.local.u32 [%rd5+8], 1;//!\n', '.local .align 4 .b8 a[8];\n.local .align 4 .b8 b[8];\nmov.u64 %rd5, a;\nst.local.u32 [%rd5+4], 1;\nst.local.u32 [b], 1;\n');
pair('memory: past the buffer', 'out-of-bounds', { threads: 1 }, 'st.global.u32 [%rd0+1024], 1;//!\n', 'st.global.u32 [%rd0+1020], 1;\n');
pair('memory: before the buffer', 'out-of-bounds', { threads: 1 }, 'st.global.u32 [%rd0+-4], 1;//!\n', 'st.global.u32 [%rd0], 1;\n');
pair('memory: past a block of malloc', 'out-of-bounds', { threads: 1, outside: malloc }, `${take(24, '%rd5')}st.u32 [%rd5+24], 1;//!\n`, `${take(24, '%rd5')}st.u32 [%rd5+20], 1;\n${give('%rd5')}`);
pair('memory: use after free', 'use-after-free', { threads: 1, outside: malloc }, `${take(24, '%rd5')}${give('%rd5')}st.u32 [%rd5+8], 1;//!\n`, `${take(24, '%rd5')}st.u32 [%rd5+8], 1;\n${give('%rd5')}`);
pair('memory: double free', 'double-free', { threads: 1, outside: malloc }, `${take(24, '%rd5')}${give('%rd5')}${give('%rd5').replace('MARK', '//!')}`, `${take(24, '%rd5')}${take(8, '%rd6')}${give('%rd5')}${give('%rd6')}`);
pair('memory: misaligned', 'misaligned', { threads: 1 }, 'st.global.u32 [%rd0+2], 1;//!\n', 'mov.u16 %rs1, 1;\nst.global.u16 [%rd0+2], %rs1;\n');
pair('memory: a generic address outside of its window', 'out-of-bounds', { threads: 1 }, 'mov.u64 %rd5, 0x1ffffff0;\nld.u32 %r9, [%rd5];//!\n', 'mov.u64 %rd5, sh;\ncvta.shared.u64 %rd5, %rd5;\nst.u32 [%rd5], 1;\n');
pair('memory: a write to constant memory', 'read-only', { threads: 1, outside: '.const .align 4 .b8 table[16];' }, 'mov.u64 %rd5, table;\ncvta.const.u64 %rd5, %rd5;\nst.u32 [%rd5], 1;//!\n', 'mov.u64 %rd5, table;\ncvta.const.u64 %rd5, %rd5;\nld.u32 %r9, [%rd5];\n');
pair('leak: malloc without free', 'leak', { threads: 4, outside: malloc }, take(24, '%rd5').replace('MARK', '//!'), `${take(24, '%rd5')}${give('%rd5')}`);
pair('leak: a block of two', 'leak', { threads: 1, outside: malloc }, `${take(24, '%rd5')}${take(8, '%rd6').replace('MARK', '//!')}${give('%rd5')}`, `${take(24, '%rd5')}${take(8, '%rd6')}${give('%rd6')}${give('%rd5')}`);

// ---- synchronisation
pair('sync: a mask that names lanes which have exited', 'sync-mask', {}, 'setp.lt.u32 %p1, %r0, 8;\n@%p1 exit;\nbar.warp.sync 0xffffffff;//!\n', 'setp.lt.u32 %p1, %r0, 8;\n@%p1 exit;\nbar.warp.sync 0xffffff00;\n');
pair('sync: a vote without its caller', 'sync-mask', {}, 'vote.sync.ballot.b32 %r9, 1, 0xffff0000;//!\n', 'vote.sync.ballot.b32 %r9, 1, 0xffffffff;\n');
pair('sync: lanes that never come', 'sync-mask', {}, 'setp.lt.u32 %p1, %r0, 16;\n@%p1 bra $L1;\nbar.warp.sync 0xffffffff;\nbra $L2;\n$L1:\nbar.warp.sync 0xffffffff;\n$L2:\n', 'setp.lt.u32 %p1, %r0, 16;\n@%p1 bra $L1;\nbar.warp.sync 0xffff0000;\nbra $L2;\n$L1:\nbar.warp.sync 0x0000ffff;\n$L2:\n');
pair('sync: a shuffle that reads a lane which is not there', 'sync-mask', {}, 'setp.lt.u32 %p1, %r0, 16;\n@%p1 bra $E;\nshfl.sync.idx.b32 %r9, %r0, 3, 31, 0xffff0000;//!\n$E:\n', 'setp.lt.u32 %p1, %r0, 16;\n@%p1 bra $E;\nshfl.sync.idx.b32 %r9, %r0, 20, 31, 0xffff0000;\n$E:\n');
pair('sync: a barrier in divergent code', 'divergent-barrier', {}, 'setp.lt.u32 %p1, %r0, 16;\n@%p1 bra $L1;\nbra $L2;\n$L1:\nbar.sync 0;//!\n$L2:\n', 'setp.lt.u32 %p1, %r0, 16;\n@%p1 bra $L1;\nbra $L2;\n$L1:\nadd.s32 %r9, %r0, 1;\n$L2:\nbar.sync 0;\n');
pair('sync: counts of a barrier that differ', 'divergent-barrier', { threads: 64 }, 'setp.lt.u32 %p1, %r0, 32;\n@%p1 bra $A;\nbar.sync 1, 32;\nbra $E;\n$A:\nbar.sync 1, 64;\nbar.sync 1, 64;\n$E:\n', 'setp.lt.u32 %p1, %r0, 32;\n@%p1 bra $A;\nbar.sync 1, 64;\nbra $E;\n$A:\nbar.sync 1, 64;\n$E:\n');
pair('sync: an mbarrier that nobody has set up', 'bad-mbarrier', { threads: 1 }, 'mov.b64 %rd5, 0;\nst.shared.u64 [mb], %rd5;\nmbarrier.arrive.shared.b64 %rd5, [mb];//!\n', 'mbarrier.init.shared.b64 [mb], 1;\nmbarrier.arrive.shared.b64 %rd5, [mb];\n');
pair('sync: more arrivals than an mbarrier expects', 'bad-mbarrier', { threads: 1 }, 'mbarrier.init.shared.b64 [mb], 1;\nmbarrier.arrive.shared.b64 %rd5, [mb], 2;//!\n', 'mbarrier.init.shared.b64 [mb], 2;\nmbarrier.arrive.shared.b64 %rd5, [mb], 2;\n');
const poller = '$W:\nmbarrier.test_wait.parity.shared.b64 %p2, [mb], 0;//!\n@!%p2 bra $W;\n';
pair('sync: a wait that nobody can end', 'deadlock', { threads: 32 }, `${only(0, 'mbarrier.init.shared.b64 [mb], 33;\n')}bar.sync 0;\nmbarrier.arrive.shared.b64 %rd5, [mb];\n${poller}`, `${only(0, 'mbarrier.init.shared.b64 [mb], 32;\n')}bar.sync 0;\nmbarrier.arrive.shared.b64 %rd5, [mb];\n${poller}`);
pair('race: an mbarrier is set up without a barrier behind it', 'race', { threads: 64 }, `${only(0, 'mbarrier.init.shared.b64 [mb], 64;//?\n')}mbarrier.arrive.shared.b64 %rd5, [mb];//!\n`, `${only(0, 'mbarrier.init.shared.b64 [mb], 64;\n')}bar.sync 0;\nmbarrier.arrive.shared.b64 %rd5, [mb];\n`);
pair('race: read before the mbarrier\'s phase is complete', 'race', { threads: 64 },
	`${only(0, 'mbarrier.init.shared.b64 [mb], 64;\n')}bar.sync 0;\n${neighbour}xor.b32 %r2, %r2, 128;\nst.shared.u32 [%r1], %r0;//?\nmbarrier.arrive.shared.b64 %rd5, [mb];\nld.shared.u32 %r9, [%r2];//!\n${poller.replace('//!', '')}`,
	`${only(0, 'mbarrier.init.shared.b64 [mb], 64;\n')}bar.sync 0;\n${neighbour}st.shared.u32 [%r1], %r0;\nmbarrier.arrive.shared.b64 %rd5, [mb];\n${poller}ld.shared.u32 %r9, [%r2];\n`);
const copy = 'mov.u32 %r3, sh;\nmad.lo.s32 %r4, %r0, 16, %r3;\nmul.wide.u32 %rd5, %r0, 16;\nadd.s64 %rd5, %rd0, %rd5;\ncp.async.ca.shared.global [%r4], [%rd5], 16;//?\n';
pair('sync: cp.async is not waited for', 'missing-wait', {}, `${copy}cp.async.commit_group;\nld.shared.u32 %r9, [%r4];//!\n`, `${copy}cp.async.commit_group;\ncp.async.wait_group 0;\nld.shared.u32 %r9, [%r4];\n`);
pair('sync: the wait leaves the group open', 'missing-wait', {}, `${copy}cp.async.commit_group;\ncp.async.wait_group 1;\nld.shared.u32 %r9, [%r4];//!\n`, `${copy}cp.async.wait_all;\nld.shared.u32 %r9, [%r4];\n`);
pair('race: waited for, but by another thread', 'race', {}, `${copy}cp.async.wait_all;\nxor.b32 %r5, %r0, 1;\nmad.lo.s32 %r5, %r5, 16, %r3;\nld.shared.u32 %r9, [%r5];//!\n`, `${copy}cp.async.wait_all;\nbar.sync 0;\nxor.b32 %r5, %r0, 1;\nmad.lo.s32 %r5, %r5, 16, %r3;\nld.shared.u32 %r9, [%r5];\n`);
const bulk = (wait) => `${only(0, `mbarrier.init.shared.b64 [mb], 1;\nfence.proxy.async;\nmov.u32 %r3, sh;\nmov.u32 %r4, mb;\nmbarrier.arrive.expect_tx.shared.b64 %rd5, [mb], 64;\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%rd0], 64, [%r4];//?\n`)}bar.sync 0;\n${wait}setp.gt.u32 %p3, %r0, 15;\n@%p3 bra $X;\nld.shared.u32 %r9, [%r1];//!\n$X:\n`;
pair('sync: a bulk copy is not waited for', 'missing-wait', { threads: 32 }, bulk(''), bulk(poller.replace('//!', '')));
const out = (fence, wait) => `st.shared.u32 [%r1], %r0;//?\n${fence}bar.sync 0;\n${only(0, `mov.u32 %r3, sh;\ncp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r3], 64;//!\ncp.async.bulk.commit_group;\n${wait}`)}`;
pair('sync: the asynchronous proxy does not see what has been written', 'missing-proxy-fence', {}, out('', 'cp.async.bulk.wait_group 0;\n'), out('fence.proxy.async;\n', 'cp.async.bulk.wait_group 0;\n'));
const reuse = (wait) => out('fence.proxy.async;\n', `${wait}st.shared.u32 [%r3], 9;//!\n`).replace('64;//!', '64;//?').replace('%r0;//?', '%r0;');
pair('sync: the source of a bulk copy is written again too early', 'missing-wait', {}, reuse(''), reuse('cp.async.bulk.wait_group.read 0;\n'));

// ---- clusters of two blocks
const peer = 'mov.u32 %r3, %cluster_ctarank;\nxor.b32 %r4, %r3, 1;\nmov.u32 %r5, sh;\nmapa.shared::cluster.u32 %r5, %r5, %r4;\nmad.lo.u32 %r5, %r0, 4, %r5;\n', meet = 'barrier.cluster.arrive;\nbarrier.cluster.wait;\n';
const two = { grid: 2, cluster: [2, 1, 1] };
pair('race: another block of the cluster reads, barrier.cluster', 'race', two,
	`${peer}${meet}st.shared.u32 [%r1], %r0;//?\nld.shared::cluster.u32 %r9, [%r5];//!\n${meet}`, `${peer}st.shared.u32 [%r1], %r0;\n${meet}ld.shared::cluster.u32 %r9, [%r5];\n${meet}`);
pair('race: barrier.cluster.arrive.relaxed orders nothing', 'race', two,
	`${peer}st.shared.u32 [%r1], %r0;//?\nbarrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;\nld.shared::cluster.u32 %r9, [%r5];//!\n${meet}`, `${peer}st.shared.u32 [%r1], %r0;\nfence.acq_rel.cluster;\nbarrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;\nld.shared::cluster.u32 %r9, [%r5];\n${meet}`);
pair('race: atomics of a block\'s scope in another block of the cluster', 'race', two,
	`${peer}st.shared.u32 [%r1], 0;\n${meet}atom.relaxed.cta.shared::cluster.add.u32 %r9, [%r5], 1;//!\natom.relaxed.cta.shared.add.u32 %r9, [%r1], 1;//?\n${meet}`, `${peer}st.shared.u32 [%r1], 0;\n${meet}atom.relaxed.cluster.shared::cluster.add.u32 %r9, [%r5], 1;\natom.relaxed.cluster.shared.add.u32 %r9, [%r1], 1;\n${meet}`);
const tell = (scope) => `${peer}st.shared.u32 [sh+256], 0;\n${meet}setp.eq.u32 %p1, %r3, 1;\n@%p1 bra $C;\nst.shared.u32 [%r1], 5;//?\nbar.warp.sync 0xffffffff;\n${only(0, `add.u32 %r6, %r5, 256;\nst.release.${scope}.shared::cluster.u32 [%r6], 1;\n`)}bra $E;\n$C:\n$W:\nld.acquire.${scope}.shared.u32 %r8, [sh+256];\nsetp.eq.u32 %p2, %r8, 0;\n@%p2 bra $W;\nld.shared::cluster.u32 %r9, [%r5];//!\n$E:\n${meet}`;
pair('race: release and acquire in the scope of the cluster; of the block', /^race$/, two, tell('cta'), tell('cluster'));
pair('sync: a block that may not have started', 'missing-wait', two, `${peer}st.shared::cluster.u32 [%r5+512], %r0;//!\n${meet}`, `${peer}barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;\nst.shared::cluster.u32 [%r5+512], %r0;\n${meet}`);
pair('sync: a block that may have exited', 'exited-block', two, `${peer}st.shared.u32 [%r1], %r0;\n${meet}ld.shared::cluster.u32 %r9, [%r5];//!\n`, `${peer}st.shared.u32 [%r1], %r0;\n${meet}ld.shared::cluster.u32 %r9, [%r5];\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n`);
pair('sync: arrives at the cluster\'s barrier twice', 'divergent-barrier', two, 'barrier.cluster.arrive;\nbarrier.cluster.arrive;//!\nbarrier.cluster.wait;\n', `${meet}${meet}`);
pair('sync: waits at the cluster\'s barrier without having arrived', 'divergent-barrier', two, 'barrier.cluster.wait;//!\n', meet);
pair('sync: a block that never comes to the cluster\'s barrier', 'deadlock', two, 'mov.u32 %r3, %cluster_ctarank;\nsetp.eq.u32 %p1, %r3, 1;\n@%p1 bra $A;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\nbra $E;\n$A:\nbar.sync 1, 64;\n$E:\n', `mov.u32 %r3, %cluster_ctarank;\nsetp.eq.u32 %p1, %r3, 1;\n@%p1 bra $A;\n${meet}bra $E;\n$A:\n${meet}$E:\n`);
pair('memory: .shared reaches the own block only', 'out-of-bounds', two, `${peer}st.shared.u32 [%r1], %r0;\n${meet}ld.shared.u32 %r9, [%r5];//!\n${meet}`, `${peer}st.shared.u32 [%r1], %r0;\n${meet}ld.shared::cluster.u32 %r9, [%r5];\n${meet}`);
pair('memory: past the shared memory of another block', 'out-of-bounds', two, `${peer}${meet}add.u32 %r5, %r5, 4096;\nst.shared::cluster.u32 [%r5], %r0;//!\n${meet}`, `${peer}${meet}st.shared::cluster.u32 [%r5], %r0;\n${meet}`);
pair('init: shared memory of another block', 'uninitialised', two, `${peer}${meet}ld.shared::cluster.u32 %r9, [%r5];\nst.global.u32 [%rd1], %r9;//!\n${meet}`, `${peer}st.shared.u32 [%r1], %r0;\n${meet}ld.shared::cluster.u32 %r9, [%r5];\nst.global.u32 [%rd1], %r9;\n${meet}`);

// Arrivals and waits of mbarriers, by the order and the scope that is written.
const parity = (order) => `$W:\nmbarrier.try_wait.parity${order}.shared::cta.b64 %p2, [mb], 0;\n@!%p2 bra $W;\n`;
const handed = (write, arrive, wait, after) => `${only(0, 'mbarrier.init.shared.b64 [mb], 32;\n')}bar.sync 0;\nsetp.gt.u32 %p3, %r0, 31;\n@%p3 bra $C;\nst.shared.u32 [%r1], %r0;${write}\n${arrive}mbarrier.arrive.ORDER.shared::cta.b64 %rd5, [mb];\nbra $E;\n$C:\n${wait}${after}xor.b32 %r2, %r0, 32;\nshl.b32 %r2, %r2, 2;\nmov.u32 %r3, sh;\nadd.s32 %r2, %r2, %r3;\nld.shared.u32 %r9, [%r2];//!\n$E:\n`;
for (const [name, bad, good] of [
	['an arrival that is relaxed; that releases', ['relaxed.cta', '', '.acquire.cta', ''], ['release.cta', '', '.acquire.cta', '']],
	['a wait that is relaxed; that acquires', ['release.cta', '', '.relaxed.cta', ''], ['release.cluster', '', '.acquire.cta', '']],
	['relaxed, with one fence; with both', ['relaxed.cta', 'fence.acq_rel.cta;\n', '.relaxed.cta', ''], ['relaxed.cta', 'fence.acq_rel.cta;\n', '.relaxed.cta', 'fence.acq_rel.cta;\n']],
	['relaxed, a fence at the wait alone; at both', ['relaxed.cta', '', '.relaxed.cta', 'fence.acq_rel.cta;\n'], ['relaxed.cluster', 'fence.acq_rel.cluster;\n', '.relaxed.cta', 'fence.acq_rel.cta;\n']],
]) {
	const make = ([arrive, fence, wait, after], write) => handed(write, fence, parity(wait), after).replace('ORDER', arrive);
	pair(`race: mbarrier, ${name}`, 'race', { threads: 64 }, make(bad, '//?'), make(good, ''));
}
const across = ([arrive, fence, wait, after], write) => `${only(0, 'mbarrier.init.shared.b64 [mb], 32;\n')}${meet}mov.u32 %r3, %cluster_ctarank;\nxor.b32 %r4, %r3, 1;\nmov.u32 %r5, mb;\nmapa.shared::cluster.u32 %r5, %r5, %r4;\nmov.u32 %r7, %ctaid.x;\nsetp.eq.u32 %p3, %r7, 0;\n@%p3 bra $C;\nst.global.u32 [%rd0], 5;${write}\n${fence}mbarrier.arrive${arrive}.shared::cluster.b64 _, [%r5];\nbra $E;\n$C:\n${parity(wait)}${after}ld.global.u32 %r9, [%rd0];//!\n$E:\n${meet}`;
for (const [name, bad, good] of [
	['an arrival of the block\'s scope; of the cluster\'s', ['.release.cta', '', '.acquire.cluster', ''], ['.release.cluster', '', '.acquire.cluster', '']],
	['a wait of the block\'s scope; of the cluster\'s', ['.release.cluster', '', '.acquire.cta', ''], ['', '', '', '']],
	['relaxed arrivals; behind a fence', ['.relaxed.cluster', '', '.acquire.cluster', ''], ['.relaxed.cluster', 'fence.acq_rel.cluster;\n', '.acquire.cluster', '']],
	['fences of the block\'s scope; of the cluster\'s', ['.relaxed.cluster', 'fence.acq_rel.cta;\n', '.relaxed.cluster', 'fence.acq_rel.cta;\n'], ['.relaxed.cluster', 'fence.acq_rel.gpu;\n', '.relaxed.cluster', 'fence.acq_rel.cluster;\n']],
])
	pair(`race: mbarrier of another block, ${name}`, 'race', two, across(bad, '//?'), across(good, ''));
pair('sync: a remote mbarrier whose phase nobody completes', 'deadlock', two,
	`${only(0, 'mbarrier.init.shared.b64 [mb], 33;\n')}${meet}mov.u32 %r3, %cluster_ctarank;\nxor.b32 %r4, %r3, 1;\nmov.u32 %r5, mb;\nmapa.shared::cluster.u32 %r5, %r5, %r4;\nmbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r5];\n${poller.replace('//!', '')}${meet}`,
	`${only(0, 'mbarrier.init.shared.b64 [mb], 32;\n')}${meet}mov.u32 %r3, %cluster_ctarank;\nxor.b32 %r4, %r3, 1;\nmov.u32 %r5, mb;\nmapa.shared::cluster.u32 %r5, %r5, %r4;\nmbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r5];\n${poller.replace('//!', '')}${meet}`);

const text = (p, body) => {
	const wide = /cp\.async\.bulk|cluster|mbarrier|fence\.proxy/.test(body) ? 'sm_90' : 'sm_80';
	return `.version 8.6\n.target ${wide}\n.address_size 64\n${p.outside ?? ''}\n.visible .entry k(.param .u64 out)\n{
.reg .pred %p<8>; .reg .b16 %rs<4>; .reg .b32 %r<12>; .reg .b64 %rd<10>;
.shared .align 128 .b8 sh[1024]; .shared .align 8 .b64 mb;
ld.param.u64 %rd0, [out];\nmov.u32 %r0, %tid.x;\nshl.b32 %r1, %r0, 2;\nmov.u32 %r2, sh;\nadd.s32 %r1, %r2, %r1;
mov.u32 %r2, %ctaid.x;\nmad.lo.s32 %r2, %r2, ${p.threads ?? 32}, %r0;\nmul.wide.u32 %rd1, %r2, 4;\nadd.s64 %rd1, %rd0, %rd1;
${body.replaceAll('MARK', '')}ret;\n}\n`;
};
const lineOf = (source, mark) => source.split('\n').findIndex((line) => line.includes(mark)) + 1;

/** Every kernel: { name, text, launch, options, and of those with an error: kind, line, other }. Lines are 0 where none is marked. */
export const kernels = pairs.flatMap((p) => {
	const launch = { kernel: 'k', grid: [p.grid ?? 1, 1, 1], block: [p.threads ?? 32, 1, 1], ...(p.cluster ? { cluster: p.cluster } : {}), args: [{ buffer: 'out' }], buffers: { out: { type: 'u32', count: 256 } } };
	const bad = text(p, p.bad);
	return [
		{ name: `${p.name} (wrong)`, text: bad, launch, options: p.options ?? [], kind: p.kind instanceof RegExp ? p.kind.source.slice(1, -1) : p.kind, line: lineOf(bad, '//!'), other: lineOf(bad, '//?') },
		{ name: `${p.name} (right)`, text: text(p, p.good), launch, options: p.options ?? [] },
	];
});
