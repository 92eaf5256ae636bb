// The devices of this machine: its GPUs, ptxas, and the emulator under CUDA's driver API.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { listDevices } from './executor.js';
import { findPtxas } from './ptxas.js';
import { sandboxed } from './sandbox.js';

const standIn = () => process.env.PTXSCOPE_DRIVER ?? fileURLToPath(new URL('../../build/cuda/libptxscope-cuda.so', import.meta.url));

/** "NVIDIA H100 80GB HBM3" is of class h100-80gb-hbm3. */
const classOf = (name) => name.toLowerCase().replace(/^nvidia\s+/, '').replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');

/** Nothing of the driver is cached in files, and where a fault is, the driver is to know. */
const gpuEnvironment = { CUDA_CACHE_DISABLE: '1' };

async function gpus(driver) {
	try {
		const list = await listDevices(driver, gpuEnvironment);
		return list.map((about, ordinal) => ({ ...about, kind: 'gpu', class: classOf(about.name), ordinal, driverFile: driver, environment: gpuEnvironment }));
	} catch {
		return [];
	}
}

async function emulated() {
	const driverFile = standIn(), environment = { PTXSCOPE_DEVICE: process.env.PTXSCOPE_DEVICE ?? 'sm_90' };
	if (!existsSync(driverFile))
		throw new Error(`the emulated device needs ${driverFile}: make cuda builds it`);
	const [about] = await listDevices(driverFile, environment);
	return { ...about, kind: 'emulated', class: 'emulated', ordinal: 0, driverFile, environment };
}

const versionOf = (ptxas) => /\bV(\d[\d.]*)/.exec(spawnSync(ptxas, ['--version'], { encoding: 'utf8' }).stdout)?.[1] ?? '';

/**
 * The devices: [{ class, kind: 'gpu' | 'emulated' | 'ptxas', name, target, driver, …, ptxas }]. `device` is PTXSCOPE_RUNNER_DEVICE:
 * `emulated` is the emulator instead of GPUs, `ptxas` nothing but ptxas, a number one GPU, nothing all GPUs. `sandbox`: { required, hidden }.
 */
export async function findDevices({ device = process.env.PTXSCOPE_RUNNER_DEVICE ?? '', driver = process.env.PTXSCOPE_RUNNER_DRIVER ?? 'libcuda.so.1', sandbox = {} } = {}) {
	if (sandbox.required && !sandboxed())
		throw new Error('bubblewrap does not work here, and --sandbox wants it');
	const ptxas = findPtxas();
	const all = device === 'emulated' ? [await emulated()] : device === 'ptxas' ? [] : await gpus(driver);
	const chosen = /^\d+$/.test(device) ? all.filter((d) => d.ordinal === Number(device)) : all;
	if (ptxas)
		chosen.push({ class: 'ptxas', kind: 'ptxas', name: 'ptxas', driver: versionOf(ptxas) });
	return chosen.map((d) => ({ ...d, ptxas, sandbox }));
}

/** What clients see of a device. */
export const publicDevice = ({ class: id, kind, name, target, driver, memoryBytes, processors, clockMHz, memoryClockMHz, ptxas }) =>
	({ class: id, kind, name, target, driver, memoryBytes, processors, clockMHz, memoryClockMHz, assembles: !!ptxas });
