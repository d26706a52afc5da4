/** `npm start` where something is missing, already there, or wrong. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { AccessDeniedError, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { isRight } from 'fp-ts/Either';
import { getNode } from '../../domain/editor/scene/scene';
import { freePort } from '../../infra/operate/launch/free-port';
import { entryPath } from '../../infra/server/bundle/entry-path';
import { lockDirectory } from '../../packages/data-directory/src/index';
import { openEditor } from '../../packages/editor-engine/src/node';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { type Admin, jsonOf, signIn } from '../support/identity/admin';
import { descendantsOf, isRunning, type Launched, launch } from '../support/processes/launcher';
import { hasPrerequisite } from '../support/runner/prerequisites';
import { eventually } from '../support/waiting/eventually';

/** The programs of this machine, but for those whose names match. */
const pathWithout = (names: RegExp, directory: string): string => {
  mkdirSync(directory);
  for (const source of (process.env.PATH ?? '').split(delimiter).filter(existsSync))
    for (const program of readdirSync(source)) {
      const target = join(directory, program);
      if (!names.test(program) && !existsSync(target)) symlinkSync(join(source, program), target);
    }
  return directory;
};

const run = (...rest: readonly string[]) =>
  spawnSync(process.execPath, [entryPath('infra/operate/launch/launch.main'), ...rest], {
    encoding: 'utf8',
    timeout: 60_000,
  });

