/** Processes that open a log again and again, as backups and verify do, beside the one that writes it. */

import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkAll } from '../../../../packages/eventstore-node/src/verify/check-all';
import { killAndWait } from '../../../support/processes/child-report';
import { typescript } from '../../../support/runner/compiled';
import { skip } from '../../../support/runner/skip';
import { foreignLog, givenUrl } from '../protocol/harness/server-under-test';
import { newEvents, type StoredLog, setMetadata, storeEvents, withStoredLog } from './stored-log';

const openers = 2;
const opens = 50;

interface ReaderMessage {
  readonly opened?: number;
  readonly damage?: string;
}

const startOpener = (directory: string): ChildProcess =>
  fork(join(__dirname, 'open-worker.main.ts'), [directory], { execArgv: typescript() });

/** Rejects with what it took for damage, or how it ended. */
const hasOpened = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    child.on('message', ({ opened = 0, damage }: ReaderMessage) => {
      if (damage !== undefined) reject(new Error(damage));
      if (opened >= opens) resolve();
    });
    child.once('exit', (code, signal) => reject(new Error(`ended with ${signal ?? code}`)));
  });

/** Transactions come one after the other: one that comes again is written over the one that was there. */
const writeUntil = async (stored: StoredLog, over: () => boolean): Promise<number> => {
  const { root } = stored.storage.tables;
  let [appended, newest] = [0, 0];
  for (; !over(); appended += 1) {
    await storeEvents(stored, `stream-${appended % 20}`, newEvents(1));
    const id = root.transactionSync(() => root.getWriteTxnId());
    assert.ok(id > newest, `transaction ${id} came after ${newest}`);
    newest = id;
  }
  return appended;
};

describe('a log that others open while it is written', function () {
  this.timeout(120_000);
  // In memory where that is to be had: a disk commits too seldom for an opener to come between two of its own steps.
  const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'septet-beside-'));
  before(function () {
    if (givenUrl !== undefined) skip(this, foreignLog);
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  it(`keeps every event, and shows each of ${openers * opens} openers one whole moment of it`, async () => {
    await withStoredLog(directory, async (stored) => {
      await setMetadata(stored, 'stream-0', '{"$maxCount":5}');
      const children = Array.from({ length: openers }, () => startOpener(directory));
      let over = false;
      const looked = Promise.all(children.map(hasOpened)).finally(() => {
        over = true;
      });
      try {
        const [appended] = await Promise.all([writeUntil(stored, () => over), looked]);
        assert.ok(appended > 0);
        const walked = await checkAll(directory, () => undefined);
        assert.equal(walked?.events, appended + 1);
      } finally {
        await Promise.all(children.map(killAndWait));
      }
    });
  });
});
