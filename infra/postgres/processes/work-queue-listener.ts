/** Hears of jobs that may be claimed, on a connection of its own. Without it, workers find them by polling. */
import type { Pool, PoolClient } from 'pg';
import { backoffMilliseconds, pause } from '../../runtime/backoff';
import { jobsChannel } from './work-queue-schema';

export interface JobListener {
  readonly queues: readonly string[];
  /** Left out: that of work queues. */
  readonly channel?: string;
  readonly notify: (queue: string) => void;
  readonly signal: AbortSignal;
}

/** Resolves when the connection breaks or the signal aborts. */
const listenOn = async (
  client: PoolClient,
  { queues, notify, signal, channel = jobsChannel }: JobListener,
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
