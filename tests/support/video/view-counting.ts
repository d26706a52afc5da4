/** Heartbeats, counts and the log of a test, with consumers that end between any two steps. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import type { Pool } from 'pg';
import { consumeHeartbeats, type ViewCounting } from '../../../commands/video/views/consume-heartbeats';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import type { VideoId } from '../../../domain/video/ids';
import { videoViews, videoViewsStream } from '../../../domain/video/views/events';
import { createPostgresViewCounts } from '../../../infra/adapters/postgres/video/view-counts';
import type { RedisConnection } from '../../../infra/adapters/redis/connection';
import { createHeartbeatSink } from '../../../infra/adapters/redis/video/heartbeat-sink';
import { createHeartbeatSource } from '../../../infra/adapters/redis/video/heartbeat-source';
import type { EventStore } from '../../../infra/ports/event-store';
import type { HeartbeatSource, ReceivedHeartbeat, SentHeartbeat } from '../../../infra/ports/video/heartbeats';
import type { ViewCounts } from '../../../infra/ports/video/view-counts';
import { expectRight } from '../domain/expect-right';

/** Thrown in place of the process that ends: what it did before it stays, the rest of it does not happen. */
class Killed extends Error {}

type Async = (...given: never[]) => Promise<unknown>;

/** Each call may be the last one, before or after it took effect. */
const mortal = <Port extends object>(port: Port, dies: () => boolean): Port => {
  const call =
    (original: Async): Async =>
    async (...given) => {
      if (dies()) throw new Killed('before');
      const answer = await original(...given);
      if (dies()) throw new Killed('after');
      return answer;
    };
  return Object.fromEntries(
    Object.entries(port).map(([name, value]) => [name, typeof value === 'function' ? call(value as Async) : value]),
  ) as Port;
};

interface CountingParts {
  readonly redis: RedisConnection;
  readonly pool: Pool;
  readonly store: EventStore;
}

export const tenant = 'acme' as TenantId;

export const subjectOf = (_: string, viewerId: string): string => `subject of ${viewerId}`;

export const openViewCounting = ({ redis, pool, store }: CountingParts) => {
  const counts: ViewCounts = createPostgresViewCounts(pool, { subjectOf });
  const heartbeats: HeartbeatSource = createHeartbeatSource(redis);
  const sink = createHeartbeatSink(redis, { shortestPause: 0 });
  const clock = { now: () => new Date().toISOString() as Instant };
  /** Of what was sent since, as it arrived: kept beside, as trimmed streams forget it. */
  const arrived: ReceivedHeartbeat[] = [];
  const noting: HeartbeatSource = {
    ...heartbeats,
    read: async (...given) => {
      const page = await heartbeats.read(...given);
      if (!isLeft(page))
        for (const one of page.right.heartbeats)
          if (!arrived.some(({ id, videoId }) => id === one.id && videoId === one.videoId)) arrived.push(one);
      return page;
    },
  };
  const wiring: ViewCounting = { store, clock, counts, heartbeats: noting, waitedMilliseconds: 0 };
  const survives = async (parts: ViewCounting): Promise<boolean> => {
    try {
      await consumeHeartbeats(parts);
      return true;
    } catch (error) {
      if (error instanceof Killed) return false;
      throw error;
    }
  };
  return {
    ...{ counts, sink, arrived },
    consume: async (): Promise<void> => void expectRight(await consumeHeartbeats(wiring)),
    consumeUntilKilled: (dies: () => boolean): Promise<boolean> =>
      survives({
        ...wiring,
        counts: mortal(counts, dies),
        heartbeats: mortal(noting, dies),
        store: mortal({ append: store.append, read: store.read }, dies),
      }),
    /** The first append takes effect, and nothing after it. Answers how many there were. */
    consumeUntilAppended: async (): Promise<number> => {
      let appends = 0;
      const append: EventStore['append'] = async (...given) => {
        await store.append(...given);
        appends += 1;
        throw new Killed('after the append');
      };
      // The transaction around the append fails, as that of a process that ended.
      assert.ok(isLeft(await consumeHeartbeats({ ...wiring, store: { ...store, append } })));
      return appends;
    },
    /** From the log alone. */
    totalsOf: async (videoId: VideoId) => {
      const events = expectRight(await store.read(videoViewsStream(tenant, videoId)));
      const decoded = events.map(({ type, data }) => expectRight(videoViews.decode(type, data)));
      return { events: decoded, total: decoded.at(-1)?.data.totalSums };
    },
  };
};

export const heartbeatOf = (more: Partial<SentHeartbeat> = {}): SentHeartbeat => {
  const now = Date.now();
  return {
    ...{ tenant, videoId: 'v-1' as VideoId, viewerId: 'ada', sessionId: randomUUID(), sequence: 0 },
    ...{ watched: 30_000, position: 30_000, bufferingEvents: 0, seeks: 0, duration: 600_000 },
    ...{ issuedAt: now - 60_000, expiresAt: now + 3_600_000 },
    ...more,
  };
};

export const sendAll = async (
  { sink }: Pick<ReturnType<typeof openViewCounting>, 'sink'>,
  heartbeats: readonly SentHeartbeat[],
): Promise<readonly string[]> => {
  const receipts: string[] = [];
  for (let from = 0; from < heartbeats.length; from += 500) {
    const sent = await Promise.all(heartbeats.slice(from, from + 500).map((one) => sink.send(one)));
    receipts.push(...sent.map((one) => (isLeft(one) ? one.left.code : one.right)));
  }
  return receipts;
};
