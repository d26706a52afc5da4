/** Counts passages of a file in the search index, once every copy of it has what was recorded. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { NamedView } from '../../../infra/ports/views/view-store';
import type { DeletionRun } from './deletion-run';

/** As it is declared beside what projects it, which the write side does not know; a test holds the names together. */
export const chunkRows: NamedView = { name: 'files_chunks', store: 'elastic' };

const pollMilliseconds = 200;
/** A view that is further behind is waited for by the next attempt. */
const mostWaits = 25;

export const countIndexed = async (
  { deps: { indexedRows }, tenant, job, signal }: DeletionRun,
  after: bigint,
): Promise<Either<string, number>> => {
  const selection = { tenantId: tenant, where: { fileId: job.payload.fileId }, after };
  for (let waits = 0; ; waits += 1) {
    const counted = await indexedRows.count(chunkRows, selection);
    if (!isLeft(counted)) return right(counted.right.rows);
    if (counted.left.code !== 'view-behind' || waits >= mostWaits || signal.aborted) return left(counted.left.detail);
    await sleep(pollMilliseconds);
  }
};
