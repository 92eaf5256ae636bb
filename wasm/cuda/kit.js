// What a whole program needs besides our headers: the C and C++ library of its host code, out of the archive in clang's package
// (2.6 MB packed).

const folder = 'usr';
const headers = /^include\/(?:c\+\+\/v1\/(?!__cxx03\/|experimental\/|ext\/)|wasm32-wasip1\/|(?:__)?std(?:arg|bool|def|int|align|atomic|noreturn)[^/]*$|(?:__float_|float|limits|inttypes|iso646|tgmath)[^/]*\.h$)/;

export const linkedObjects = ['crt1-command.o'];
/** clock, getpid and signal are of one process that is alone. */
const emulated = ['process-clocks', 'getpid', 'signal'];
export const libraries = ['libc++.a', 'libc++abi.a', 'libc-printscan-long-double.a', 'libc.a', ...emulated.map((name) => `libwasi-emulated-${name}.a`)];
export const kitDefines = emulated.map((name) => `-D_WASI_EMULATED_${name.toUpperCase().replace('-', '_')}`);
const linked = new Set([...[...linkedObjects, ...libraries].map((name) => `lib/wasm32-wasip1/${name}`), 'lib/wasm32-unknown-wasip1/libclang_rt.builtins.a']);

export const isInKit = (path) => linked.has(path) || headers.test(path);
/** Files of the kit by where the compiler finds them. */
export const kitFiles = (entries) => Object.fromEntries([...entries].filter(([path]) => isInKit(path)).map(([path, bytes]) => [`${folder}/${path}`, bytes]));

/** Where the compiler looks, in this order: `<math.h>` is the library's. */
export const kitFolders = [`/${folder}/include/c++/v1`, `/${folder}/include`, `/${folder}/include/wasm32-wasip1`];
export const kitResources = `/${folder}`;
export const objectPaths = linkedObjects.map((name) => `/${folder}/lib/wasm32-wasip1/${name}`);
export const libraryPaths = [...libraries.map((name) => `/${folder}/lib/wasm32-wasip1/${name}`), `/${folder}/lib/wasm32-unknown-wasip1/libclang_rt.builtins.a`];
