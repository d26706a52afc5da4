import assert from 'node:assert/strict';
import { openMemoryEventStore } from '../../../../infra/adapters/eventstore/memory-event-store';
import type { SecurityChange } from '../../../../infra/ports/identity/security-state';
import { pollEventLog, subscribeEventLog } from '../../../../infra/server/security-state/event-log-feed';
import { applyFeed } from '../../../../infra/server/security-state/follow-feed';
import { steadyPace } from '../../../../infra/server/security-state/poll-pace';
import { createSecurityState } from '../../../../packages/resource-server/src/revocation/security-state';
import { capturedLog } from '../../../support/http/http-service';
import { claims } from './changes';
import { bump, now, record } from './recorded';

describe('the wake signal of the log', () => {
  it('tells at once what is recorded from now on', async () => {
    const store = openMemoryEventStore();
    await record(store, bump(2));
    const stop = new AbortController();
    const signals = subscribeEventLog(store).follow(stop.signal)[Symbol.asyncIterator]();
    const first = signals.next();
    // It reads the head before it subscribes.
    await new Promise(setImmediate);
    await record(store, bump(3));
    const change = (await first).value as SecurityChange;
    assert.equal(change.minimum, 3);
    stop.abort();
  });

  it('may lose what it likes: the log itself tells it', async () => {
    const store = openMemoryEventStore();
    const state = createSecurityState(now);
    const stop = new AbortController();
    const deaf = { follow: async function* () {} };
    const following = { log: capturedLog(), signal: stop.signal, pauseMilliseconds: 1 };
    const followed = [deaf, pollEventLog(store, { pace: steadyPace(1), now })].map((feed) =>
      applyFeed(state, feed, following),
    );
    await record(store, bump(2));
    while (state.sequence() !== 128n) await new Promise(setImmediate);
    assert.equal(state.refusal(claims({ sub: 'p-1' }), 'key-1'), 'token_revoked');
    stop.abort();
    await Promise.all(followed);
  });

  it('is followed again after it failed', async () => {
    const log = capturedLog();
    const stop = new AbortController();
    const state = createSecurityState(now);
    let attempts = 0;
    const feed = {
      follow: async function* () {
        attempts += 1;
        if (attempts === 1) throw new Error('away');
        yield { kind: 'heartbeat', sequence: 1n } as const;
        stop.abort();
      },
    };
    await applyFeed(state, feed, { log, signal: stop.signal, pauseMilliseconds: 1 });
    assert.equal(state.sequence(), 1n);
    assert.equal(log.lines.length, 2, 'a line when it failed, and one when it was back');
  });
});
