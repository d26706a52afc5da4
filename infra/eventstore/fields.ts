/** Fields of protobuf messages as bytes, each with its tag, for requests that are made all the time. Numbers up to 2^53. */

const varintLength = (value: number): number => {
  let length = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length += 1;
  return length;
};

const writeVarint = (target: Buffer, offset: number, value: number): number => {
  let at = offset;
  let rest = value;
  while (rest >= 0x80) {
    target[at] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
    at += 1;
  }
  target[at] = rest;
  return at + 1;
};

export const field = (tag: number, bytes: Uint8Array): Buffer => {
  const made = Buffer.allocUnsafe(1 + varintLength(bytes.length) + bytes.length);
  made[0] = tag;
  made.set(bytes, writeVarint(made, 1, bytes.length));
  return made;
};

export const textField = (tag: number, value: string): Buffer => field(tag, Buffer.from(value));

/** A message within a message. */
export const nested = (tag: number, ...parts: readonly Uint8Array[]): Buffer => field(tag, Buffer.concat(parts));

export const numberField = (tag: number, value: number): Buffer => {
  const made = Buffer.allocUnsafe(1 + varintLength(value));
  made[0] = tag;
  writeVarint(made, 1, value);
  return made;
};
