/**
 * A backup and a restore of every kind of data by the environment, volumes and commands of docker-compose.yml: what an installation made over HTTP lies in
 * the stores and volumes of another one afterwards, and is seen there.
 */
import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../infra/operate/backup/backup-manifest';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { spendCode } from '../support/identity/admin';
import { needs } from '../support/runner/prerequisites';
import {
  buildForCompose,
  type ComposeEnvironment,
  type ComposeStores,
  openComposeEnvironment,
} from '../support/servers/compose-environment';
import { openComposeStores } from '../support/servers/compose-stores';
import { type Filled, fillInstallation, readInstallation, storedIn } from './installation/contents';

const backup = ['node', 'dist/infra/operate/backup/backup.main.js', '--out'];
const restore = ['node', 'dist/infra/operate/backup/restore.main.js', '--forgotten', 'none', '--from'];

describe('an installation of docker-compose.yml', function () {
  this.timeout(1_200_000);
  const [home, otherHome] = [temporaryDirectory('deployment'), temporaryDirectory('deployment-restored')];
  const opened: { readonly stop: () => Promise<void> }[] = [];
  let first: ComposeEnvironment;
  let firstStores: ComposeStores;
  let filled: Filled;

  let made: Manifest;

  const open = async (directory: string, before?: ComposeEnvironment) => {
    const { stores, stop } = await openComposeStores(directory);
    const environment = await openComposeEnvironment({
      home: directory,
      stores,
      ...(before === undefined ? {} : { before }),
    });
    const stopAll = async (): Promise<void> => {
      await environment.stop();
      await stop();
    };
    opened.push({ stop: stopAll });
    return { environment, stores };
  };

  needs('npm', 'git', 'bucket');
  before(async () => {
    const building = buildForCompose();
    const { environment, stores } = await open(home.path);
    [first, firstStores] = [environment, stores];
    await building;
  });
  after(async () => {
    for (const { stop } of opened) await stop();
    home.remove();
    otherHome.remove();
  });

  it('has one of every kind of data', async () => {
    await first.upAll();
    const credential = await spendCode(first.url, first.secret('bootstrap-code'));
    filled = await fillInstallation(first, { credential, home: home.path, postgres: firstStores.postgres });
  });

  it('is backed up whole by a verb of its image', async () => {
    assert.equal(await first.run('operate', [...backup, '/backups/whole']), 0);
    made = JSON.parse(readFileSync(join(first.directoryOf('operate', '/backups/whole'), 'backup.json'), 'utf8'));
    assert.deepEqual([made.log.kind, made.repositories, made.blobs.kind, made.keys], ['exported', 1, 'bucket', true]);
    assert.ok(made.blobs.count >= 3, `${made.blobs.count} blobs`);
  });

  it('is restored into empty stores with everything that was backed up, and goes on there', async () => {
    const seen = await readInstallation(first, filled, home.path);
    await first.stop();
    const stored = await storedIn(first, firstStores);
    for (const [table, rows] of Object.entries(stored.tables)) assert.ok(Array.isArray(rows), table);
    const { environment: second, stores } = await open(otherHome.path, first);
    await second.up('accounts');
    cpSync(first.directoryOf('operate', '/backups'), second.directoryOf('operate', '/backups'), { recursive: true });
    assert.equal(await second.run('operate', [...restore, '/backups/whole']), 0);
    const restored = await storedIn(second, stores);
    // Streams keep their order; that between streams is another after an import.
    assert.deepEqual(restored.events.slice(0, made.log.events).sort(), stored.events.slice(0, made.log.events).sort());
    assert.deepEqual({ ...restored, events: [] }, { ...stored, events: [] });
    await second.upAll();
    assert.deepEqual(await readInstallation(second, filled, otherHome.path), seen);
  });
});
