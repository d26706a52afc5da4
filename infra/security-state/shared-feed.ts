/** Revocations from the feed in Redis, which one relay writes and all gateways follow: quick, and there while the log is not. */
import type { Feed, FeedEntry } from '../ports/feed';
import type { SecurityFeed, SecuritySignal } from '../ports/security-state';
import { readChange, readSequence } from './wire';

export const securityFeedName = 'security_state';

const signalOf = (entry: FeedEntry): SecuritySignal =>
  entry.kind === 'row' ? readChange(entry.row) : { kind: 'heartbeat', sequence: readSequence(entry.said) };

export const sharedFeed = (feed: Feed): SecurityFeed => ({
  follow: async function* (signal) {
    for await (const entry of feed.follow(signal)) yield signalOf(entry);
  },
});
