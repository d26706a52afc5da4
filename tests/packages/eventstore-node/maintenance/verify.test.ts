/** What is consistent page by page and wrong all the same: each kind of it is found and named. */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createReclaimedSpace, scavenge } from '../../../../packages/eventstore-node/src/scavenge/scavenge';
import { logFileOf } from '../../../../packages/eventstore-node/src/storage/lmdb-tables';
import { encodeRecord, messageOf } from '../../../../packages/eventstore-node/src/storage/records/record-format';
import { checkAll } from '../../../../packages/eventstore-node/src/verify/check-all';
import { CorruptionError } from '../../../../packages/eventstore-node/src/verify/corruption-error';
import { parseRecordedEvent } from '../../../../packages/eventstore-node/src/verify/recorded-event';
import { fillStreams, newEvent, withStoredLog } from '../../../contracts/eventstore-node/maintenance/stored-log';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { damages } from './damages';

describe('verify', () => {
  const home = temporaryDirectory('verify');
  const [whole, scavenged] = [join(home.path, 'whole'), join(home.path, 'scavenged')];
  before(async () => {
    await withStoredLog(whole, (stored) => fillStreams(stored));
    cpSync(whole, scavenged, { recursive: true });
    await withStoredLog(scavenged, (stored) => scavenge(stored, createReclaimedSpace(), new AbortController().signal));
  });
  after(() => home.remove());

  it('finds nothing in a log that is whole, and counts it', async () => {
    const [before, after] = [await checkAll(whole, () => undefined), await checkAll(scavenged, () => undefined)];
    assert.ok(before !== undefined && after !== undefined);
    assert.equal(before.events, after.events + after.removed.events);
    assert.equal(before.bytes, after.bytes + after.removed.bytes);
    assert.equal(before.streams, after.streams);
    assert.ok(after.removed.events > 20);
  });

  it('knows a directory without a log', async () => {
    assert.equal(await checkAll(join(home.path, 'nowhere'), () => undefined), undefined);
  });

  for (const source of ['whole', 'scavenged'] as const)
    for (const [what, damage, found] of damages)
      it(`finds ${what} in a ${source} log`, async () => {
        const directory = join(home.path, 'damaged');
        cpSync(join(home.path, source), directory, { recursive: true });
        await withStoredLog(directory, async ({ storage: { tables } }) =>
          tables.root.transactionSync(() => damage(tables)),
        );
        await assert.rejects(
          checkAll(directory, () => undefined),
          (error) => error instanceof CorruptionError && found.test(error.message) && !error.message.includes('\n'),
        );
      });

  it('lets go of a log that it refuses, whose file may then be written again in place', async () => {
    const directory = join(home.path, 'restored');
    cpSync(whole, directory, { recursive: true });
    await withStoredLog(directory, async ({ storage: { tables } }) =>
      tables.marks.putSync(Buffer.from('removed'), Buffer.from('{"position":true}')),
    );
    const check = () => checkAll(directory, () => undefined);
    await assert.rejects(check(), CorruptionError);
    writeFileSync(logFileOf(directory), readFileSync(logFileOf(whole)));
    assert.deepEqual(await check(), await checkAll(whole, () => undefined));
  });

  it('reads no message beyond its end, whatever its bytes', () => {
    const place = { stream: Buffer.from('s'), streamNumber: 64, revision: 3, position: 64, created: 5 };
    const message = messageOf(encodeRecord(newEvent(40), place));
    assert.equal(parseRecordedEvent(message, 0)?.revision, 3);
    for (let length = 1; length < message.length; length += 1) parseRecordedEvent(message.subarray(0, length), 0);
    for (let at = 0; at < message.length; at += 1) {
      const changed = Buffer.from(message);
      changed[at] = 0xff;
      parseRecordedEvent(changed, 0);
    }
  });
});
