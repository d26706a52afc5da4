/** Updates that no editor makes: any neighbours, in any order. */
import { encodeBase64 } from '../../../domain/editor/text/base64';
import { textRootName } from '../../../domain/editor/text/text-content';

export type ItemId = readonly [client: number, clock: number];

export interface HandmadeItem {
  readonly origin: ItemId | null;
  readonly right: ItemId | null;
  readonly text: string;
}

const count = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...count(Math.floor(value / 128))];
const words = (value: string): number[] => [...count(Buffer.byteLength(value)), ...Buffer.from(value)];
const place = (value: ItemId | null): number[] => (value === null ? [] : value.flatMap(count));

const itemBytes = ({ origin, right, text }: HandmadeItem): number[] => [
  4 | (origin === null ? 0 : 0x80) | (right === null ? 0 : 0x40),
  ...place(origin),
  ...place(right),
  ...(origin === null && right === null ? [1, ...words(textRootName)] : []),
  ...words(text),
];

/** By one client, from that clock on; nothing is deleted, or one character. */
export const handmadeUpdate = ([client, clock]: ItemId, items: readonly HandmadeItem[], gone?: ItemId): string =>
  encodeBase64(
    Uint8Array.from([
      ...[1, ...count(items.length), ...count(client), ...count(clock)],
      ...items.flatMap(itemBytes),
      ...(gone === undefined ? [0] : [1, ...count(gone[0]), 1, ...count(gone[1]), 1]),
    ]),
  );
