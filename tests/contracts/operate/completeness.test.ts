/** A backup that lacks what the log and the tables refer to fails, whatever the reason, and names the variable to set. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openLocalBlobs } from '../../../infra/adapters/blobs/local/local-blob-store';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { openPool } from '../../../infra/adapters/postgres/pool';
import { type BackupOptions, createBackup } from '../../../infra/operate/backup/create-backup';
import { type Installation, openInstallation } from '../../../infra/operate/backup/installation';
import { requireOutsideReferences } from '../../../infra/operate/backup/parts/outside-references';
import type { EventStore } from '../../../infra/ports/event-store';
import type { Environment } from '../../../infra/server/runtime/config';
import { historyOf } from '../../support/domain/event-history';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { logOnNode } from '../../support/servers/event-store-fixture';
import { startNodeHere } from '../../support/servers/event-store-node';
import { freshDatabase } from '../../support/servers/shared-servers';
import { gitWorks } from '../../support/workflow/git-client';
import { expectSuccess, textPut } from '../blobs/suite/store-calls';
import { ok } from '../views/suite/view-store';
import { databaseWithWork, environmentOf, keyIn, rowsOf } from './fixture';

const steps: string[] = [];
const recordStep = (step: string): void => void steps.push(step);

const eventOf = (context: string, type: string, change: object = {}) => {
  const line = historyOf(context).find((one) => one.type === `${context}.${type}.v1`) ?? assert.fail(type);
  return { id: randomUUID(), type: line.type, data: { ...line.data, ...change }, metadata: {} };
};
type StoredData = ReturnType<typeof eventOf>;

const append = async (store: EventStore, stream: string, ...events: readonly StoredData[]): Promise<void> =>
  void ok(await store.append(stream, 'any', events as never));

const received = eventOf('workflow', 'TriggerReceived');
const repoId = String((received.data as { readonly repoId?: string }).repoId);
const repositoryStream = `workflow.repository-acme.${repoId}`;
const snapshot = eventOf('editor', 'SnapshotTaken');
const snapshotKey = String(
  (snapshot.data as { readonly snapshot?: { compressedSceneKey: string } }).snapshot?.compressedSceneKey,
);
const created = eventOf('identity', 'KeyCreated');
const { kid } = created.data as { readonly kid?: string };

const makeRepository = async (root: string): Promise<void> => {
  const path = join(root, 'acme', `${repoId}.git`);
  mkdirSync(path, { recursive: true });
  await gitWorks(path, 'init', '--quiet', '--bare', '--initial-branch=main');
};

const withLocalBlobs = async (directory: string, key: string): Promise<void> => {
  const opened = openLocalBlobs({ directory, secret: 'x'.repeat(43), url: 'http://localhost' });
  const blobs = ok(opened);
  expectSuccess(await blobs.put(textPut(key, 'a piece')));
  await blobs.close();
};

describe('a backup that would lack something', function () {
  this.timeout(120_000);
  const home = temporaryDirectory('backup-completeness');
  const log = logOnNode('backup-completeness-log');
  const [keys, repositories, blobs] = ['keys', 'repositories', 'blobs'].map((name) => join(home.path, name)) as [
    string,
    string,
    string,
  ];
  let count = 0;
  let env: Environment;
  let postgres: string;

  const take = async (changed: Environment, options: Partial<BackupOptions> = {}) => {
    count += 1;
    const out = join(home.path, `out-${count}`);
    const from = await openInstallation(join(home.path, 'nothing'), { ...env, ...changed });
    try {
      const made = await createBackup(from, {
        out,
        withoutKeys: false,
        withoutBlobs: false,
        report: recordStep,
        ...options,
      });
      return { out, from, made };
    } finally {
      await from.close();
      if (!existsSync(out))
        assert.deepEqual(
          readdirSync(home.path).filter((name) => name.startsWith(`out-${count}`)),
          [],
        );
    }
  };

  before(async () => {
    postgres = await databaseWithWork();
    const stores = { log: log.node.url, postgres, keys, bucket: undefined };
    await keyIn(stores);
    const [{ id: key = '' } = {}] = (await rowsOf(postgres, 'select id from septet_vault.keys')) as { id?: string }[];
    env = { ...environmentOf(stores), REPOSITORIES_DIR: repositories, BLOBS_DIR: blobs };
    await makeRepository(repositories);
    await withLocalBlobs(blobs, snapshotKey);
    await append(log.store, 'workflow.trigger-acme.1', received);
    await append(log.store, 'editor.content-acme.d-1', snapshot);
    const sealed = { ...eventOf('workflow', 'RepositoryCreated'), data: { name: { key, sealed: 'c2VhbGVk' } } };
    await append(log.store, repositoryStream, sealed as never);
    const reacted = { eventId: 'e', eventType: 'x', actions: [] };
    await append(log.store, 'process.sample-acme.1', {
      ...sealed,
      id: randomUUID(),
      type: 'process.Reacted.v1',
      data: reacted,
    } as never);
  });
  after(home.remove);

  it('is made where nothing is missing', async () => {
    const { made } = await take({});
    assert.deepEqual([made.repositories, made.blobs.count, made.postgres?.rows['septet_vault.keys']], [1, 1, 1]);
    assert.equal(steps.at(-2), 'completeness');
  });

  it('names repositories that are not where it looks', async () => {
    const refused =
      /would lack what the installation has\. 1 repository \(such as acme\/.*\.git\) not in .*set REPOSITORIES_DIR/;
    await assert.rejects(take({ REPOSITORIES_DIR: '' }), refused);
    await assert.rejects(take({ REPOSITORIES_DIR: join(home.path, 'other') }), refused);
  });

  it('names blobs that are not where it looks, unless they are left out by the flag', async () => {
    const refused = /1 blob \(such as editor\/acme\/a+\.json\.gz\) not in .*set BLOBS_DIR, or S3_BUCKET/;
    await assert.rejects(take({ BLOBS_DIR: '' }), refused);
    await withLocalBlobs(join(home.path, 'other-blobs'), 'some/other');
    await assert.rejects(take({ BLOBS_DIR: join(home.path, 'other-blobs') }), refused);
    assert.equal((await take({}, { withoutBlobs: true })).made.blobs.kind, 'left-out');
  });

  it('names keys of people and the state of processes where the database is missing, or another', async () => {
    const refused = /1 key of a person \(such as .*\) not in the database: set POSTGRES_URL.* 1 state of processes/;
    await assert.rejects(take({ POSTGRES_URL: '' }), refused);
    await assert.rejects(take({ POSTGRES_URL: await freshDatabase() }), refused);
  });

  it('looks again for what was removed while it was made, and for nothing else', async () => {
    const { out, from, made } = await take({});
    const pool = openPool({ url: postgres, connections: 1 });
    const check = () => requireOutsideReferences({ from, out, pool, parts: made });
    await check();
    rmSync(join(out, 'repositories'), { recursive: true });
    await assert.rejects(check(), /1 repository/);
    await append(log.store, repositoryStream, eventOf('workflow', 'RepositoryDeleted'));
    await check();
    await rowsOf(
      postgres,
      `insert into septet.workflow_logs (tenant, run_id, job_id, attempt, next_chunk, bytes, storage)
        values ('acme', 'r', 'j', 1, 1, 5, 'object'), ('acme', 'r', 'empty', 1, 0, 0, 'object')`,
    );
    await assert.rejects(take({}), /1 blob \(such as workflow\/acme\/logs\/j\/1\)/);
    await rowsOf(postgres, `update septet.workflow_logs set storage = 'expired'`);
    await take({});
    await pool.end();
  });

  it('names the signing key in use, unless keys are left out by the flag', async () => {
    const activated = {
      ...eventOf('identity', 'KeyActivated'),
      data: { kid, activatedAt: '2026-01-31T12:00:00.000Z' },
    };
    await append(log.store, 'identity.signingKeys-platform.keys', created, activated as never);
    await assert.rejects(take({}), /1 signing key \(such as .*\) not in .*set KEYS_DIR .*npm run keys -- replace/);
    assert.equal((await take({}, { withoutKeys: true })).made.keys, false);
  });
});

describe('a backup of a stopped installation that would lack something', function () {
  this.timeout(60_000);
  const home = temporaryDirectory('backup-completeness-stopped');
  const data = join(home.path, 'data');
  after(home.remove);

  it('reads the log in its directory', async () => {
    const node = await startNodeHere(join(data, 'eventstore'));
    const store = openEventStore({ url: node.url });
    await append(store, 'workflow.trigger-acme.1', received);
    await store.close();
    await node.stop();
    const from: Installation = await openInstallation(data, {});
    const take = (name: string) =>
      createBackup(from, { out: join(home.path, name), withoutKeys: true, withoutBlobs: false, report: recordStep });
    await assert.rejects(take('lacking'), /1 repository .* not in .*\/data\/repositories/);
    await makeRepository(join(data, 'repositories'));
    assert.equal((await take('whole')).repositories, 1);
    assert.deepEqual(readdirSync(join(home.path, 'whole', 'eventstore')).sort(), ['backup.json', 'events.mdb']);
    await from.close();
  });
});
