/** The projectors as a process, and the tools beside it, as an operator runs them. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { isLeft, isRight } from 'fp-ts/Either';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { readerUrl } from '../../../infra/adapters/postgres/migrate';
import { openPostgresReader } from '../../../infra/adapters/postgres/views/view-reader';
import { freePort } from '../../../infra/operate/launch/free-port';
import type { EventStore } from '../../../infra/ports/event-store';
import type { ViewReader } from '../../../infra/ports/views/view-store';
import { principalsView } from '../../../projections/identity/principals/view';
import { registered, suspended } from '../../identity/examples';
import { eventOf } from '../../identity/projections/principal-events';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { serviceVariables } from '../../support/http/internal-keys';
import { type EventStoreNode, startNodeHere } from '../../support/servers/event-store-node';
import { freshDatabase } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';
import { detailAt, operatorPrograms, untilAnswers } from './operator-programs';

const readerPassword = 'only for reading';
describe('projector and its tools', function () {
  this.timeout(120_000);
  const data = temporaryDirectory('projector-tools');
  const stream = 'identity.principal-acme.p-1';
  let node: EventStoreNode;
  let store: EventStore;
  let reader: ViewReader;
  let env: Record<string, string>;
  let service: ChildProcess;
  let health: string;

  const { start, run } = operatorPrograms(() => env);

  before(async () => {
    node = await startNodeHere(data.path);
    store = openEventStore({ url: node.url });
    const url = await freshDatabase();
    const port = await freePort();
    env = {
      EVENTSTORE_URL: node.url,
      POSTGRES_URL: url,
      REDIS_URL: '',
      ELASTICSEARCH_URL: '',
      OFF_ELASTICSEARCH: 'Java is missing.',
      READER_PASSWORD: readerPassword,
      ...serviceVariables,
      DATA_DIR: data.path,
      MASTER_KEY: Buffer.alloc(32, 'm').toString('base64url'),
      KEYS_DIR: join(data.path, 'keys'),
      BLOBS_DIR: join(data.path, 'blobs'),
      BLOBS_KEY: 'b'.repeat(43),
      PORT: String(port),
    };
    health = `http://127.0.0.1:${port}/healthz`;
    service = start('projections/projector.main.ts');
    await untilAnswers(health);
    reader = openPostgresReader({ url: readerUrl({ url, readerPassword }) });
    assert.ok(isRight(await store.append(stream, 'no-stream', [registered, suspended].map(eventOf))));
  });
  after(async () => {
    service.kill('SIGKILL');
    await Promise.all([store.close(), reader.close()]);
    await node.stop();
    data.remove();
  });

  const detailOf = (view: string) => detailAt(health, view);
  const statusIs = (status: string) =>
    eventually(async () => {
      const found = await reader.find(principalsView, 'acme', { principalId: registered.data.principalId });
      if (isLeft(found)) assert.fail(found.left.detail);
      assert.equal(found.right?.status, status);
    });

  it('migrates, projects, and says how each view is', async () => {
    await statusIs('SUSPENDED');
    assert.match(await detailOf('identity_principals'), /^(live|catching-up) at \d+/);
    assert.equal(await detailOf('identity_security_events'), 'Elasticsearch is off. Java is missing.');
  });

  it('reads views with a role that cannot write', async () => {
    const { Client } = await import('pg');
    const client = new Client({ connectionString: readerUrl({ url: env.POSTGRES_URL as string, readerPassword }) });
    await client.connect();
    await assert.rejects(client.query('delete from septet.identity_principals'), /permission denied|read-only/);
    const forward = 'update septet.view_generations set position = 0';
    await assert.rejects(client.query(forward), /permission denied|read-only/);
    await assert.rejects(client.query('create table septet.mine (a int)'), /permission denied|read-only/);
    await client.end();
  });

  it('rebuilds a view while the projector runs', async () => {
    const { code, output } = await run('projections/rebuild.main.ts', 'identity_principals');
    assert.equal(code, 0, output);
    assert.match(output, /identity_principals: rebuilt as generation \d+, 1 rows, 2 events/);
    assert.ok(
      isRight(
        await store.append(stream, 1, [eventOf({ type: 'PrincipalReactivated', data: suspended.data as never })]),
      ),
    );
    await statusIs('ACTIVE');
  });

  it('says that a view is unknown, with those that are close, or with all', async () => {
    const { code, output } = await run('projections/rebuild.main.ts', 'identity_nonsense');
    assert.deepEqual([code, output.startsWith('There is no view identity_nonsense. ')], [2, true]);
    const near = await run('projections/rebuild.main.ts', 'identity_principal');
    assert.equal(near.code, 2);
    assert.match(near.output, /^There is no view identity_principal\. Did you mean identity_principals or \w+\?\n$/);
    const none = await run('projections/rebuild.main.ts');
    assert.match(none.output, /^Name a view, or give --all\.\nUsage: npm run rebuild -- /);
  });

  it('audits a stream, event by event', async () => {
    const { code, output } = await run('projections/audit.main.ts', stream);
    assert.equal(code, 0, output);
    assert.match(output, /1 {2}2026-01-31T12:00:00\.000Z {2}identity\.PrincipalSuspended\.v1 {2}by p-admin/);
    assert.match(output, /~ \/status "ACTIVE" -> "SUSPENDED"/);
    assert.match(output, /because of request-1/);
  });

  it('says that a stream does not exist, with those that are close', async () => {
    for (const unknown of ['identity.principal-acme.p-2', 'identity.principals-acme.p-1', 'p-1']) {
      const { code, output } = await run('projections/audit.main.ts', unknown);
      assert.equal(code, 1);
      assert.ok(output.endsWith(`There is no stream ${unknown}. Did you mean ${stream}?\n`), output);
    }
  });

  it('says so of a stream whose event is to be skipped, too', async () => {
    const reason = ['0', '--reason', 'Written by hand.'];
    for (const unknown of ['identity.principal-acme.p-2', 'identity.principals-acme.p-1', 'p-1']) {
      const { code, output } = await run(
        'projections/skips.main.ts',
        'skip',
        'identity_principals',
        unknown,
        ...reason,
      );
      assert.deepEqual([code, output], [1, `There is no stream ${unknown}. Did you mean ${stream}?\n`]);
    }
    const process = 'end-sessions-on-security-epoch-bumped';
    const main = 'commands/skips-and-dead-letters.main.ts';
    const { code, output } = await run(main, 'skip', process, 'identity.principal-acme.p-2', ...reason);
    assert.deepEqual([code, output], [1, `There is no stream identity.principal-acme.p-2. Did you mean ${stream}?\n`]);
    const beyond = await run(
      'projections/skips.main.ts',
      'skip',
      'identity_principals',
      stream,
      '99',
      ...reason.slice(1),
    );
    assert.equal(beyond.output, `There is no revision 99 of ${stream}.\n`);
  });

  it('verifies what is whole, and finds the first damage', async () => {
    const whole = await run('projections/audit.main.ts', '--verify');
    assert.equal(whole.code, 0, whole.output);
    assert.match(whole.output, /^3 events are whole\.$/m);
    const broken = { ...eventOf(suspended as never), data: { principalId: 7 } };
    assert.ok(isRight(await store.append('identity.principal-acme.broken', 'no-stream', [broken])));
    const { code, output } = await run('projections/audit.main.ts', 'identity.principal-acme.broken', '--verify');
    assert.equal(code, 1);
    assert.match(output, /^damaged: identity\.principal-acme\.broken revision 0 .*principalId/m);
    await eventually(async () =>
      assert.match(await detailOf('identity_principals'), /stopped .*identity\.principal-acme\.broken revision 0/),
    );
  });

  it('goes on without the event that an operator takes out, who has to say why', async () => {
    const named = ['identity_principals', 'identity.principal-acme.broken', '0'];
    const tool = (...args: readonly string[]) => run('projections/skips.main.ts', ...args);
    assert.equal((await tool('skip', ...named)).code, 2);
    const skipped = await tool('skip', ...named, '--reason', 'Written by hand.');
    assert.deepEqual(skipped, {
      code: 0,
      output: 'identity_principals skips revision 0 of identity.principal-acme.broken.\n',
    });
    await eventually(async () =>
      assert.match(await detailOf('identity_principals'), /^live at .*, without 1 skipped$/),
    );
    const listed = await tool('skips');
    assert.match(listed.output, /identity_principals .*broken revision 0 .*: Written by hand\.$/m);
    const { code, output } = await run('projections/rebuild.main.ts', 'identity_principals');
    assert.equal(code, 0, output);
  });

  it('shuts down cleanly on a signal', async () => {
    const ended = new Promise<number | null>((resolve) => service.once('exit', (code) => resolve(code)));
    service.kill('SIGTERM');
    assert.equal(await ended, 0);
  });
});
