/** The bytes of a limit, as the script reads them. */
import { hashOf } from './dimensions';
import type { Strictness } from './limit';

export const kinds = { bucket: 1, queue: 2, window: 3, log: 4, counter: 5, quota: 6, concurrency: 7 } as const;
const idBytes = 8;
const packedBytes = 2 + 5 * 8 + idBytes;
const strictnesses: { readonly [name in Strictness]: number } = { hard: 0, soft: 1, watched: 2 };

export type Numbers = readonly [kind: number, a: number, b?: number, c?: number, d?: number, e?: number];

/** 48 bits tell them apart. */
export const idOf = (name: string): string => hashOf([name]).slice(0, idBytes);

export const pack = ([kind, ...numbers]: Numbers, strictness: Strictness, id: string): Buffer => {
  const packed = Buffer.alloc(packedBytes);
  packed.writeUInt8(kind, 0);
  packed.writeUInt8(strictnesses[strictness], 1);
  numbers.forEach((number = 0, index) => {
    packed.writeDoubleLE(number, 2 + index * 8);
  });
  packed.write(id, packedBytes - idBytes, 'latin1');
  return packed;
};
