/** Boxes of ISO 14496-12: a length, four letters, content. */

export interface Box {
  readonly type: string;
  /** Without the header. */
  readonly content: Buffer;
}

/** Left out: what follows a length that is not true. */
export const readBoxes = (bytes: Buffer): readonly Box[] => {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const short = bytes.readUInt32BE(at);
    const isLong = short === 1;
    if (isLong && at + 16 > bytes.length) break;
    const size = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? bytes.length - at : short;
    const header = isLong ? 16 : 8;
    if (size < header || at + size > bytes.length) break;
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), content: bytes.subarray(at + header, at + size) });
    at += size;
  }
  return boxes;
};

export const childOf = (bytes: Buffer, ...path: readonly string[]): Buffer | undefined => {
  let content: Buffer | undefined = bytes;
  for (const name of path) {
    if (content === undefined) return undefined;
    content = readBoxes(content).find(({ type }) => type === name)?.content;
  }
  return content;
};

export const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(content.length + 8, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, content]);
};

export const uint32s = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
};

/** A box with a version and flags before its content. */
export const fullBox = (
  type: string,
  { version, flags }: { readonly version: number; readonly flags: number },
  ...parts: readonly Buffer[]
): Buffer => box(type, uint32s(version * 0x1000000 + flags), ...parts);
