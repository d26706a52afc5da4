/** Base64 in Node and browsers. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const chunk = 8_192;
const invalid = 255;

const values = new Uint8Array(128).fill(invalid);
for (let value = 0; value < alphabet.length; value += 1) values[alphabet.charCodeAt(value)] = value;

export const encodeBase64 = (bytes: Uint8Array): string => {
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += chunk)
    pieces.push(String.fromCharCode(...bytes.subarray(start, start + chunk)));
  return btoa(pieces.join(''));
};

const paddingOf = (base64: string): number => {
  if (base64.endsWith('==')) return 2;
  return base64.endsWith('=') ? 1 : 0;
};

/** Undefined if the text is not padded base64. */
export const decodeBase64 = (base64: string): Uint8Array | undefined => {
  if (base64.length % 4 !== 0) return undefined;
  const digits = base64.length - paddingOf(base64);
  const bytes = new Uint8Array(Math.floor((digits * 3) / 4));
  let bits = 0;
  let filled = 0;
  for (let index = 0; index < digits; index += 1) {
    const value = values[base64.charCodeAt(index)] ?? invalid;
    if (value === invalid) return undefined;
    bits = ((bits << 6) | value) & 0xffffff;
    if (index % 4 === 0) continue;
    bytes[filled] = (bits >>> (6 - 2 * (index % 4))) & 255;
    filled += 1;
  }
  return bytes;
};
