/**
 * A document in every index. Its absence distinguishes an index that was emptied, or created again under the
 * same name, from one without rows. It has no fields, so no tenant finds it.
 */
import type { Client } from '@elastic/elasticsearch';
import { undefinedIfMissing, undefinedIfNoDocument } from './client';
import { writeAlias } from './index-names';

const markerId = 'septet-marker';

/** In the mappings: the index was made with a marker. */
export const marked = { marker: true } as const;

export const writeMarker = async (client: Client, index: string): Promise<void> => {
  await client.index({ index: writeAlias(index), id: markerId, document: {}, require_alias: true });
};

export const exceptMarker = { bool: { must_not: { ids: { values: [markerId] } } } };

/** `unmarked`: of a release that wrote no markers. `foreign`: not made by us. */
export type IndexCondition = 'marked' | 'unmarked' | 'emptied' | 'foreign' | 'missing';

/** Of an index, or of the one behind an alias. */
export const conditionOf = async (client: Client, name: string): Promise<IndexCondition> => {
  const marker = await undefinedIfMissing(() =>
    undefinedIfNoDocument(() => client.get({ index: name, id: markerId, _source: false })),
  );
  if (marker !== undefined) return 'marked';
  const mappings = await undefinedIfMissing(() => client.indices.getMapping({ index: name }));
  const [found] = Object.values(mappings ?? {});
  if (found === undefined) return 'missing';
  const { dynamic, _meta: meta } = found.mappings;
  if (meta?.marker === true) return 'emptied';
  return dynamic === 'strict' ? 'unmarked' : 'foreign';
};

/** An index of a release that wrote no markers gets one, and its alias for writes. */
export const mark = async (client: Client, index: string): Promise<void> => {
  await client.indices.putAlias({ index, name: writeAlias(index) });
  await writeMarker(client, index);
  await client.indices.putMapping({ index, _meta: marked });
};
