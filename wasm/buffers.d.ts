/** Elements of buffers: `i8` to `u64`, `f16`, `f32`, `f64`. */

export declare const widths: Readonly<Record<string, number>>;
export declare function isFloat(type: string): boolean;
/** A value's bits in an element of `type`; undefined: it is no value of such a type. */
export declare function bitsOf(type: string, value: unknown): bigint | undefined;
export declare function bitsOfDouble(value: number): bigint;
export declare function floatOf(value: unknown): number | undefined;
export declare function integerOf(value: unknown): bigint | undefined;
/** The elements of bytes as `run --json` prints them. */
export declare function valuesOf(type: string, bytes: Uint8Array): (number | string)[];
export declare function bytesOf(buffer: { base64: string }): Uint8Array;
