/** A batch as bulk requests. Versions are the events' positions, so that sending it again changes nothing. */
import type { Client } from '@elastic/elasticsearch';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Batch, IndexView, ViewFault, ViewLost, ViewRefused } from '../../ports/views/view-store';
import { mergeRowChanges, type RowChange } from '../views/merge-row-changes';
import { lost, refused, unavailable } from '../views/view-faults';
import { withErasure } from './erasure-fields';
import { documentId, indexName, writeAlias } from './index-names';

export const versioned = (index: string, id: string, position: bigint) => ({
  _index: index,
  _id: id,
  version: Number(position),
  version_type: 'external_gte' as const,
});

const operationsOf = (view: IndexView, generation: number) => {
  const index = writeAlias(indexName(view, generation));
  return ({ kind, fields, whenErased, position }: RowChange): Operation => {
    const target = versioned(index, documentId(view, fields), position);
    switch (kind) {
      case 'put':
        return [{ index: target }, withErasure(fields, whenErased)];
      case 'remove':
        return [{ delete: target }];
      case 'patch':
      case 'merge':
        throw new Error(`${view.name} is in Elasticsearch, which takes whole documents`);
    }
  };
};

/** A newer version is there already, or what was to be removed is gone. */
const isHarmless = (status: number): boolean => status === 409 || status === 404;

interface Outcome {
  readonly status: number;
  readonly error?: unknown;
}

const isGone = ({ error }: Outcome): boolean =>
  (error as { readonly type?: string } | undefined)?.type === 'index_not_found_exception';

const judged = (outcomes: readonly Outcome[]): Either<ViewFault | ViewRefused | ViewLost, void> => {
  if (outcomes.some(isGone)) return lost('The index of the view is gone.');
  const failed = outcomes.filter(({ status, error }) => error !== undefined && !isHarmless(status));
  if (failed.length === 0) return right(undefined);
  // A document that does not fit the mappings never will; a full queue or a missing shard passes.
  const forGood = failed.find(({ status }) => status === 400);
  return forGood === undefined
    ? unavailable(`Elasticsearch took only a part of the batch (status ${failed[0]?.status ?? 0}).`)
    : refused('Elasticsearch refuses a document that does not fit the mappings.');
};

/** For a shard that is away; the projector tries again, and finds out meanwhile whether it is lost. */
const shardSeconds = 5;

/** The server refuses requests of 100 MB, and requests that do not fit its heap; a few events may make more rows than that. */
const maxRequestBytes = 8 * 1024 * 1024;

/** An action, and its document unless it deletes one. */
export type Operation = readonly object[];

/** Lines of one request each, which exceeds `maxBytes` only with a single operation. */
export function* bulkRequests(
  operations: Iterable<Operation>,
  maxBytes = maxRequestBytes,
): Generator<readonly string[]> {
  let lines: string[] = [];
  let bytes = 0;
  for (const operation of operations) {
    const added = operation.map((line) => JSON.stringify(line));
    const size = added.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    if (lines.length > 0 && bytes + size > maxBytes) {
      yield lines;
      lines = [];
      bytes = 0;
    }
    lines.push(...added);
    bytes += size;
  }
  if (lines.length > 0) yield lines;
}

/** What was sent before a fault stays, and is sent again with the batch. */
export const sendBulk = async (
  client: Client,
  operations: Iterable<Operation>,
  refresh: boolean,
): Promise<Either<ViewFault | ViewRefused | ViewLost, void>> => {
  for (const lines of bulkRequests(operations)) {
    const answer = await client.bulk({
      operations: lines as string[],
      refresh,
      require_alias: true,
      timeout: `${shardSeconds}s`,
    });
    const outcome = judged(answer.items.flatMap((item) => Object.values(item) as Outcome[]));
    if (isLeft(outcome)) return outcome;
  }
  return right(undefined);
};

interface BulkWrite {
  readonly batch: Batch;
  /** The generation is active: readers wait for its position and expect the rows then, also while it catches up. */
  readonly isRead: boolean;
}

export const writeBulk = async (
  client: Client,
  view: IndexView,
  { batch, isRead }: BulkWrite,
): Promise<Either<ViewFault | ViewRefused | ViewLost, void>> => {
  const changes = [...mergeRowChanges(view, batch.changes).values()];
  if (changes.length === 0) return right(undefined);
  return sendBulk(client, changes.map(operationsOf(view, batch.generation)), batch.live || isRead);
};
