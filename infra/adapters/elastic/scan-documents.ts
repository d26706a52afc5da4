/** Documents of an index, a page at a time, as it stood when the walk began. */
import type { Client, estypes } from '@elastic/elasticsearch';
import { erasureFields } from './erasure-fields';
import { exceptMarker } from './index-marker';

const pageDocuments = 1_000;
const keepAlive = '1m';

export interface FoundDocument {
  readonly id: string;
  readonly source: { readonly [field: string]: unknown };
}

/** Fails rather than leave out a shard that does not answer. */
export async function* findDocuments(
  client: Client,
  index: string,
  search: { readonly query: estypes.QueryDslQueryContainer; readonly without?: readonly string[] },
): AsyncGenerator<readonly FoundDocument[], void> {
  const { id } = await client.openPointInTime({ index, keep_alive: keepAlive });
  try {
    for (let after: unknown[] | undefined; ; ) {
      const { hits } = await client.search<FoundDocument['source']>({
        pit: { id, keep_alive: keepAlive },
        size: pageDocuments,
        query: search.query,
        sort: [{ _shard_doc: 'asc' }],
        track_total_hits: false,
        allow_partial_search_results: false,
        ...(search.without === undefined ? {} : { _source: { excludes: [...search.without] } }),
        ...(after === undefined ? {} : { search_after: after as string[] }),
      });
      if (hits.hits.length === 0) return;
      yield hits.hits.map(({ _id: document = '', _source: source = {} }) => ({ id: document, source }));
      after = hits.hits.at(-1)?.sort as unknown[] | undefined;
    }
  } finally {
    await client.closePointInTime({ id });
  }
}

export async function* scanDocuments(client: Client, index: string): AsyncGenerator<unknown, void> {
  for await (const documents of findDocuments(client, index, { query: exceptMarker, without: erasureFields }))
    for (const { source } of documents) yield source;
}
