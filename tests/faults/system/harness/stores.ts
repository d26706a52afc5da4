/** Real stores of a system's own, each behind a proxy, and which processes each of them is. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { descendantsOf, isRunning, linkTools } from '../../../support/processes/launcher';
import { typescript } from '../../../support/runner/compiled';
import { openProxy, type ServerProxy } from '../../../support/servers/proxy';

export const storeNames = ['eventstore', 'postgres', 'redis', 'elasticsearch'] as const;
export type StoreName = (typeof storeNames)[number];

export interface Stores {
  /** Environment of processes that reach the stores through the proxies. */
  readonly proxied: Readonly<Record<string, string>>;
  /** The same, past them. */
  readonly direct: Readonly<Record<string, string>>;
  readonly proxies: Readonly<Record<StoreName, ServerProxy>>;
  /** The server, and then every process of it. */
  readonly pids: (name: StoreName) => readonly number[];
  readonly close: () => Promise<void>;
}

const shapes: Readonly<Record<StoreName, RegExp>> = {
  eventstore: /eventstore-node\/\S+\/main\b/,
  postgres: /\/postgres -D/,
  redis: /valkey-server|redis-server/,
  elasticsearch: /LocalElasticsearch/,
};

const variables: Readonly<Record<string, StoreName>> = {
  EVENTSTORE_URL: 'eventstore',
  EVENTSTORE_READER_URL: 'eventstore',
  POSTGRES_URL: 'postgres',
  POSTGRES_READER_URL: 'postgres',
  REDIS_URL: 'redis',
  ELASTICSEARCH_URL: 'elasticsearch',
};

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
};

const pidsUnder = (keeper: ChildProcess) => (name: StoreName) => {
  const all = descendantsOf(keeper.pid as number);
  const [server] = all.filter((pid) => {
    const command = commandOf(pid);
    return shapes[name].test(command) && !command.includes('watchdog');
  });
  assert.ok(server !== undefined, `${name} runs`);
  return [server, ...descendantsOf(server)].filter(isRunning);
};

const throughProxies = async (direct: Readonly<Record<string, string>>) => {
  const opened = new Map<StoreName, ServerProxy>();
  const proxied: Record<string, string> = { ...direct };
  for (const [variable, name] of Object.entries(variables)) {
    const url = new URL(direct[variable] as string);
    const proxy = opened.get(name) ?? (await openProxy(url.href));
    opened.set(name, proxy);
    url.host = new URL(proxy.url).host;
    proxied[variable] = url.href.replace(/\/$/, '');
  }
  return { proxied, proxies: Object.fromEntries(opened) as Stores['proxies'] };
};

const forced = 20_000;

const end = async (keeper: ChildProcess): Promise<void> => {
  const over = once(keeper, 'exit');
  keeper.kill('SIGTERM');
  const limit = new AbortController();
  await Promise.race([over, sleep(forced, undefined, { signal: limit.signal }).catch(() => undefined)]);
  limit.abort();
  keeper.kill('SIGKILL');
};

/** Stores that `given` names are elsewhere: they can be taken away by their proxies, and have no `pids`. */
export const startStores = async (data: string, given: Readonly<Record<string, string>> = {}): Promise<Stores> => {
  linkTools(data);
  const keeper = fork(join(__dirname, 'stores.main.ts'), [data], {
    execArgv: typescript(),
    env: { ...process.env, ...given },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const failed = once(keeper, 'exit').then(([code]) => assert.fail(`the stores ended with ${code}`));
  // Once they are up, their end is what the tests want.
  failed.catch(() => undefined);
  const [told] = (await Promise.race([once(keeper, 'message'), failed])) as [{ stores: Record<string, string> }];
  const { proxied, proxies } = await throughProxies(told.stores);
  const close = async (): Promise<void> => {
    await Promise.all(Object.values(proxies).map((proxy) => proxy.close()));
    await end(keeper);
  };
  return { direct: told.stores, proxied, proxies, pids: pidsUnder(keeper), close };
};
