/** Every document of an index, a page at a time, as it stood when the walk began. */
import type { Client } from '@elastic/elasticsearch';
import { exceptMarker } from './index-marker';

const pageDocuments = 1_000;
const keepAlive = '1m';

export async function* scanDocuments(client: Client, index: string): AsyncGenerator<unknown> {
  const { id } = await client.openPointInTime({ index, keep_alive: keepAlive });
  try {
    for (let after: unknown[] | undefined; ; ) {
      const { hits } = await client.search({
        pit: { id, keep_alive: keepAlive },
        size: pageDocuments,
        query: exceptMarker,
        sort: [{ _shard_doc: 'asc' }],
        track_total_hits: false,
        ...(after === undefined ? {} : { search_after: after as string[] }),
      });
      for (const hit of hits.hits) yield hit._source;
      after = hits.hits.at(-1)?.sort as unknown[] | undefined;
      if (after === undefined) return;
    }
  } finally {
    await client.closePointInTime({ id });
  }
}
