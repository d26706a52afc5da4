/**
 * Wakes viewers of logs, in every copy of the service. Logs that have grown are announced together, a few times a second and apart from their
 * commits: a commit that notifies waits for all others that do.
 */
import { hash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { LogLocation } from '../../../ports/workflow/log-store';
import { backoffMilliseconds, pause } from '../../../server/runtime/backoff';
import { rowsOf } from '../pool';
import { logsChannel } from './log-schema';

/** Well below the second in which viewers see a chunk. */
const batchMilliseconds = 50;
/** A notification holds 8,000 bytes. */
const keysPerNotification = 400;

const announceStatement = {
  name: 'announce-workflow-logs',
  text: `select pg_notify('${logsChannel}', keys) from unnest($1::text[]) as keys`,
};

const keyOf = ({ tenantId, jobId, attempt }: LogLocation): string =>
  hash('sha256', `${tenantId} ${jobId} ${attempt}`, 'base64url').slice(0, 16);

export interface LogWakeUps {
  readonly announce: (log: LogLocation) => void;
  readonly watch: (log: LogLocation, notify: () => void) => { readonly close: () => void };
  readonly close: () => Promise<void>;
}

export const openLogWakeUps = (pool: Pool): LogWakeUps => {
  const watchers = new Map<string, Set<() => void>>();
  const stopping = new AbortController();
  let grown = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let listening: Promise<void> | undefined;
  let sending: Promise<unknown> = Promise.resolve();

  const wake = (key: string): void => {
    for (const notify of [...(watchers.get(key) ?? [])]) notify();
  };
  const wakeAll = (): void => {
    for (const key of [...watchers.keys()]) wake(key);
  };

  const send = (): void => {
    timer = undefined;
    const keys = [...grown];
    grown = new Set();
    const payloads: string[] = [];
    for (let at = 0; at < keys.length; at += keysPerNotification)
      payloads.push(keys.slice(at, at + keysPerNotification).join(' '));
    // A lost notification delays viewers elsewhere until they look by themselves.
    sending = rowsOf(pool, announceStatement, [payloads]).catch(() => undefined);
  };

  const listenOn = async (client: PoolClient): Promise<void> => {
    const ended = new Promise<void>((resolve) => {
      client.once('end', resolve);
      client.once('error', () => resolve());
      stopping.signal.addEventListener('abort', () => resolve(), { once: true });
      if (stopping.signal.aborted) resolve();
    });
    client.on('notification', ({ payload = '' }) => payload.split(' ').forEach(wake));
    await client.query(`listen ${logsChannel}`);
    // What grew before the connection listened.
    wakeAll();
    await ended;
  };
  const listen = async (): Promise<void> => {
    for (let attempt = 0; !stopping.signal.aborted; attempt += 1) {
      try {
        const client = await pool.connect();
        try {
          await listenOn(client);
        } finally {
          // Its subscription must not stay with a connection that others use.
          client.release(true);
        }
        attempt = 0;
      } catch {
        // Postgres is away: viewers look by themselves meanwhile.
      }
      await pause(backoffMilliseconds(attempt), stopping.signal);
    }
  };

  return {
    announce: (log) => {
      const key = keyOf(log);
      // Viewers of this process need no detour.
      wake(key);
      grown.add(key);
      if (!stopping.signal.aborted) timer ??= setTimeout(send, batchMilliseconds);
    },
    watch: (log, notify) => {
      const key = keyOf(log);
      // A set holds a function once, so two watchers that pass the same one must differ.
      const own = (): void => notify();
      const others = watchers.get(key);
      if (others === undefined) watchers.set(key, new Set([own]));
      else others.add(own);
      listening ??= listen();
      return {
        close: () => {
          const left = watchers.get(key);
          left?.delete(own);
          if (left?.size === 0) watchers.delete(key);
        },
      };
    },
    close: async () => {
      stopping.abort();
      clearTimeout(timer);
      await Promise.all([listening, sending]);
    },
  };
};
