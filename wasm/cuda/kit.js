// What a whole program needs besides our headers: the C and C++ library of its host code, as clang's package holds them in an archive of
// which this is about two thirds (3 MB packed).

const folder = 'usr';
const headers = /^include\/(?:c\+\+\/v1\/(?!__cxx03\/|experimental\/|ext\/)|wasm32-wasip1\/|(?:__)?std(?:arg|bool|def|int|align|atomic|noreturn)[^/]*$|(?:__float_|float|limits|inttypes|iso646|tgmath)[^/]*\.h$)/;

export const linkedObjects = ['crt1-command.o'];
export const libraries = ['libc++.a', 'libc++abi.a', 'libc-printscan-long-double.a', 'libc.a'];
const linked = new Set([...[...linkedObjects, ...libraries].map((name) => `lib/wasm32-wasip1/${name}`), 'lib/wasm32-unknown-wasip1/libclang_rt.builtins.a']);

export const isInKit = (path) => linked.has(path) || headers.test(path);
/** Files of the kit by where the compiler finds them. */
export const kitFiles = (entries) => Object.fromEntries([...entries].filter(([path]) => isInKit(path)).map(([path, bytes]) => [`${folder}/${path}`, bytes]));

/** Where the compiler looks, in this order: `<math.h>` is the library's. */
export const kitFolders = [`/${folder}/include/c++/v1`, `/${folder}/include`, `/${folder}/include/wasm32-wasip1`];
export const kitResources = `/${folder}`;
export const objectPaths = linkedObjects.map((name) => `/${folder}/lib/wasm32-wasip1/${name}`);
export const libraryPaths = [...libraries.map((name) => `/${folder}/lib/wasm32-wasip1/${name}`), `/${folder}/lib/wasm32-unknown-wasip1/libclang_rt.builtins.a`];
