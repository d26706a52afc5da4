/** kill -9 in the middle of a rotation and of a forgetting, and what the next process makes of it. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isLeft, isRight } from 'fp-ts/Either';
import { Client } from 'pg';
import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import type { EventStore } from '../../infra/ports/event-store';
import { commandsEnv, listening, requestErasure } from '../contracts/vault/command-api';
import { value } from '../contracts/vault/key-table-contract';
import { masterKey, useVaultProcesses } from '../contracts/vault/vaults';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { exitOf } from '../support/processes/child-exit';
import { scriptArguments } from '../support/runner/compiled';
import { startEventStoreNode } from '../support/servers/event-store-node';
import { eventually } from '../support/waiting/eventually';

describe('vault under kill -9', function () {
  this.timeout(120_000);
  const { place, partsOf, fresh, bytesOf } = useVaultProcesses();
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  const startCommands = (eventStore: string): ReturnType<typeof listening> =>
    listening(start('commands/command-api.main.ts', [], commandsEnv(eventStore)));
  const start = (script: string, args: readonly string[], more: Record<string, string> = {}): ChildProcess => {
    const own = { POSTGRES_URL: place.url, KEYS_DIR: place.keys, MASTER_KEY: masterKey.toString('base64url') };
    const env = { ...process.env, DATA_DIR: place.keys, ...own, ...more };
    const child = spawn(process.execPath, [...scriptArguments(script), ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    children.push(child);
    return child;
  };
  const tool = async (...args: readonly string[]): Promise<{ code: number | null; output: string }> => {
    const child = start('infra/operate/vault.main.ts', args);
    let output = '';
    for (const stdio of [child.stdout, child.stderr]) stdio?.on('data', (text) => (output += String(text)));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output };
  };
  /** Kills the process as soon as it prints a line that matches. */
  const killAt = async (child: ChildProcess, pattern: RegExp): Promise<void> => {
    assert.ok(child.stdout);
    for await (const line of createInterface(child.stdout)) if (pattern.test(line)) child.kill('SIGKILL');
    await exitOf(child);
  };

  it('loses no key to a rotation that is killed, and finishes it when the command is repeated', async () => {
    const vault = fresh();
    const storedKeys = new Map<string, string>();
    const make = async (name: string): Promise<void> => {
      const { id, bytes } = value(await vault.keyFor(vault.subjectOf('acme', name)));
      storedKeys.set(id, bytes.toString('hex'));
    };
    // As many at once as a busy machine makes before the vault gives up.
    for (let from = 0; from < 2_500; from += 100)
      await Promise.all(Array.from({ length: 100 }, (_, index) => make(`p-${from + index}`)));
    const allAreThere = async (): Promise<void> => {
      const reader = fresh();
      for (const [id, bytes] of storedKeys)
        assert.equal(reader.peek(id)?.bytes?.toString('hex') ?? (await bytesOf(reader, id)), bytes);
    };
    for (const progress of [/^500 keys/, /^1000 keys/]) {
      await killAt(start('infra/operate/vault.main.ts', ['rotate']), progress);
      const masters = value(await partsOf().table.masters());
      assert.ok(
        masters.some(({ active, keys }) => !active && keys > 0),
        'it was cut off midway',
      );
      assert.equal(masters.length, 2, 'going on makes no further one');
      await make(`during-${String(progress)}`);
      await allAreThere();
    }
    assert.match((await tool('retire')).output, /nothing to destroy/);
    const finished = await tool('rotate');
    assert.equal(finished.code, 0, finished.output);
    assert.match(finished.output, /completing an interrupted rotation/);
    await allAreThere();
    assert.match((await tool('retire')).output, /^Destroyed: /);
    await allAreThere();
    const [active, ...others] = (await tool('status')).output.trim().split('\n');
    assert.match(active ?? '', new RegExp(`active {2}${storedKeys.size} keys$`));
    assert.equal(others.length, 0);
  });

  it('refuses what it does not know, and does not abandon a key that is there', async () => {
    const { id } = value(await fresh().keyFor('a'.repeat(64)));
    assert.equal((await tool('destroy')).code, 2);
    assert.equal((await tool('abandon')).code, 2);
    const refused = await tool('abandon', id);
    assert.equal(refused.code, 1);
    assert.match(refused.output, /forget its subject instead/);
    const lost = '7d9f1c9e-2f0a-4b4e-8a51-0f1e2d3c4b5a';
    assert.ok(isLeft(await fresh().find(lost, false)));
    assert.equal((await tool('abandon', lost)).code, 0);
    assert.equal(await bytesOf(fresh(), lost), undefined);
  });

  it('forgets in the end when the process is killed between the record and the deed', async () => {
    const data = temporaryDirectory('vault-crash');
    const node = await startEventStoreNode(data.path);
    const log = openEventStore({ url: node.url });
    const locking = new Client({ connectionString: place.url });
    await locking.connect();
    try {
      const { keyFor, subjectOf } = fresh();
      const hash = subjectOf('acme', 'm-1');
      const { id } = value(await keyFor(hash));
      const commands = await startCommands(node.url);
      // The deed waits for this lock; the record does not.
      await locking.query('begin');
      await locking.query('select from septet_vault.keys where id = $1 for update', [id]);
      const asking = requestErasure(commands.port, 'm-1').catch(() => undefined);
      await eventually(async () => assert.equal(await countOf(log, `privacy.subject-acme.${hash}`), 1));
      commands.child.kill('SIGKILL');
      await asking;
      // Postgres goes on with the query of a client that is gone.
      await locking.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'septet-vault' and wait_event_type = 'Lock'`);
      await locking.query('rollback');
      assert.notEqual(await bytesOf(fresh(), id), undefined, 'it was recorded and not done');
      await startCommands(node.url);
      await eventually(async () => assert.equal(await bytesOf(fresh(), id), undefined));
      assert.equal(await countOf(log, `privacy.subject-acme.${hash}`), 1);
    } finally {
      await Promise.all([locking.end(), log.close()]);
      await node.stop();
      data.remove();
    }
  });

  const countOf = async (log: EventStore, stream: string): Promise<number> => {
    const events = await log.read(stream);
    return isRight(events) ? events.right.length : 0;
  };
});
