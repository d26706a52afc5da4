/** A whole system, each service a process of its own, for tests that kill and freeze them while clients go on as real ones do. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../infra/operate/launch/free-port';
import { send } from '../../../packages/data-directory/src/process-identity';
import type { Tenant } from '../identity/tenant';
import { descendantsOf, isRunning, type Launched, launch, linkTools } from './launcher';
import { openSystem } from './running-system';

/** What is killed is back within a minute. */
const timeoutMilliseconds = 180_000;

/** Until it is answered with success. */
export const patiently = async <Content>(request: () => Promise<Response>): Promise<Content> => {
  let last = '';
  for (const began = Date.now(); Date.now() - began < timeoutMilliseconds; await sleep(300)) {
    try {
      const answer = await request();
      last = await answer.text();
      if (answer.ok) return (last === '' ? undefined : JSON.parse(last)) as Content;
      last = `${answer.status} ${last}`;
      if (answer.status < 500 && answer.status !== 429 && answer.status !== 401) break;
    } catch (error) {
      last = String(error);
    }
  }
  return assert.fail(last);
};

/** Longer than a worker's claim lasts. */
const frozenMilliseconds = 20_000;

export interface Disturbance {
  /** Of command lines, in the order in which their processes are killed. */
  readonly killed: readonly RegExp[];
  /** Then these are stopped, and go on later. */
  readonly frozen: readonly RegExp[];
  readonly pauseMilliseconds: number;
}

const pidsOf = (septet: Launched, victim: RegExp): readonly number[] => {
  const found = septet.processes().find(({ command }) => victim.test(command) && !command.includes('watchdog'));
  return found === undefined ? [] : [found.pid, ...descendantsOf(found.pid)].filter(isRunning);
};

const disturb = async (septet: Launched, { killed, frozen, pauseMilliseconds }: Disturbance): Promise<number> => {
  let kills = 0;
  for (const victim of killed) {
    await sleep(pauseMilliseconds);
    const [pid] = pidsOf(septet, victim);
    if (pid === undefined) continue;
    send(pid, 'SIGKILL');
    kills += 1;
  }
  for (const victim of frozen) {
    const pids = pidsOf(septet, victim);
    for (const pid of pids) send(pid, 'SIGSTOP');
    await sleep(frozenMilliseconds);
    for (const pid of pids) if (isRunning(pid)) send(pid, 'SIGCONT');
    await sleep(pauseMilliseconds);
  }
  return kills;
};

export const launchDisturbed = async (home: string) => {
  const data = join(home, 'data');
  linkTools(data);
  const septet = await launch({
    directory: process.cwd(),
    arguments: ['--data', data, '--port', String(await freePort()), '--processes'],
    env: { EMBEDDINGS: 'hashed' },
  });
  const stores = JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as {
    readonly POSTGRES_URL: string;
    readonly ELASTICSEARCH_URL: string;
  };
  const system = openSystem({ url: septet.url, data, postgresUrl: stores.POSTGRES_URL, indexPrefix: '' });

  /** A command under one idempotency key, however often it is sent. */
  const call = async <Content>(tenant: Tenant, method: string, path: string, body?: object): Promise<Content> => {
    const key = randomUUID();
    return patiently<Content>(async () =>
      fetch(`${septet.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await tenant.freshToken()}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  };
  return {
    data,
    stores,
    system,
    call,
    /** Resolves with how many were killed. */
    disturb: (disturbance: Disturbance) => disturb(septet, disturbance),
    close: async (): Promise<void> => {
      await system.close();
      await septet.stop();
    },
  };
};
export type DisturbedSystem = Awaited<ReturnType<typeof launchDisturbed>>;
