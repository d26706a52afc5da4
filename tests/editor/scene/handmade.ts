/** Updates as nobody's editor makes them: any neighbours, in any order. */
import { base64Of } from '../../../domain/editor/text/base64';
import { root } from '../../../domain/editor/text/plain';

export type Place = readonly [client: number, clock: number];

export interface Item {
  readonly origin: Place | null;
  readonly right: Place | null;
  readonly text: string;
}

const count = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...count(Math.floor(value / 128))];
const words = (value: string): number[] => [...count(Buffer.byteLength(value)), ...Buffer.from(value)];
const place = (value: Place | null): number[] => (value === null ? [] : value.flatMap(count));

const itemBytes = ({ origin, right, text }: Item): number[] => [
  4 | (origin === null ? 0 : 0x80) | (right === null ? 0 : 0x40),
  ...place(origin),
  ...place(right),
  ...(origin === null && right === null ? [1, ...words(root)] : []),
  ...words(text),
];

/** By one client, from that clock on; nothing is deleted, or one character. */
export const handmade = ([client, clock]: Place, items: readonly Item[], gone?: Place): string =>
  base64Of(
    Uint8Array.from([
      ...[1, ...count(items.length), ...count(client), ...count(clock)],
      ...items.flatMap(itemBytes),
      ...(gone === undefined ? [0] : [1, ...count(gone[0]), 1, ...count(gone[1]), 1]),
    ]),
  );
