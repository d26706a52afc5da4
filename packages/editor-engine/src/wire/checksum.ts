/** SHA-256, also on pages that were not served by https, which have no `crypto.subtle`. */
const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const primes = (count: number): readonly number[] => {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate += 1)
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  return found;
};

const fraction = (value: number): number => ((value - Math.floor(value)) * 0x1_0000_0000) | 0;
const constants = primes(64).map((prime) => fraction(Math.cbrt(prime)));
const start = primes(8).map((prime) => fraction(Math.sqrt(prime)));

const turned = (value: number, by: number): number => (value >>> by) | (value << (32 - by));

/** As long as a whole number of blocks, with its length at the end. */
const padded = (bytes: Uint8Array): DataView => {
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const all = new Uint8Array(length);
  all.set(bytes);
  all[bytes.length] = 0x80;
  const view = new DataView(all.buffer);
  view.setUint32(length - 8, Math.floor(bytes.length / 0x2000_0000));
  view.setUint32(length - 4, (bytes.length << 3) >>> 0);
  return view;
};

const at = (words: Int32Array, index: number): number => words[index] ?? 0;

const spread = (words: Int32Array, view: DataView, block: number): void => {
  for (let index = 0; index < 16; index += 1) words[index] = view.getInt32(block + index * 4);
  for (let index = 16; index < 64; index += 1) {
    const [early, late] = [at(words, index - 15), at(words, index - 2)];
    const low = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[index] = (at(words, index - 16) + low + at(words, index - 7) + high) | 0;
  }
};

const mixed = (state: Int32Array, words: Int32Array): void => {
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let index = 0; index < 64; index += 1) {
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + high + ((e & f) ^ (~e & g)) + (constants[index] ?? 0) + at(words, index)) | 0;
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const second = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index] = at(state, index) + value;
};

/** Without help of the platform; slower by far. */
export const plainSha256 = (bytes: Uint8Array): string => {
  const view = padded(bytes);
  const state = Int32Array.from(start);
  const words = new Int32Array(64);
  for (let block = 0; block < view.byteLength; block += 64) {
    spread(words, view, block);
    mixed(state, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [index, value] of state.entries()) digest.setInt32(index * 4, value);
  return hex(new Uint8Array(digest.buffer));
};

export const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
  const { subtle } = globalThis.crypto as { readonly subtle?: typeof globalThis.crypto.subtle };
  return subtle === undefined ? plainSha256(bytes) : hex(new Uint8Array(await subtle.digest('SHA-256', bytes)));
};
