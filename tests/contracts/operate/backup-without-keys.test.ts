/** Keys apart from the data they open. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBackup } from '../../../infra/operate/backup/create-backup';
import { openInstallation } from '../../../infra/operate/backup/installation';
import { restoreBackup } from '../../../infra/operate/backup/restore-backup';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { logOnNode } from '../../support/servers/event-store-fixture';
import { databaseWithWork, environmentOf, keyIn } from './fixture';

const print = (): void => undefined;

describe('a backup without keys', function () {
  this.timeout(60_000);
  const home = temporaryDirectory('backup-keys');
  const log = logOnNode('backup-keys-log');
  const [out, data, keys] = [join(home.path, 'out'), join(home.path, 'data'), join(home.path, 'keys')];

  before(async () => {
    const from = { log: log.node.url, postgres: await databaseWithWork(), keys, bucket: undefined };
    await keyIn(from);
    const installation = await openInstallation(join(home.path, 'nothing'), environmentOf(from));
    const made = await createBackup(installation, { out, withoutKeys: true, withoutBlobs: false, report: print });
    assert.equal(made.keys, false);
  });
  after(home.remove);

  const bring = (from: string | undefined) =>
    restoreBackup({ from: out, data, env: {}, keys: from, forgotten: undefined, report: print });
  const handedOver = (name: string, masterKey: Buffer): string => {
    const directory = join(home.path, name);
    mkdirSync(join(directory, 'secrets'), { recursive: true });
    writeFileSync(join(directory, 'secrets', 'master-key'), masterKey.toString('base64url'));
    return directory;
  };

  it('holds none, and is not restored without them', async () => {
    assert.deepEqual([existsSync(join(out, 'keys')), existsSync(join(out, 'secrets'))], [false, false]);
    await assert.rejects(bring(undefined), /made without keys/);
    await assert.rejects(bring(handedOver('nothing-in-it', randomBytes(32))), /has no keys/);
  });

  it('is not restored with keys that open nothing in it', async () => {
    const other = handedOver('other', randomBytes(32));
    mkdirSync(join(other, 'keys'));
    await assert.rejects(bring(other), /wrapped by .* which is not in/);
    rmSync(join(other, 'keys'), { recursive: true });
    cpSync(keys, join(other, 'keys'), { recursive: true });
    await assert.rejects(bring(other), /wrapped by another master key/);
    assert.equal(existsSync(data), false);
  });
});
