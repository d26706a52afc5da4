/** Reads files of places as the worker does, from bytes in memory that arrive in chunks. */
import { isLeft, isRight } from 'fp-ts/Either';
import { type ReadChange, readChanges } from '../../../commands/geo/imports/file/read-changes';
import type { ImportDefinition } from '../../../domain/geo/import/events';
import type { FieldMapping } from '../../../domain/geo/import/field-mapping';

const usual: ImportDefinition = {
  fileName: 'places',
  format: 'jsonl',
  size: 1,
  source: 'file',
  sourceVersion: 7,
  category: 'shop',
  attribution: null,
  synthetic: false,
  mapping: null,
};
export const mapping = (
  fields: FieldMapping['fields'],
  entityIdFrom: FieldMapping['entityIdFrom'] = null,
): FieldMapping => ({
  fields,
  entityIdFrom,
});

export async function* inChunks(bytes: Buffer, cuts: readonly number[]): AsyncGenerator<Buffer> {
  let from = 0;
  for (const cut of [
    ...cuts.map((one) => one % (bytes.length + 1)).toSorted((one, other) => one - other),
    bytes.length,
  ]) {
    yield bytes.subarray(from, cut);
    from = cut;
  }
}
export const collect = async <Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> => {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
};
export const readFile = (content: string | Buffer, more: Partial<ImportDefinition>, cuts: readonly number[] = []) => {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return collect(readChanges({ ...usual, ...more }, inChunks(bytes, cuts)));
};
export const faultsOf = (changes: readonly ReadChange[]): readonly (readonly [number, string])[] =>
  changes.flatMap(({ line, change }) => (isLeft(change) ? [[line, change.left[0]?.pointer ?? ''] as const] : []));
export const placesOf = (changes: readonly ReadChange[]) =>
  changes.flatMap(({ change }) => (isRight(change) && change.right.type === 'RecordPlace' ? [change.right.place] : []));
