/**
 * SHA-256 (FIPS 180-4) of bytes as they come: browsers digest whole buffers only, and none on pages without https. Inside, words are
 * 32-bit integers.
 */

/** First 32 bits of the fractional parts of square and cube roots of primes, section 5.3.3 and 4.2.2. */
const primes = (count: number): readonly number[] => {
  const found: number[] = [];
  for (let next = 2; found.length < count; next += 1) if (found.every((prime) => next % prime !== 0)) found.push(next);
  return found;
};
const fraction = (value: number): number => Math.floor((value - Math.floor(value)) * 2 ** 32) | 0;
const roundConstants = Int32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)));
const initialHash = Int32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)));

const blockBytes = 64;

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

export interface Sha256 {
  readonly update: (bytes: Uint8Array) => void;
  /** In hexadecimal. Called once, at the end. */
  readonly digest: () => string;
}

export const createSha256 = (): Sha256 => {
  const hash = Int32Array.from(initialHash);
  const schedule = new Int32Array(64);
  const rest = new Uint8Array(blockBytes);
  let restBytes = 0;
  let totalBytes = 0;

  const compress = (bytes: Uint8Array, offset: number): void => {
    const view = new DataView(bytes.buffer, bytes.byteOffset + offset, blockBytes);
    for (let t = 0; t < 16; t += 1) schedule[t] = view.getInt32(t * 4);
    for (let t = 16; t < 64; t += 1) {
      const before = schedule[t - 15] as number;
      const last = schedule[t - 2] as number;
      const small0 = rotate(before, 7) ^ rotate(before, 18) ^ (before >>> 3);
      const small1 = rotate(last, 17) ^ rotate(last, 19) ^ (last >>> 10);
      schedule[t] = (small1 + (schedule[t - 7] as number) + small0 + (schedule[t - 16] as number)) | 0;
    }
    let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
    for (let t = 0; t < 64; t += 1) {
      const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const choice = (e & f) ^ (~e & g);
      const one = (h + big1 + choice + (roundConstants[t] as number) + (schedule[t] as number)) | 0;
      const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const two = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) hash[at] = ((hash[at] as number) + word) | 0;
  };

  const update = (bytes: Uint8Array): void => {
    totalBytes += bytes.length;
    let at = 0;
    if (restBytes > 0) {
      at = Math.min(blockBytes - restBytes, bytes.length);
      rest.set(bytes.subarray(0, at), restBytes);
      restBytes += at;
      if (restBytes < blockBytes) return;
      compress(rest, 0);
      restBytes = 0;
    }
    for (; at + blockBytes <= bytes.length; at += blockBytes) compress(bytes, at);
    rest.set(bytes.subarray(at));
    restBytes = bytes.length - at;
  };

  const digest = (): string => {
    const bits = totalBytes * 8;
    const padding = new Uint8Array(restBytes < 56 ? blockBytes - restBytes : 2 * blockBytes - restBytes);
    padding[0] = 0x80;
    const length = new DataView(padding.buffer);
    length.setUint32(padding.length - 8, Math.floor(bits / 2 ** 32));
    length.setUint32(padding.length - 4, bits >>> 0);
    update(padding);
    return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  };
  return { update, digest };
};
