/** kill -9 of each process in turn, and of all together, under a load of commands: nothing acknowledged is lost or doubled. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import { freePort } from '../../infra/operate/launch/free-port';
import type { StoredEvent } from '../../infra/ports/event-store';
import { entryPath } from '../../infra/server/bundle/entry-path';
import { type Acknowledged, answered, startLoad } from '../support/domain/command-load';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { type Admin, jsonOf, signIn } from '../support/identity/admin';
import { type Launched, launch, linkTools } from '../support/processes/launcher';

const everyEvent = async (url: string): Promise<readonly StoredEvent[]> => {
  const store = openEventStore({ url });
  const events: StoredEvent[] = [];
  for await (const event of store.readAll({ after: null, filter: { streams: ['identity.principal-'] } }))
    events.push(event);
  await store.close();
  return events;
};

const commandIdsByStream = (events: readonly StoredEvent[]): Map<string, StoredEvent[]> => {
  const streams = new Map<string, StoredEvent[]>();
  for (const event of events) streams.set(event.stream, [...(streams.get(event.stream) ?? []), event]);
  return streams;
};

const services = [
  'commands/command-api.main',
  'commands/processes.main',
  'commands/workers.main',
  'projections/projector.main',
  'read-api/query-api.main',
  'blobs/main',
  'gateway/main',
];
const parts = ['eventstore-node/src/cli/main', ...services];

describe('kill -9 under load', function () {
  this.timeout(240_000);
  const { path: data, remove } = temporaryDirectory('crash');
  const acknowledged: Acknowledged[] = [];
  let septet: Launched;
  let admin: Admin;
  let port: number;
  const start = (...more: readonly string[]) =>
    launch({ directory: process.cwd(), arguments: ['--data', data, '--port', String(port), ...more] });

  const progress = async (more: number): Promise<void> => {
    const goal = acknowledged.length + more;
    while (acknowledged.length < goal) await sleep(20);
  };

  before(async () => {
    port = (await freePort()) as number;
    linkTools(data);
    septet = await start('--processes');
    admin = await signIn(septet.url, septet.code as string);
  });

  after(async () => {
    await septet.stop();
    remove();
  });

  it('goes on after each process is killed in turn', async () => {
    const load = startLoad(admin, acknowledged);
    await progress(20);
    for (const part of parts) {
      const victim = septet.processes().find(({ command }) => command.includes(part));
      assert.ok(victim, `${part} runs`);
      process.kill(victim.pid, 'SIGKILL');
      await progress(30);
    }
    await load.stop();
  });

  it('goes on after each local store is killed in turn', async () => {
    const load = startLoad(admin, acknowledged);
    await progress(20);
    for (const server of [/\/postgres -D/, /valkey-server|redis-server/, /LocalElasticsearch/]) {
      const victim = septet.processes().find(({ command }) => server.test(command) && !command.includes('watchdog'));
      assert.ok(victim, `${server} runs`);
      process.kill(victim.pid, 'SIGKILL');
      await progress(30);
    }
    await load.stop();
    const { principalId } = acknowledged.at(-1) as Acknowledged;
    await answered(admin, `/v1/principals/${principalId}`);
    await answered(admin, `/v1/security/events?principalId=${principalId}`);
  });

  it('goes on after all are killed together', async () => {
    const load = startLoad(admin, acknowledged);
    await progress(20);
    const victims = septet.processes();
    await septet.kill();
    for (const { pid } of victims) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended with its parent.
      }
    }
    septet = await start();
    await progress(30);
    await load.stop();
  });

  it('goes on after the one process of most services is killed, which starts again', async () => {
    const load = startLoad(admin, acknowledged);
    await progress(20);
    const shared = () =>
      septet.processes().find(({ command }) => command.includes('infra/operate/launch/services.main'));
    const victim = shared();
    assert.ok(victim !== undefined, 'it runs');
    process.kill(victim.pid, 'SIGKILL');
    await progress(30);
    assert.notEqual(shared()?.pid, victim.pid);
    await load.stop();
    const { principalId } = acknowledged.at(-1) as Acknowledged;
    await answered(admin, `/v1/principals/${principalId}`);
  });

  it('has every acknowledged command exactly once, at the acknowledged revision', async () => {
    const { EVENTSTORE_URL } = JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as { EVENTSTORE_URL: string };
    const streams = commandIdsByStream(await everyEvent(EVENTSTORE_URL));
    assert.ok(acknowledged.length > 150);
    for (const { principalId, revision } of acknowledged) {
      const events = streams.get(`identity.principal-main.${principalId}`) ?? [];
      assert.equal(events[revision]?.revision, revision, `${principalId} has revision ${revision}`);
    }
    for (const [stream, events] of streams) {
      assert.deepEqual(
        events.map(({ revision }) => revision),
        events.map((_, index) => index),
        `${stream} is dense`,
      );
      const types = events.map(({ type }) => type.split('.')[1]);
      const expected = ['PrincipalRegistered', 'PrincipalSuspended', 'SecurityEpochBumped', 'PrincipalReactivated'];
      if (!types.includes('CredentialIssued')) assert.deepEqual(types, expected.slice(0, types.length), stream);
    }
  });

  it('has read models that equal a rebuild from zero', () => {
    const output = execFileSync(process.execPath, [entryPath('projections/rebuild.main'), '--all'], {
      env: { ...process.env, DATA_DIR: data },
      encoding: 'utf8',
    });
    assert.match(output, /identity_principals/);
  });

  it('answers for every acknowledged principal', async () => {
    const { principalId } = acknowledged.at(-1) as Acknowledged;
    const response = await admin.get(`/v1/principals/${principalId}`);
    assert.equal(response.status, 200);
    assert.equal((await jsonOf(response)).status, 'ACTIVE');
  });
});
