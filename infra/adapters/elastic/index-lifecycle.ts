/** Making, switching and removing the indexes behind a view's generations. */
import type { Client } from '@elastic/elasticsearch';
import type { IndexView } from '../../ports/views/view-store';
import type { GenerationStorage } from '../postgres/views/generation-registry';
import { undefinedIfMissing } from './client';
import { indexBody } from './index-body';
import { conditionOf, writeMarker } from './index-marker';
import { indexName } from './index-names';

const aliased = async (client: Client, alias: string): Promise<readonly string[]> =>
  Object.keys((await undefinedIfMissing(() => client.indices.getAlias({ name: alias }))) ?? {});

export const createIndexStorage = (client: Client, view: IndexView): GenerationStorage => ({
  // Numbers are never used twice, so an index of that name is what an earlier attempt left before it was recorded.
  create: async (_, number) => {
    const index = indexName(view, number);
    await client.indices.delete({ index, ignore_unavailable: true });
    await client.indices.create({ index, ...indexBody(view, index) });
    await writeMarker(client, index);
  },
  switchTo: async (_, number) => {
    const before = await aliased(client, view.name);
    await client.indices.updateAliases({
      actions: [
        ...before.map((index) => ({ remove: { index, alias: view.name } })),
        { add: { index: indexName(view, number), alias: view.name } },
      ],
    });
  },
  isWhole: async (number) => {
    const condition = await conditionOf(client, indexName(view, number));
    return condition === 'marked' || condition === 'unmarked';
  },
  drop: async (_, number) => {
    await client.indices.delete({ index: indexName(view, number), ignore_unavailable: true });
  },
  present: async () => {
    const prefix = indexName(view, '');
    const found = Object.keys(await client.indices.get({ index: `${prefix}*`, allow_no_indices: true }));
    return found.map((index) => Number(index.slice(prefix.length))).filter(Number.isSafeInteger);
  },
});
