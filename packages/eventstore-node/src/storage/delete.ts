/** Soft delete, which metadata can undo, and tombstone, which is final. */
import { randomUUID } from 'node:crypto';
import { isSoftDeleted, isTombstoned } from './streams/stream-heads';
import { type ExpectedRevision, noStream, writeTombstone, writeTruncateBefore } from './write-events';
import type { Transaction } from './writer';

export type DeleteOutcome =
  | { readonly kind: 'deleted'; readonly position: number }
  | { readonly kind: 'wrong-revision'; readonly revision: number }
  | { readonly kind: 'stream-deleted' };

export interface DeleteRequest {
  readonly stream: Buffer;
  readonly expected: ExpectedRevision;
}

const int64Maximum = '9223372036854775807';

export const softDelete =
  ({ stream, expected }: DeleteRequest) =>
  (transaction: Transaction): DeleteOutcome => {
    if (isTombstoned(transaction.heads, stream)) return { kind: 'stream-deleted' };
    const head = transaction.heads.get(stream);
    // A stream that has only metadata can be deleted; an unknown one cannot.
    if (head === undefined) return { kind: 'wrong-revision', revision: noStream };
    if (expected === 'exists' && isSoftDeleted(head)) return { kind: 'stream-deleted' };
    if (typeof expected === 'number' && expected !== head.last) return { kind: 'wrong-revision', revision: head.last };
    return { kind: 'deleted', position: writeTruncateBefore(transaction, stream, int64Maximum) };
  };

export const tombstone =
  ({ stream, expected }: DeleteRequest) =>
  (transaction: Transaction): DeleteOutcome => {
    if (isTombstoned(transaction.heads, stream)) return { kind: 'stream-deleted' };
    const head = transaction.heads.get(stream);
    const last = head?.last ?? noStream;
    if (expected === 'exists' && head === undefined) return { kind: 'wrong-revision', revision: noStream };
    if (typeof expected === 'number' && expected !== last) return { kind: 'wrong-revision', revision: last };
    const event = {
      id: randomUUID(),
      type: '$streamDeleted',
      json: true,
      data: Buffer.alloc(0),
      metadata: Buffer.alloc(0),
    };
    return { kind: 'deleted', position: writeTombstone(transaction, stream, event) };
  };
