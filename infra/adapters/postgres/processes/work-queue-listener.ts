/**
 * Listens for claimable jobs, on a connection of its own. Without it, workers find them by polling. A worker's connection also proves
 * that it is alive: it holds a lock which Postgres releases when the worker's process or machine has ended, and not while its event loop
 * stands still.
 */
import type { Pool, PoolClient } from 'pg';
import { backoffMilliseconds, pause } from '../../../server/runtime/backoff';
import { jobsChannel, queueLock, workerLock } from './work-queue-schema';

export interface JobListener {
  readonly queues: readonly string[];
  /** Left out: that of work queues. */
  readonly channel?: string;
  /** Left out: its liveness is not checked. */
  readonly worker?: string;
  readonly notify: (queue: string) => void;
  readonly signal: AbortSignal;
}

/** The connection of a machine that is gone ends after about ten seconds. Of no effect on a local socket. */
const keepAlive = `select set_config('tcp_keepalives_idle', '4', false), set_config('tcp_keepalives_interval', '2', false),
  set_config('tcp_keepalives_count', '3', false)`;

/** Shared, because another copy may have the same name. */
const declareAlive = `select pg_advisory_lock_shared(${workerLock('$1')})`;

const declareServed = `select pg_advisory_lock_shared(${queueLock('queue')}) from unnest($1::text[]) as queue`;

/** Resolves when the connection breaks or the signal aborts. */
const listenOn = async (
  client: PoolClient,
  { queues, notify, signal, channel = jobsChannel, worker }: JobListener,
): Promise<void> => {
  const ended = new Promise<void>((resolve) => {
    client.once('end', resolve);
    client.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  client.on('notification', ({ payload = '' }) => {
    if (queues.includes(payload)) notify(payload);
  });
  if (worker !== undefined) {
    await client.query(keepAlive);
    await client.query(declareAlive, [worker]);
    await client.query(declareServed, [queues]);
  }
  await client.query(`listen ${channel}`);
  // What was enqueued before the connection listened.
  for (const queue of queues) notify(queue);
  await ended;
};

export const listenForJobs = async (pool: Pool, listener: JobListener): Promise<void> => {
  const { signal } = listener;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      const client = await pool.connect();
      try {
        await listenOn(client, listener);
      } finally {
        // Its subscription must not stay with a connection that others use.
        client.release(true);
      }
      attempt = 0;
    } catch {
      // Postgres is away: workers poll meanwhile.
    }
    await pause(backoffMilliseconds(attempt), signal);
  }
};
