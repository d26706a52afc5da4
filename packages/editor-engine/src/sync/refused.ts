/** What becomes of a batch that its owner did not take. */
import type { FromServer } from '../../../../domain/editor/messages/from-server';
import { recover } from '../ledger';
import type { Pending } from '../scene/pending';
import { nextBatch, smaller } from './batch';
import { flush, pause, type Sender } from './sender';

/** One of them cannot be sent at all: parts are tried until it is found. */
const isolate = (sender: Sender, batch: readonly Pending[], reason: 'malformed' | 'too-large'): void => {
  const { ledger } = sender;
  const isOne = nextBatch(batch, { operations: 1, bytes: 1 }).length === batch.length;
  sender.batch = undefined;
  sender.room = smaller({ operations: batch.length, bytes: sender.room.bytes });
  if (!isOne) {
    flush(sender);
    return;
  }
  recover(
    ledger,
    batch.map((item) => ({ item, reason, isUncertain: false })),
  );
  for (const { operation } of batch)
    ledger.emitter.emit({ kind: 'notice', notice: { opId: operation.opId, operation, status: 'rejected', reason } });
  sender.rejoin();
};

/** The batch as a whole was refused, and nothing of it is settled. */
export const refused = (sender: Sender, { code, clientSeq }: FromServer<'error'>): void => {
  const { batch } = sender;
  const isThis = clientSeq === undefined || clientSeq === batch?.at(-1)?.operation.clientSeq;
  if (batch === undefined || !isThis) return;
  if (code === 'client-seq-gap') sender.rejoin();
  else if (code === 'malformed') isolate(sender, batch, 'malformed');
  else if (code === 'batch-too-large') isolate(sender, batch, 'too-large');
  else pause(sender, 1_000);
};
