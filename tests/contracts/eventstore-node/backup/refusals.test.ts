/** What is no backup, and where none may be put. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { takeBackup } from '../../../../packages/eventstore-node/src/backup/backup';
import { restoreBackup } from '../../../../packages/eventstore-node/src/backup/restore';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { startEventStoreNode } from '../../../support/servers/event-store-node';
import { requireSmallDisk, unmountSmallDisk } from '../../../support/servers/small-disk';
import { fillLog } from '../transfer/varied-log';
import { ignoreProgress, makeBackup } from './make-backup';

const refusal = async (from: string, data: string): Promise<string> => {
  const restored = await restoreBackup({ from, data, progress: ignoreProgress });
  return isLeft(restored) ? restored.left : assert.fail('it was restored');
};

describe('a backup that cannot be made or used', function () {
  this.timeout(60_000);
  const home = temporaryDirectory('backup-refusals');
  const at = (name: string): string => join(home.path, name);
  before(async () => {
    await fillLog(at('data'));
    await makeBackup(at('data'), at('whole'));
  });
  after(() => home.remove());

  it('is not made on a full disk, and leaves nothing there', async function () {
    requireSmallDisk(this, at('full'), 1);
    try {
      const backup = await takeBackup({ data: at('data'), out: join(at('full'), 'backup'), progress: ignoreProgress });
      assert.match(isLeft(backup) ? backup.left : '', /^The backup was not made: No space left on device/);
      const restored = await refusal(at('whole'), join(at('full'), 'data'));
      assert.match(restored, /^The backup was not restored: ENOSPC/);
      assert.deepEqual(readdirSync(at('full')), ['data']);
      assert.deepEqual(readdirSync(join(at('full'), 'data')), []);
    } finally {
      unmountSmallDisk(at('full'));
    }
  });

  it('is not restored when a byte of it is another, when it is cut off, or without its manifest', async () => {
    const [file, manifest] = [join(at('whole'), 'events.mdb'), join(at('whole'), 'backup.json')];
    const copy = (name: string): string => {
      mkdirSync(at(name));
      writeFileSync(join(at(name), 'events.mdb'), readFileSync(file));
      writeFileSync(join(at(name), 'backup.json'), readFileSync(manifest));
      return join(at(name), 'events.mdb');
    };
    const bytes = readFileSync(copy('flipped'));
    writeFileSync(join(at('flipped'), 'events.mdb'), bytes.fill((bytes[100_000] ?? 0) ^ 1, 100_000, 100_001));
    assert.match(await refusal(at('flipped'), at('no')), /its SHA-256 is not the one/);
    truncateSync(copy('short'), 8_192);
    assert.match(await refusal(at('short'), at('no')), /is not whole: 8192 bytes instead of/);
    writeFileSync(join(at('short'), 'backup.json'), '{"format":"eventstore-backup"}');
    assert.match(await refusal(at('short'), at('no')), /is not the manifest of a backup/);
    assert.match(await refusal(at('data'), at('no')), /is not a backup/);
    assert.deepEqual(existsSync(at('no')) ? readdirSync(at('no')) : [], []);
  });

  it('is not restored over a log, nor where one is served', async () => {
    assert.match(await refusal(at('whole'), at('data')), /already has an event log/);
    const node = await startEventStoreNode(at('served'));
    assert.match(
      await refusal(at('whole'), at('served')),
      new RegExp(` is in use by process ${node.pid} \\(main\\.js\\)`),
    );
    await node.stop();
  });

  it('overwrites nothing, and is made of nothing but a log', async () => {
    const again = await takeBackup({ data: at('data'), out: at('whole'), progress: ignoreProgress });
    assert.match(isLeft(again) ? again.left : '', /is there already/);
    const nothing = await takeBackup({ data: at('nowhere'), out: at('none'), progress: ignoreProgress });
    assert.match(isLeft(nothing) ? nothing.left : '', /There is no event log/);
    assert.ok(!existsSync(at('none')));
  });
});
