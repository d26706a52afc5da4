/** Epochs from the feed of the read model that holds them. */
import { isLeft } from 'fp-ts/Either';
import { decode, integer, record, text } from '../../domain/kernel/codec';
import type { EpochFeed, EpochSignal } from '../ports/epochs';
import type { Feed, FeedEntry } from '../ports/feed';

export const epochsView = 'identity_epochs';

const id = text('id', { maxLength: 256 });
const EpochRow = record('EpochRow', { tenantId: id, principalId: id, securityEpoch: integer(0) });

const signalOf = (entry: FeedEntry): EpochSignal => {
  if (entry.kind === 'beat') return { kind: 'heartbeat' };
  const row = decode(EpochRow, entry.row);
  if (isLeft(row)) throw new Error('a row of the epochs feed cannot be read');
  return { kind: 'bump', ...row.right, at: entry.at };
};

export const feedEpochs = (feed: Feed): EpochFeed => ({
  follow: async function* (signal) {
    for await (const entry of feed.follow(signal)) yield signalOf(entry);
  },
});