describe('npm start', function () {
  this.timeout(180_000);
  const { path: home, remove } = temporaryDirectory('launch');
  const data = join(home, 'data');
  let septet: Launched;
  let admin: Admin;

  after(async () => {
    await septet.stop();
    assert.match(septet.output(), /^ {2}stopping…\n {2}Septet has stopped\.$/m);
    remove();
  });

  it('comes up without Java and Python, and says what is off and how to have it', async () => {
    // Programs in sandboxes run as other users when the tests run as root.
    chmodSync(home, 0o711);
    const path = pathWithout(/^(java|javac|mvn|python|pip|valkey|redis)/, join(home, 'bin'));
    const port = await freePort();
    const env = { PATH: path, JAVA_HOME: '' };
    // A part that cannot start, as another process has its directory.
    const runnerLock = lockDirectory(join(data, 'runner'), 'runner');
    assert.ok(isRight(runnerLock));
    septet = await launch({ directory: process.cwd(), arguments: ['--data', data, '--port', String(port)], env });
    assert.match(
      septet.output(),
      /elasticsearch +off: There is no Java 17 or later on this machine, and no python3 on the PATH\./,
    );
    assert.match(septet.output(), /redis +off: There is no valkey-server, redis-server or python3 on the PATH\./);
    const closing = septet.output().slice(septet.output().indexOf('  Off:\n'));
    assert.match(
      closing,
      /^ {4}Elasticsearch is off\. There is no Java .* Without it, place search and security events answer 503\.$/m,
    );
    assert.match(
      closing,
      /^ {4}Redis is off\. There is no valkey-server.* Without it, found places show fewer details/m,
    );
    assert.match(closing, /^ {4}runner: .* Without the runner, workflow jobs wait for runners of your own\.$/m);
    if (await hasPrerequisite('isolation')) {
      assert.match(
        septet.output(),
        new RegExp(`Another runner, process ${process.pid} \\(.*\\), uses .*/runner: end it`),
      );
      assert.match(
        septet.output(),
        /runner +off: It could not start; see its log: \S+runner\.log\. It is started again once a minute\./,
      );
    }
    runnerLock.right.release();
    admin = await signIn(septet.url, septet.code as string);
  });

  it('answers what needs a missing store with 503 and the reason', async () => {
    const response = await admin.get('/v1/security/events');
    assert.equal(response.status, 503);
    const problem = await jsonOf(response);
    assert.equal(problem.code, 'view-store-unavailable');
    assert.match(String(problem.detail), /^Elasticsearch is off\. There is no Java 17 or later/);
  });

  it('does the rest: commands, queries, revocation', async () => {
    const registered = await admin.post('/v1/principals', { principalType: 'PIPELINE' });
    assert.equal(registered.status, 201);
    const { principalId } = await jsonOf(registered);
    const position = String(registered.headers.get('position'));
    // A query waits half a second for the position; a busy machine needs longer.
    await eventually(async () => {
      const found = await admin.get(`/v1/principals/${principalId}`, { 'min-position': position });
      assert.equal(found.status, 200);
      assert.equal((await jsonOf(found)).status, 'ACTIVE');
    });
  });

  it('answers whether a request may go on, without Redis as each rule says', async () => {
    const response = await admin.post('/v1/ratelimit/check', { dimensions: { user: 'u-1' } });
    assert.equal(response.status, 200);
    const { outcome, source, configVersion } = await jsonOf(response);
    assert.deepEqual([outcome, source, configVersion], ['allow', 'local', 'built-in-1']);
    const health = await jsonOf(await admin.get('/v1/platform/health'));
    const items = health.items as unknown as readonly { readonly name: string; readonly why: string }[];
    assert.match(String(items.find(({ name }) => name === 'ratelimit')?.why), /store/);
  });

  it('lets programs edit one document together, by way of the gateway, and opens what it was', async () => {
    const created = await admin.post('/v1/documents', { title: 'Landing page' });
    assert.equal(created.status, 201);
    const { documentId } = await jsonOf(created);
    const document = { baseUrl: septet.url, documentId: String(documentId), userId: admin.clientId };
    const open = (name: string) =>
      openEditor({ ...document, token: async () => admin.token(), directory: join(home, name) });
    const [one, other] = [await open('one'), await open('other')];
    await eventually(async () => assert.deepEqual([one.state().kind, other.state().kind], ['saved', 'saved']));
    const made = one.create([{ type: 'rect', properties: { name: 'made here' } }]);
    const [id] = made.ids;
    assert.ok(id !== undefined);
    await eventually(async () => assert.equal(getNode(other.scene(), id)?.properties.name, 'made here'));
    assert.ok(other.set([id], { set: { name: 'changed there' } }).ok);
    await eventually(async () => assert.equal(getNode(one.scene(), id)?.properties.name, 'changed there'));
    await eventually(async () => assert.equal(other.state().kind, 'saved'));
    await Promise.all([one.close(), other.close()]);
    const opened = await admin.get(`/v1/documents/${String(documentId)}/versions/1`);
    assert.equal(opened.status, 200);
    const { snapshot } = await jsonOf(opened);
    assert.equal((snapshot as { readonly version: number }).version, 1);
  });

  it('gives what reads the log an account that cannot append', async () => {
    const { EVENTSTORE_URL } = JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as { EVENTSTORE_URL: string };
    const client = EventStoreDBClient.connectionString(EVENTSTORE_URL);
    const event = jsonEvent({ type: 'Forged', data: {} });
    await assert.rejects(client.appendToStream('identity.principal-main.x', event), AccessDeniedError);
    await assert.rejects(client.tombstoneStream('identity.principal-main.x'), AccessDeniedError);
    await assert.rejects(client.setStreamMetadata('identity.principal-main.x', { maxCount: 1 }), AccessDeniedError);
    let events = 0;
    for await (const _ of client.readAll({ maxCount: 5 })) events += 1;
    await client.dispose();
    assert.ok(events > 0);
  });

  it('does not run twice on one data directory', () => {
    const second = run('--data', data, '--port', '0');
    assert.equal(second.status, 1);
    const [, url, rest] =
      /^Septet already runs on .*, at (\S+)(: process \d+ \(launch\.main\.js\)\.\n)$/.exec(second.stderr) ?? [];
    assert.ok(rest, second.stderr);
    assert.equal(url, septet.url);
  });

  it('says in one line that the port is taken', () => {
    const { port } = new URL(septet.url);
    const other = run('--data', join(home, 'other'), '--port', port);
    assert.equal(other.status, 1);
    assert.match(
      other.stderr,
      new RegExp(`^Port ${port} on localhost is in use: name another one with --port N\\.\n$`),
    );
  });

  it('names what it does not know', () => {
    assert.match(run('--only', 'commands,nonsense').stderr, /^There is no service nonsense\. There are: commands, /);
    assert.match(run('--port', 'http').stderr, /^--port \(or PORT\) must be a port number\.\nUsage: npm start -- /);
    assert.match(run('--prot', '1').stderr, /^There is no option --prot\. Did you mean --port\?\n/);
    const help = run('--help');
    assert.deepEqual([help.status, help.stderr], [0, '']);
    assert.match(help.stdout, /^Usage: npm start -- \[--data DIR\]/);
  });

  it('says in one sentence that a data directory cannot be used', () => {
    const file = join(home, 'file');
    writeFileSync(file, '');
    const refused = run('--data', file);
    assert.equal(refused.status, 1);
    assert.equal(
      refused.stderr,
      `The data directory ${file} is a file, not a directory. Name another one with --data DIR.\n`,
    );
  });

  it('stops when it is interrupted before it is up, and leaves nothing running', async () => {
    const rest = [entryPath('infra/operate/launch/launch.main'), '--data', join(home, 'early'), '--port', '0'];
    const child = spawn(process.execPath, rest, { stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise<void>((resolve) =>
      child.stdout.on('data', (bytes) => String(bytes).includes('starting') && resolve()),
    );
    const started = descendantsOf(child.pid as number);
    child.kill('SIGINT');
    const [code] = (await once(child, 'exit')) as [number | null];
    assert.equal(code, 1);
    await eventually(async () => assert.ok(!started.some(isRunning)));
  });

  it('lists every fault of a configuration before anything runs', () => {
    const bare = run('--data', join(home, 'bare'), '--only', 'commands');
    assert.equal(bare.status, 1);
    assert.match(bare.stdout, /EVENTSTORE_URL/);
  });
});
