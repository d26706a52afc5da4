/** Fields of protobuf messages as bytes, each with its tag, for requests that are made all the time. */
import { fieldLength, varintLength, writeField, writeNumber } from './node/storage/bytes';

export const field = (tag: number, bytes: Uint8Array): Buffer => {
  const made = Buffer.allocUnsafe(fieldLength(bytes.length));
  writeField(made, 0, tag, bytes);
  return made;
};

export const textField = (tag: number, value: string): Buffer => field(tag, Buffer.from(value));

/** A message within a message. */
export const nested = (tag: number, ...parts: readonly Uint8Array[]): Buffer => field(tag, Buffer.concat(parts));

export const numberField = (tag: number, value: number): Buffer => {
  const made = Buffer.allocUnsafe(1 + varintLength(value));
  writeNumber(made, 0, tag, value);
  return made;
};
