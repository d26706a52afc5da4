/**
 * The processes of docker-compose.yml without Docker: each with the command, environment, secrets and volumes that the file gives it, from the
 * build. Volumes are directories, ports are free ones, and stores are those of the tests.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { S3Options } from '../../../infra/adapters/blobs/s3/client';
import { readerUrl } from '../../../infra/adapters/postgres/migrate';
import { freePort } from '../../../infra/operate/launch/free-port';
import { writeSecrets } from '../../../infra/operate/launch/secrets.main';
import { ensureBundle } from '../../../infra/server/bundle/bundle-cache.cjs';
import { exitOf } from '../processes/child-exit';
import { sized } from '../runner/size';
import { pauseAfter } from '../waiting/eventually';
import { type ComposeService, compose, mountsOf, ownServices } from './compose';

const inSecrets = '/run/secrets/';

/** Seven processes start at once and migrate their stores: on two busy cores, one has a small part of the processor. */
const readyMilliseconds = 180_000;

/** The run has a bundle of the same builder. */
export const buildForCompose = sized({
  short: async (): Promise<void> => {
    rmSync('dist', { recursive: true, force: true });
    cpSync(ensureBundle(), 'dist', { recursive: true });
  },
  long: async (): Promise<void> => void (await promisify(execFile)('npm', ['run', 'build'])),
});

export interface ComposeStores {
  /** Of an administrator. */
  readonly log: string;
  readonly postgres: string;
  readonly redis: string;
  readonly elasticsearch: string;
  /** In place of minio. */
  readonly bucket: S3Options | undefined;
}

export interface ComposeEnvironmentOptions {
  readonly home: string;
  readonly stores: ComposeStores;
  /** An installation, stopped, that goes on here with its secrets and at its address. */
  readonly before?: { readonly secrets: string; readonly url: string };
}

const withAccount = (url: string, login: string, password: string): string => {
  const address = new URL(url.replace(/^esdb:/, 'http:'));
  Object.assign(address, { username: login, password });
  return address.href.replace(/^http:/, 'esdb:').replace(/\/\?/, '?');
};

