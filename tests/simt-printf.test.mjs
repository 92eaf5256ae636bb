// What device printf writes for doubles in hexadecimal, as the C library writes them, and what it refuses.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { hosts, temporaryFolder } from './tools/ptxscope.mjs';

const work = temporaryFolder();

/** Prints each double once for every conversion of the format. */
function print(run, format, doubles) {
	const file = join(work, 'p.ptx'), launch = join(work, 'p.json'), n = (format.match(/%/g) ?? []).length, bits = (v) => { const b = Buffer.alloc(8); b.writeDoubleBE(v); return `0d${b.toString('hex')}`; };
	writeFileSync(file, `.version 8.0\n.target sm_80\n.address_size 64\n.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .b8 text[${format.length + 1}] = {${[...format].map((c) => c.charCodeAt(0)).join(', ')}, 0};
.visible .entry k()\n{\n.reg .b64 %rd<4>; .reg .f64 %fd<2>; .local .align 8 .b8 args[${8 * n}];
mov.u64 %rd1, text; cvta.global.u64 %rd1, %rd1; mov.u64 %rd2, args; cvta.local.u64 %rd3, %rd2;
${doubles.map((v) => `mov.f64 %fd1, ${bits(v)};\n${Array.from({ length: n }, (_, i) => `st.local.f64 [%rd2+${8 * i}], %fd1;`).join(' ')}\n{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd1; st.param.b64 [a], %rd3; call.uni (r), vprintf, (f, a); }`).join('\n')}
ret;\n}\n`);
	writeFileSync(launch, JSON.stringify({ kernel: 'k', grid: [1, 1, 1], block: [1, 1, 1], args: [], buffers: {} }));
	const r = run(['run', file, `--launch=${launch}`, '--json']);
	return { ...r, text: r.stdout ? JSON.parse(r.stdout).printf : null };
}

for (const { host, run, skip } of hosts)
	describe(`printf (${host})`, { skip }, () => {
		test('%a, with precisions, widths and signs', () => {
			const { status, text, stderr } = print(run, '%a|%.2a|%A|%14.1a|%-12a|%+a|%.0a|%.15a|%#.0a|% a\n', [1.5, -0.1, 1.999, 0, -0, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 3, Infinity]);
			assert.equal(status, 0, stderr);
			assert.equal(text, // what glibc writes
				`0x1.8p+0|0x1.80p+0|0X1.8P+0|      0x1.8p+0|0x1.8p+0    |+0x1.8p+0|0x2p+0|0x1.800000000000000p+0|0x2.p+0| 0x1.8p+0
-0x1.999999999999ap-4|-0x1.9ap-4|-0X1.999999999999AP-4|     -0x1.ap-4|-0x1.999999999999ap-4|-0x1.999999999999ap-4|-0x2p-4|-0x1.999999999999a00p-4|-0x2.p-4|-0x1.999999999999ap-4
0x1.ffbe76c8b4396p+0|0x2.00p+0|0X1.FFBE76C8B4396P+0|      0x2.0p+0|0x1.ffbe76c8b4396p+0|+0x1.ffbe76c8b4396p+0|0x2p+0|0x1.ffbe76c8b439600p+0|0x2.p+0| 0x1.ffbe76c8b4396p+0
0x0p+0|0x0.00p+0|0X0P+0|      0x0.0p+0|0x0p+0      |+0x0p+0|0x0p+0|0x0.000000000000000p+0|0x0.p+0| 0x0p+0
-0x0p+0|-0x0.00p+0|-0X0P+0|     -0x0.0p+0|-0x0p+0     |-0x0p+0|-0x0p+0|-0x0.000000000000000p+0|-0x0.p+0|-0x0p+0
0x0.0000000000001p-1022|0x0.00p-1022|0X0.0000000000001P-1022|   0x0.0p-1022|0x0.0000000000001p-1022|+0x0.0000000000001p-1022|0x0p-1022|0x0.000000000000100p-1022|0x0.p-1022| 0x0.0000000000001p-1022
0x1p-1022|0x1.00p-1022|0X1P-1022|   0x1.0p-1022|0x1p-1022   |+0x1p-1022|0x1p-1022|0x1.000000000000000p-1022|0x1.p-1022| 0x1p-1022
0x1.fffffffffffffp+1023|0x2.00p+1023|0X1.FFFFFFFFFFFFFP+1023|   0x2.0p+1023|0x1.fffffffffffffp+1023|+0x1.fffffffffffffp+1023|0x2p+1023|0x1.fffffffffffff00p+1023|0x2.p+1023| 0x1.fffffffffffffp+1023
0x1.8p+1|0x1.80p+1|0X1.8P+1|      0x1.8p+1|0x1.8p+1    |+0x1.8p+1|0x2p+1|0x1.800000000000000p+1|0x2.p+1| 0x1.8p+1
inf|inf|INF|           inf|inf         |+inf|inf|inf|inf| inf
`);
		});

		test('%n is refused', () => {
			assert.match(print(run, '%a%n', [1]).stderr, /unsupported in thread \(0,0,0\).*printf with %n, which device code may not use/);
		});

		test('a kernel that a kernel launches is refused by name', () => {
			const file = join(work, 'd.ptx'), launch = join(work, 'd.json');
			writeFileSync(file, `.version 8.0\n.target sm_80\n.address_size 64\n.extern .func (.param .b32 r) cudaLaunchDeviceV2(.param .b64 a, .param .b64 s);
.visible .entry k()\n{ { .param .b64 a; .param .b64 s; .param .b32 r; st.param.b64 [a], 0; st.param.b64 [s], 0; call.uni (r), cudaLaunchDeviceV2, (a, s); }\nret; }\n`);
			writeFileSync(launch, JSON.stringify({ kernel: 'k', grid: [1, 1, 1], block: [1, 1, 1], args: [], buffers: {} }));
			assert.match(run(['run', file, `--launch=${launch}`]).stderr, /unsupported .*kernels that a kernel launches \(dynamic parallelism\): call of cudaLaunchDeviceV2/);
		});
	});
