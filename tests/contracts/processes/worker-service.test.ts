/** The worker service as a process: its queues, their adapters, its priority. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { gatewayVariables } from '../../support/http/internal-keys';
import { typescript } from '../../support/runner/compiled';
import { requirePrerequisites } from '../../support/runner/prerequisites';
import { logOnNode } from '../../support/servers/event-store-fixture';
import { eventually } from '../../support/waiting/eventually';
import { openQueue, usePostgres, value } from './work-queue/fixture';

const script = join(__dirname, '..', '..', '..', 'commands', 'workers.main.ts');
const preload = join(__dirname, 'queues-preload.ts');
type Parts = Readonly<Record<string, { readonly ok: boolean; readonly detail?: string }>>;
const secret = (): string => randomBytes(32).toString('base64url');

describe('the worker service', function () {
  this.timeout(60_000);
  const log = logOnNode('worker-service');
  const postgres = usePostgres();
  const home = temporaryDirectory('worker-service');
  const keys = { MASTER_KEY: secret(), KEYS_DIR: join(home.path, 'keys') };
  const blobs = { BLOBS_DIR: join(home.path, 'blobs'), BLOBS_KEY: secret() };
  const children: ChildProcess[] = [];
  const exitOf = async (child: ChildProcess): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return child.exitCode;
  };
  afterEach(async () => {
    for (const child of children.splice(0)) {
      child.kill('SIGTERM');
      assert.equal(await exitOf(child), 0);
    }
  });
  after(() => home.remove());

  const startWith = (args: readonly string[], more: NodeJS.ProcessEnv = {}): ChildProcess => {
    const stores = { EVENTSTORE_URL: log.node.url, POSTGRES_URL: postgres.url };
    return fork(script, args, {
      execArgv: [...typescript(), '-r', preload],
      env: {
        ...process.env,
        ...gatewayVariables,
        ...stores,
        ...keys,
        ...blobs,
        ISSUER: 'http://septet.test',
        LOG_LEVEL: 'error',
        ...more,
      },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  };
  const startIn = async (env: NodeJS.ProcessEnv, ...args: readonly string[]) => {
    const child = startWith(args, env);
    children.push(child);
    const [{ port }] = (await once(child, 'message')) as [{ readonly port: number }];
    const health = await fetch(`http://127.0.0.1:${port}/healthz`);
    const { status, parts } = (await health.json()) as { readonly status: string; readonly parts: Parts };
    assert.equal(status, 'ready');
    return { queues: Object.keys(parts), parts, priority: getPriority(child.pid), port };
  };
  const start = (...args: readonly string[]) => startIn({}, ...args);

  it('takes jobs of the configured queues, with the adapters of its process, at the usual priority', async () => {
    const [light, heavy] = [openQueue(postgres.pool, 'light'), openQueue(postgres.pool, 'heavy')];
    await light.add();
    const { key } = await heavy.add();
    const { queues, priority, port } = await start('--queues', 'light');
    assert.deepEqual([queues, priority], [['light'], getPriority()]);
    const states = async () =>
      value(await light.work.listJobs({ limit: 10 })).map(({ queue, state }) => [queue, state]);
    await eventually(async () =>
      assert.deepEqual(await states(), [
        ['heavy', 'waiting'],
        ['light', 'done'],
      ]),
    );
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    assert.match(metrics, /work_jobs_total\{[^}]*queue="light"[^}]*outcome="done"[^}]*\} 1/);
    assert.equal(value(await heavy.work.listJobs({ queue: 'heavy', limit: 1 }))[0]?.key, key);
  });

  it('takes jobs of all queues when none is configured, at a lower priority for the heavy ones', async () => {
    const { queues, priority } = await start();
    // Behind those of the contexts.
    assert.deepEqual([queues.slice(-3), priority], [['light', 'heavy', 'programs'], Math.max(10, getPriority())]);
    const { work } = openQueue(postgres.pool, 'heavy');
    await eventually(async () => assert.equal(value(await work.listJobs({ state: 'waiting', limit: 1 })).length, 0));
  });

  it('runs programs of jobs in sandboxes, and leaves those jobs to others where it cannot make any', async () => {
    const { add, work } = openQueue(postgres.pool, 'programs');
    await add();
    const states = async () => value(await work.listJobs({ queue: 'programs', limit: 1 })).map(({ state }) => state);
    const { parts: without } = await startIn({ PATH: '' }, '--queues', 'light,programs');
    assert.deepEqual([without.light?.ok, without.programs?.ok], [true, false]);
    assert.equal(without.programs?.detail, 'Off: bwrap is not installed (Debian: bubblewrap).');
    const SANDBOX_DIR = join(home.path, 'sandboxes');
    await requirePrerequisites('isolation');
    assert.deepEqual(await states(), ['waiting']);
    await startIn({ SANDBOX_DIR }, '--queues', 'programs');
    await eventually(async () => assert.deepEqual(await states(), ['done']));
  });

  it('calls nobody in the name of an issuer that it does not know, and leaves those jobs to others', async () => {
    const queue = 'identity-logout-notifications';
    const { parts } = await startIn({ ISSUER: '' }, '--queues', `light,${queue}`);
    assert.deepEqual([parts.light?.ok, parts[queue]?.ok], [true, false]);
    assert.equal(parts[queue]?.detail, 'Off: ISSUER is not set.');
    assert.equal((await start('--queues', queue)).parts[queue]?.ok, true);
  });

  it('refuses a queue that there is not', async () => {
    assert.equal(await exitOf(startWith(['--queues', 'light,unknown'])), 78);
    assert.equal(await exitOf(startWith(['--queue', 'light'])), 2);
  });
});
