// Kernels that are there in CUDA C++ alone: fetched with the gallery, not with the page.

import list from '../../examples/kernels.json';

const sources = import.meta.glob<string>('../../tests/cuda/kernels/*.cu', { query: '?url', import: 'default', eager: true });
const launches = import.meta.glob<string>('../../tests/cuda/kernels/*.launch.json', { query: '?url', import: 'default', eager: true });

export { list };
/** Where the text of kernels/NAME and its launch are. */
export const fileOf = (name: string): string | undefined => sources[`../../tests/cuda/${name}.cu`];
export const launchFileOf = (name: string): string | undefined => launches[`../../tests/cuda/${name}.launch.json`];
