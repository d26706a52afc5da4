/** A used installation moves from its embedded node to another log and back, once stopped in the middle; nothing is lost, and nothing done twice. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../../infra/operate/launch/free-port';
import { entryPath } from '../../infra/server/bundle/entry-path';
import { writeQuotaPolicy } from '../e2e/audit/every-service';
import { type Acknowledged, answered, startLoad } from '../support/domain/command-load';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { type Admin, adminWith, jsonOf, spendCode } from '../support/identity/admin';
import type { ClientCredential } from '../support/identity/tenant';
import { exitOf } from '../support/processes/child-exit';
import { type Launched, launch, linkTools } from '../support/processes/launcher';
import { runningStoresOf } from '../support/processes/running-system';
import { needs } from '../support/runner/prerequisites';
import { type NodeProcess, startEventStoreNode } from '../support/servers/event-store-node';
import { fromRunner } from '../support/servers/shared-servers';
import { runFileOf } from './backup/command-line';
import { leaveWork, workIsDone } from './backup/pending-work';
import { createPerson, type Person, signInAs } from './backup/people';
import { type Filled, fillInstallation, readInstallation } from './installation/contents';

const moves = (data: string, rest: readonly string[]): ChildProcess =>
  spawn(process.execPath, [entryPath('infra/operate/backup/move.main'), '--data', data, ...rest], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const moved = async (data: string, ...rest: readonly string[]): Promise<{ readonly events: number }> => {
  const child = moves(data, rest);
  const printed = { output: '', errors: '' };
  child.stdout?.on('data', (bytes) => (printed.output += String(bytes)));
  child.stderr?.on('data', (bytes) => (printed.errors += String(bytes)));
  assert.equal(await exitOf(child), 0, printed.errors);
  return JSON.parse(printed.output) as { events: number };
};

/** Killed while it copies events. */
const stopInTheMiddle = async (data: string, ...rest: readonly string[]): Promise<void> => {
  const child = moves(data, rest);
  child.stderr?.on('data', (bytes) => {
    if (String(bytes).includes('copying')) child.kill('SIGKILL');
  });
  assert.equal(await exitOf(child), null);
};

