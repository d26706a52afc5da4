/** A log of numbered test events of several tenants, and a hub over it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRight, right } from 'fp-ts/Either';
import { openMemoryEventStore } from '../../../../infra/adapters/eventstore/memory-event-store';
import type { EventStore } from '../../../../infra/ports/event-store';
import type { ServerSentEvent } from '../../../../infra/server/http/routing/route';
import type { StreamIds } from '../../../../read-api/kernel/streams/event-ids';
import { followStream } from '../../../../read-api/kernel/streams/follow-stream';
import { type HubOptions, type LiveLog, openHub } from '../../../../read-api/kernel/streams/live-log';
import type { StreamSource } from '../../../../read-api/kernel/streams/stream-event';
import { capturedLog } from '../../../support/http/http-service';

const followed: StreamSource = {
  streams: ['test.thing-'],
  show: ({ type, data }) => {
    if (type === 'test.Broken.v1') throw new Error('defect');
    return type === 'test.Hidden.v1'
      ? undefined
      : { event: type === 'test.End.v1' ? 'End' : 'Thing', body: data as object };
  },
};

/** Positions as they are, to be read in the tests. */
const plainIds: StreamIds = {
  write: (_tenant, position) => String(position),
  read: (_tenant, id) => right(BigInt(id)),
};
const streamMetrics = { fellBack: () => undefined, delivered: () => undefined };

export const openNumberedLog = (store: EventStore = openMemoryEventStore()) => {
  const closing = new AbortController();
  const log = capturedLog();
  let number = 0;
  const append = async (tenant: string, type = 'test.Thing.v1'): Promise<bigint> => {
    number += 1;
    const event = { id: randomUUID(), type, data: { number }, metadata: {} };
    const appended = await store.append(`test.thing-${tenant}.${number % 3}`, 'any', [event]);
    assert.ok(isRight(appended));
    return appended.right.position;
  };
  const hub = (options: Partial<HubOptions> = {}, what = followed) =>
    openHub(
      { store, log, ids: plainIds, streamMetrics: streamMetrics, name: 'things', signal: closing.signal, ...options },
      what,
    );
  const live = async (options: Partial<HubOptions> = {}) => {
    const opened = await hub(options).live();
    assert.ok(isRight(opened));
    return opened.right;
  };
  return { store, log, append, hub, live, close: () => closing.abort() };
};

export const waitEventLoopTurns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A follower that takes one event after another. */
export const createFollower = (live: LiveLog, tenantId: string, after = live.last()) => {
  const leaving = new AbortController();
  const events = followStream(live, { tenantId, after, signal: leaving.signal });
  return { events, next: async () => (await events.next()).value as ServerSentEvent, leave: () => leaving.abort() };
};
