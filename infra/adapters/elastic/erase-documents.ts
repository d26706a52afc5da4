/** Gives documents of a personal view the values that they have without erased keys. */
import type { Client, estypes } from '@elastic/elasticsearch';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { WhenErased } from '../../ports/views/erasure';
import type { Batch, IndexView, ViewFault, ViewLost, ViewRefused } from '../../ports/views/view-store';
import { erasedKeysOf, eraseRow } from '../views/erase-rows';
import { type Operation, sendBulk, versioned } from './bulk';
import { withErasure } from './erasure-fields';
import { indexName, writeAlias } from './index-names';
import { type FoundDocument, findDocuments } from './scan-documents';

const dependents = (tenantId: string, keys: readonly string[]): estypes.QueryDslQueryContainer => ({
  bool: { filter: [{ term: { tenantId } }, { terms: { subjectKeys: [...keys] } }] },
});

/** The version is the batch's position, which no document in the index exceeds; a late request of an earlier batch changes none. */
const operationOf = (
  { id, source }: FoundDocument,
  keys: readonly string[],
  { index, position }: { readonly index: string; readonly position: bigint },
): Operation => {
  const { whenErased, subjectKeys: _, ...row } = source;
  const erased = eraseRow(whenErased as WhenErased, keys);
  const target = versioned(writeAlias(index), id, position);
  if (erased.kind === 'remove') return [{ delete: target }];
  const after = Object.keys(erased.whenErased).length === 0 ? undefined : erased.whenErased;
  return [{ index: target }, withErasure({ ...row, ...erased.fields }, after)];
};

/** Complete when it returns: what was written before is found, and what is erased is found no more. */
export const eraseDocuments = async (
  client: Client,
  view: IndexView,
  { generation, position, changes }: Batch,
): Promise<Either<ViewFault | ViewRefused | ViewLost, void>> => {
  const index = indexName(view, generation);
  for (const [tenantId, keys] of erasedKeysOf(changes)) {
    await client.indices.refresh({ index });
    for await (const documents of findDocuments(client, index, { query: dependents(tenantId, keys) })) {
      const operations = documents.map((document) => operationOf(document, keys, { index, position }));
      const sent = await sendBulk(client, operations, true);
      if (isLeft(sent)) return sent;
    }
  }
  return right(undefined);
};
