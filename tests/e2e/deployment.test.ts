/** docker-compose.yml without Docker: its processes as it describes them, from the build, on stores like its own. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../infra/launch/free-port';
import { writeSecrets } from '../../infra/launch/secrets.main';
import { readerUrl } from '../../infra/postgres/migrate';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { signIn } from '../support/identity/admin';
import { exitOf } from '../support/processes/child-exit';
import { needs } from '../support/runner/prerequisites';
import { certificatesIn } from '../support/servers/certificates';
import { type ComposeService, compose, ownServices } from '../support/servers/compose';
import { type EventStoreNode, startNodeHere } from '../support/servers/event-store-node';
import { elasticsearchForTests, freshDatabase, valkeyForTests } from '../support/servers/shared-servers';
import { pauseAfter } from '../support/waiting/eventually';

const inSecrets = '/run/secrets/';

/** Seven processes start at once and migrate their stores: on two busy cores, one has a small part of the processor. */
const readyMilliseconds = 180_000;

/** As `npm run build`, without the types, which `npm run check` holds: they are most of its time, and nothing of its outcome. */
const build = async (): Promise<void> => {
  const npm = (...script: readonly string[]) => promisify(execFile)('npm', ['run', '--silent', ...script]);
  await Promise.all([npm('build:modules', '--', '--noCheck'), npm('build:web')]);
};

describe('docker-compose.yml', () => {
  it('declares every secret that it mounts, each of which `npm run secrets` makes', () => {
    const home = temporaryDirectory('secrets');
    writeSecrets(home.path);
    const made = readdirSync(home.path).sort();
    const before = made.map((name) => readFileSync(join(home.path, name), 'utf8'));
    assert.deepEqual(writeSecrets(home.path), []);
    assert.deepEqual(
      made.map((name) => readFileSync(join(home.path, name), 'utf8')),
      before,
    );
    home.remove();
    assert.deepEqual(made, Object.keys(compose.secrets).sort());
    for (const [name, service] of Object.entries(compose.services)) {
      const text = JSON.stringify([service.command, service.environment]);
      const used = [...text.matchAll(/\/run\/secrets\/([a-z0-9-]+)/g)].map(([, secret]) => secret);
      assert.deepEqual([...new Set(used)].sort(), [...(service.secrets ?? [])].sort(), name);
    }
  });

  it('waits for what each service needs, and nothing that is not there', () => {
    for (const { depends_on: needs = {} } of Object.values(compose.services))
      for (const needed of Object.keys(needs)) assert.ok(needed in compose.services, needed);
  });
});

describe('the processes of docker-compose.yml, from the build', function () {
  this.timeout(240_000);
  const home = temporaryDirectory('deployment');
  const secrets = join(home.path, 'secrets');
  const running: ChildProcess[] = [];
  const ports = new Map<string, number>();
  let node: EventStoreNode;

  const replace = (name: string, value: string): void => writeFileSync(join(secrets, name), value);
  const secret = (name: string): string => readFileSync(join(secrets, name), 'utf8');
  /** What differs from the container: where the secrets lie, ports, and names that Docker would resolve. */
  const here = (value: string): string =>
    value
      .replace(inSecrets, `${secrets}/`)
      .replace(/^http:\/\/([a-z-]+):8080$/, (_, name: string) => `http://127.0.0.1:${ports.get(name)}`)
      .replace('/var/lib/septet', home.path)
      .replace(/^0\.0\.0\.0$/, '127.0.0.1')
      .replace(/^9090$/, '0')
      .replace(/^\$\{PUBLIC_URL:-.*\}$/, `http://127.0.0.1:${ports.get('gateway')}`)
      .replace(/^\$\{S3_PUBLIC_ENDPOINT:-(.*)\}$/, '$1');
  const start = (name: string, service: ComposeService, ...more: readonly string[]): ChildProcess => {
    const { command = [], environment = {} } = service;
    const given = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, here(value)]));
    const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(ports.get(name)), ...given };
    return spawn(process.execPath, [...command.slice(1), ...more], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  };

  /** Fails at once when the process ends. */
  const becomesReady = async (name: string, child: ChildProcess): Promise<void> => {
    const url = `http://127.0.0.1:${ports.get(name)}/readyz`;
    const began = Date.now();
    let seen = '';
    while (Date.now() - began < readyMilliseconds) {
      assert.equal(child.exitCode ?? child.signalCode, null, `${name} ended before it was ready`);
      const { ok, text } = await fetch(url).then(
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
    const child = start(name, service);
    if (name === 'accounts') return assert.deepEqual(await once(child, 'exit'), [0, null]);
    running.push(child);
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

  needs('npm');
  before(async () => {
    // First: where there is none, nothing else is started.
    const [elasticsearch, valkey] = await Promise.all([elasticsearchForTests(), valkeyForTests()]);
    const building = build();
    writeSecrets(secrets);
    const certs = await certificatesIn(join(home.path, 'certs'));
    node = await startNodeHere(join(home.path, 'log'), certs);
    const address = (login: string, password: string): string => {
      const url = new URL(node.url.replace(/^esdb:/, 'http:'));
      url.username = login;
      url.password = password;
      return url.href.replace(/^http:/, 'esdb:').replace(/\/\?/, '?');
    };
    replace('event-store-admin-url', node.url);
    replace('event-store-url', address('septet', secret('event-store-writer-password')));
    replace('event-store-reader-url', address('septet-reader', secret('event-store-reader-password')));
    const database = await freshDatabase();
    replace('postgres-url', database);
    replace('postgres-reader-url', readerUrl({ url: database, readerPassword: secret('postgres-reader-password') }));
    replace('redis-url', valkey.url);
    replace('elasticsearch-url', elasticsearch.url);
    for (const [name] of ownServices) ports.set(name, (await freePort()) as number);
    await building;
  });
  after(async () => {
    const end = async (child: ChildProcess): Promise<void> => {
      child.kill('SIGTERM');
      await exitOf(child);
    };
    await Promise.all(running.map(end));
    await node.stop();
    home.remove();
  });

  it('come up healthy in order, and do a first sign-in and a command', async () => {
    await Promise.all(ownServices.map(([name]) => up(name)));
    const url = `http://127.0.0.1:${ports.get('gateway')}`;
    const page = await (await fetch(`${url}/console/`)).text();
    for (const [, path] of page.matchAll(/(?:src|href)="([^"]+)"/g))
      assert.equal((await fetch(`${url}${path}`)).status, 200, path);
    assert.match(page, /type="module" src="/);
    const admin = await signIn(url, secret('bootstrap-code'));
    const registered = await admin.post('/v1/principals', { principalType: 'PIPELINE' });
    assert.equal(registered.status, 201);
    const { principalId } = (await registered.json()) as { readonly principalId: string };
    const position = registered.headers.get('position') ?? '';
    const found = await admin.get(`/v1/principals/${principalId}`, { 'min-position': position });
    assert.equal(found.status, 200);
  });

  it('are backed up by a verb of their image', async () => {
    const out = join(home.path, 'backup');
    const operate = compose.services.operate ?? assert.fail('there is no such service');
    // What stands in for a bucket here is not the one that is named.
    const [code] = (await once(start('operate', operate, '--out', out, '--without-blobs'), 'exit')) as [number];
    assert.equal(code, 0);
    const made = JSON.parse(readFileSync(join(out, 'backup.json'), 'utf8')) as { log: { events: number } };
    assert.ok(made.log.events > 3);
  });
});