describe('an installation whose log moves', function () {
  this.timeout(600_000);
  const home = temporaryDirectory('moved');
  const data = join(home.path, 'data');
  const policy = join(home.path, 'policy.json');
  const acknowledged: Acknowledged[] = [];
  const documents: string[] = [];
  let port: number;
  let remote: NodeProcess;
  let septet: Launched | undefined;
  let credential: ClientCredential | undefined;
  let admin: Admin;
  let filled: Filled;
  /** Of the tenant's quota, with what was used before the log moved. */
  let quota: unknown;
  let seen: Awaited<ReturnType<typeof readInstallation>>;
  let person: Person;
  let eventId: string;

  const start = async (env: Readonly<Record<string, string>> = {}): Promise<Launched> => {
    septet = await launch({
      directory: process.cwd(),
      arguments: ['--data', data, '--port', String(port)],
      env: { RATELIMIT_POLICY_FILE: policy, ...env },
    });
    if (credential !== undefined) admin = await adminWith(septet.url, credential);
    return septet;
  };
  const stop = async (): Promise<void> => {
    assert.equal(await septet?.stop(), 0);
    septet = undefined;
  };
  const use = async (): Promise<void> => {
    const count = acknowledged.length + 40;
    const load = startLoad(admin, acknowledged);
    while (acknowledged.length < count) await answered(admin, '/v1/principals');
    await load.stop();
    const made = await admin.post('/v1/documents', { title: `Plan ${documents.length}` });
    assert.equal(made.status, 201);
    documents.push(String((await jsonOf(made)).documentId));
  };
  /** Of each event the newest, by queries that name the position of a command of now. */
  const isWhole = async (): Promise<void> => {
    const made = await admin.post('/v1/principals', { principalType: 'PIPELINE' });
    const position = String(made.headers.get('position'));
    const { principalId } = await jsonOf(made);
    const reads = [String(principalId), ...acknowledged.map((one) => one.principalId)].map(
      (id) => `/v1/principals/${id}`,
    );
    for (const path of [...new Set(reads), ...documents.map((id) => `/v1/documents/${id}`)]) {
      let read = await admin.get(path, { 'min-position': position });
      // Views are rebuilt.
      for (; read.status === 503; read = await admin.get(path, { 'min-position': position })) await read.body?.cancel();
      assert.equal(read.status, 200, `${path}: ${await read.text()}`);
    }
    assert.equal(await signInAs(admin.url, person), 200);
    assert.deepEqual(await readInstallation(admin, filled, home.path), seen);
    assert.deepEqual(await remainingAfter('peek'), quota);
  };
  const remainingAfter = async (how: 'check' | 'peek'): Promise<unknown> => {
    const { limits } = await jsonOf(await admin.post(`/v1/ratelimit/${how}`, { dimensions: { user: 'u-1' } }));
    return (limits as readonly { remaining: number }[]).map(({ remaining }) => remaining);
  };
  const readyId = async (): Promise<string> => {
    const stream = await admin.get('/v1/security/events/stream');
    const reader = stream.body?.getReader();
    let text = '';
    while (!/^id: (\S+)$/m.test(text)) text += Buffer.from((await reader?.read())?.value ?? []).toString();
    await reader?.cancel();
    return /^id: (\S+)$/m.exec(text)?.[1] as string;
  };
  const resumes = async (id: string): Promise<void> => {
    const refused = await admin.get('/v1/security/events/stream', { 'last-event-id': id });
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /last-event-id.*the log has been moved or restored since this one was issued/);
  };

  needs('git', 'bash');
  before(async () => {
    // Places are searched in it.
    await fromRunner('elasticsearch');
    port = (await freePort()) as number;
    linkTools(data);
    writeQuotaPolicy(policy);
    remote = await startEventStoreNode(join(home.path, 'remote'));
    const first = await start();
    credential = await spendCode(first.url, first.code as string);
    admin = await adminWith(first.url, credential);
    person = await createPerson(admin);
    const { POSTGRES_URL: postgres } = runningStoresOf(data);
    filled = await fillInstallation(admin, { credential, home: home.path, postgres });
    seen = await readInstallation(admin, filled, home.path);
    assert.deepEqual(await remainingAfter('check'), [999_999]);
    quota = await remainingAfter('peek');
    await use();
    await leaveWork(runFileOf(data));
    eventId = await readyId();
    await stop();
  });
  after(async () => {
    await septet?.stop();
    await remote.stop();
    home.remove();
  });

  it('does not start on the other log before it has moved', async () => {
    await assert.rejects(
      start({ EVENTSTORE_URL: remote.url }),
      /is not the one that this installation has followed.*npm run move/,
    );
  });

  it('goes on with its own log when a move was stopped', async () => {
    await stopInTheMiddle(data, '--to', remote.url);
    await start();
    await use();
    await isWhole();
    await stop();
  });

  it('moves to the other log, where processes go on and every answer is there', async () => {
    await moved(data, '--to', remote.url);
    await start({ EVENTSTORE_URL: remote.url });
    await isWhole();
    await resumes(eventId);
    await workIsDone(runFileOf(data));
    await use();
    eventId = await readyId();
    await stop();
    await assert.rejects(start(), /is not the one that this installation has followed/);
  });

  it('moves back, and does nothing twice', async () => {
    await moved(data, '--from', remote.url, '--to', 'embedded');
    await start();
    await isWhole();
    await resumes(eventId);
    await workIsDone(runFileOf(data));
    const repeated = await admin.post('/v1/principals', { principalType: 'PIPELINE' }, acknowledged[0]?.key);
    assert.equal((await jsonOf(repeated)).principalId, acknowledged[0]?.principalId);
    await stop();
  });
});