export const openComposeEnvironment = async ({ home, stores, before }: ComposeEnvironmentOptions) => {
  const secrets = join(home, 'secrets');
  if (before !== undefined) cpSync(before.secrets, secrets, { recursive: true });
  writeSecrets(secrets);
  const secret = (name: string): string => readFileSync(join(secrets, name), 'utf8');
  const { log, postgres, redis, elasticsearch, bucket } = stores;
  const addresses = {
    'event-store-admin-url': log,
    'event-store-url': withAccount(log, 'septet', secret('event-store-writer-password')),
    'event-store-reader-url': withAccount(log, 'septet-reader', secret('event-store-reader-password')),
    'postgres-url': postgres,
    'postgres-reader-url': readerUrl({ url: postgres, readerPassword: secret('postgres-reader-password') }),
    'redis-url': redis,
    'elasticsearch-url': elasticsearch,
    ...(bucket === undefined ? {} : { 's3-access-key': bucket.accessKey, 's3-secret-key': bucket.secretKey }),
  };
  for (const [name, value] of Object.entries(addresses)) writeFileSync(join(secrets, name), value);
  const ports = new Map<string, number>();
  for (const [name] of ownServices) ports.set(name, (await freePort()) as number);
  if (before !== undefined) ports.set('gateway', Number(new URL(before.url).port));
  const url = `http://127.0.0.1:${ports.get('gateway')}`;
  const running = new Map<string, ChildProcess>();

  /** Where a path of a container is: a volume is the same for all, `/tmp` and the image are the container's own and end with it. */
  const pathIn = (name: string, service: ComposeService, path: string): string => {
    const mount = mountsOf(service).find(({ target }) => path === target || path.startsWith(`${target}/`));
    if (mount?.source === undefined) return join(home, 'containers', name, path);
    return join(home, 'volumes', mount.source, path.slice(mount.target.length));
  };
  const valueIn = (name: string, service: ComposeService, value: string): string => {
    const set = value.replace(/\$\{PUBLIC_URL:-.*\}/, url);
    if (set.startsWith(inSecrets)) return join(secrets, set.slice(inSecrets.length));
    if (set.startsWith('/')) return pathIn(name, service, set);
    return set
      .replace(/^http:\/\/([a-z-]+):8080$/, (_, other: string) => `http://127.0.0.1:${ports.get(other)}`)
      .replace(/^(http:\/\/minio:9000|\$\{S3_PUBLIC_ENDPOINT:-.*\})$/, bucket?.endpoint ?? '$1')
      .replace(/^\$\{S3_PUBLIC_ENDPOINT:-(.*)\}$/, '$1')
      .replace(/^0\.0\.0\.0$/, '127.0.0.1')
      .replace(/^9090$/, '0');
  };
  const serviceOf = (name: string): ComposeService =>
    compose.services[name] ?? assert.fail(`there is no service ${name}`);
  /** The service's own command, where no other is given. */
  const start = (name: string, given: readonly string[] = serviceOf(name).command ?? []): ChildProcess => {
    const service = serviceOf(name);
    const { environment = {} } = service;
    const values = Object.entries(environment).map(([key, value]) => [key, valueIn(name, service, value)]);
    // Docker makes volumes; the image has the directories where they are mounted.
    for (const { target } of mountsOf(service)) mkdirSync(pathIn(name, service, target), { recursive: true });
    const here = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(ports.get(name)) };
    const [program, ...words] = given.map((word) => (word.startsWith('/') ? pathIn(name, service, word) : word));
    assert.equal(program, 'node');
    const env = { ...here, ...Object.fromEntries(values) };
    return spawn(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  };

  /** Fails at once when the process ends. */
  const becomesReady = async (name: string, child: ChildProcess): Promise<void> => {
    const began = Date.now();
    let seen = '';
    while (Date.now() - began < readyMilliseconds) {
      assert.equal(child.exitCode ?? child.signalCode, null, `${name} ended before it was ready`);
      const { ok, text } = await fetch(`http://127.0.0.1:${ports.get(name)}/readyz`).then(
        async (response) => ({ ok: response.status === 200, text: await response.text() }),
        ({ cause }: Error) => ({ ok: false, text: `${cause}` }),
      );
      if (ok) return;
      seen = text;
      await pauseAfter(Date.now() - began);
    }
    assert.fail(`${name} is not ready: ${seen}`);
  };

  /** Once what it depends on is there, as Docker starts it; stores are there already. */
  const bringUp = async (name: string, service: ComposeService): Promise<void> => {
    await Promise.all(Object.keys(service.depends_on ?? {}).map(up));
    const child = start(name);
    if (name === 'accounts') return assert.deepEqual(await once(child, 'exit'), [0, null]);
    running.set(name, child);
    await becomesReady(name, child);
  };
  const coming = new Map<string, Promise<void>>();
  const up = async (name: string): Promise<void> => {
    const [, service] = ownServices.find(([one]) => one === name) ?? [];
    if (service === undefined) return;
    const one = coming.get(name) ?? bringUp(name, service);
    coming.set(name, one);
    await one;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(
      [...running.values()].map((child) => {
        child.kill('SIGTERM');
        return exitOf(child);
      }),
    );
    running.clear();
  };
  return {
    url,
    secrets,
    secret,
    up,
    upAll: async (): Promise<void> => void (await Promise.all(ownServices.map(([name]) => up(name)))),
    /** `docker compose run --rm <name> <command>`; answers the exit code. */
    run: async (name: string, command: readonly string[]): Promise<unknown> =>
      (await once(start(name, command), 'exit'))[0],
    /** The directory that stands for a path in containers of that service. */
    directoryOf: (name: string, path: string): string => pathIn(name, serviceOf(name), path),
    stop,
  };
};

export type ComposeEnvironment = Awaited<ReturnType<typeof openComposeEnvironment>>;
