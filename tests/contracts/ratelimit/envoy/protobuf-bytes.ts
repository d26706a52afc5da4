/** Protocol buffers by hand (protobuf.dev/programming-guides/encoding): nothing of ours reads or writes them here. */

const varint = (value: number | bigint): Buffer => {
  const bytes: number[] = [];
  for (let rest = BigInt(value); ; rest >>= 7n) {
    const more = rest > 127n;
    bytes.push(Number(rest & 127n) | (more ? 128 : 0));
    if (!more) return Buffer.from(bytes);
  }
};

export const number = (field: number, value: number | bigint): Buffer =>
  Buffer.concat([varint(field << 3), varint(value)]);

export const nested = (field: number, ...content: readonly (Buffer | string)[]): Buffer => {
  const bytes = Buffer.concat(content.map((one) => Buffer.from(one)));
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
};

export type Value = number | Buffer;
/** Of each field all of its values, in their order. */
export type Fields = { readonly [field: number]: readonly Value[] };

const varintAt = (bytes: Buffer, start: number): readonly [value: number, next: number] => {
  let value = 0n;
  for (let at = start; ; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) throw new Error('a number ends too early');
    value |= BigInt(byte & 127) << BigInt(7 * (at - start));
    if (byte < 128) return [Number(value), at + 1];
  }
};

export const fieldsIn = (bytes: Buffer): Fields => {
  const fields: { [field: number]: Value[] } = {};
  for (let at = 0; at < bytes.length; ) {
    const [tag, begin] = varintAt(bytes, at);
    const [value, next] = varintAt(bytes, begin);
    const isText = (tag & 7) === 2;
    const before = fields[tag >> 3] ?? [];
    fields[tag >> 3] = [...before, isText ? bytes.subarray(next, next + value) : value];
    at = isText ? next + value : next;
  }
  return fields;
};
