/** Publishes security state changes to a Redis stream and reads them from it: fast, and available while the log is not. */

import { isLeft } from 'fp-ts/Either';
import type { SecurityState } from '../../../packages/resource-server/src/verification/index';
import type { SecurityChange, SecurityFeed, SecuritySignal } from '../../ports/identity/security-state';
import type { Log } from '../../ports/runtime/log';
import type { ChangeFeed, ChangeFeedEntry, ChangeFeedWriter } from '../../ports/views/change-feed';
import { readChange, readSequence, writeChange } from './wire';

export const redisFeedName = 'security_state';

const decodeEntry = (entry: ChangeFeedEntry): SecuritySignal =>
  entry.kind === 'row' ? readChange(entry.row) : { kind: 'heartbeat', sequence: readSequence(entry.payload) };

export const readRedisFeed = (feed: ChangeFeed): SecurityFeed => ({
  follow: async function* (signal) {
    for await (const entry of feed.follow(signal)) yield decodeEntry(entry);
  },
});

export interface FeedPublisher {
  readonly apply: (signal: SecuritySignal) => void;
  /** Resolves when all received changes are published or have failed. */
  readonly settled: () => Promise<void>;
}

export interface FeedPublisherOptions {
  readonly state: SecurityState;
  readonly writer: ChangeFeedWriter;
  readonly log: Log;
}

/**
 * Publishes changes of the log. The feed stores the position that it has reached; when it lost it or was reset, and when a publisher begins,
 * everything still relevant is published again: the feed may have come to its position in another log. Several publishers may run:
 * duplicates do no harm.
 */
export const createFeedPublisher = ({ state, writer, log }: FeedPublisherOptions): FeedPublisher => {
  let fresh: SecurityChange[] = [];
  let isDue = false;
  let working: Promise<void> | undefined;
  let away = false;
  /** Read before the head of the log, so the log cannot be behind it. */
  let lastPublished: bigint | null = null;

  const failed = (detail: string): void => {
    if (!away) log.warn({ detail }, 'the feed of revocations cannot be written; gateways read the log');
    away = true;
  };
  const publish = async (changes: readonly SecurityChange[], published?: bigint): Promise<void> => {
    const done = await writer.append(changes.map(writeChange), published === undefined ? undefined : String(published));
    if (isLeft(done)) failed(done.left.detail);
    else away = false;
  };
  const publishUpTo = async (headSequence: bigint): Promise<void> => {
    const found = await writer.lastPosition();
    if (isLeft(found)) return failed(found.left.detail);
    const published = readSequence(found.right);
    const isReset = lastPublished === null || lastPublished > headSequence;
    lastPublished = published;
    await publish(state.changesAfter(isReset ? null : published), headSequence);
  };
  const round = async (): Promise<void> => {
    while (isDue || fresh.length > 0) {
      const [changes, headSequence] = [fresh, isDue ? state.sequence() : null];
      fresh = [];
      isDue = false;
      if (headSequence !== null) await publishUpTo(headSequence);
      else if (changes.length > 0) await publish(changes);
    }
  };
  const begin = (): void => {
    working ??= round().finally(() => {
      working = undefined;
      // Received between the last check and here.
      if (isDue || fresh.length > 0) begin();
    });
  };
  return {
    apply: (signal) => {
      state.apply(signal);
      if (signal.kind === 'heartbeat') isDue = true;
      else fresh.push(signal);
      begin();
    },
    settled: async () => {
      while (working !== undefined) await working;
    },
  };
};
