/** Backups of a node that is written to, and what is made of them. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft, isRight } from 'fp-ts/Either';
import { openEventStore } from '../../../../infra/adapters/eventstore/event-store';
import type { Manifest } from '../../../../packages/eventstore-node/src/backup/manifest';
import { restoreBackup } from '../../../../packages/eventstore-node/src/backup/restore';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { type NodeProcess, startEventStoreNode } from '../../../support/servers/event-store-node';
import { runVerb, startVerb, waitForExit } from '../transfer/command-line';
import { fillLog, recordsIn } from '../transfer/varied-log';
import { ignoreProgress, makeBackup } from './make-backup';

/** Several clients append, each to streams of its own, until `stop`. */
const load = (node: NodeProcess, clients: number) => {
  let [acknowledged, running] = [0n, true];
  const client = async (name: number): Promise<number> => {
    const store = openEventStore({ url: node.url });
    let count = 0;
    for (; running; count += 1) {
      const event = { id: crypto.randomUUID(), type: 'Loaded', data: { count, text: 'x'.repeat(2_000) }, metadata: {} };
      const appended = await store.append(`load.${name}-${count % 20}`, 'any', [event]);
      if (isLeft(appended)) assert.fail(JSON.stringify(appended.left));
      if (appended.right.position > acknowledged) acknowledged = appended.right.position;
    }
    await store.close();
    return count;
  };
  const all = Promise.all(Array.from({ length: clients }, (_, name) => client(name)));
  return {
    /** The newest acknowledged position. */
    acknowledged: () => acknowledged,
    stop: () => {
      running = false;
      return all;
    },
  };
};

describe('a backup', function () {
  this.timeout(60_000);
  const home = temporaryDirectory('backup');
  const at = (name: string): string => join(home.path, name);
  before(async () => {
    await fillLog(at('data'));
    await makeBackup(at('data'), at('whole'));
  });
  after(() => home.remove());

  it('of a node under load is the beginning of its log, with everything acknowledged before', async () => {
    await fillLog(at('busy'));
    const node = await startEventStoreNode(at('busy'));
    const clients = load(node, 8);
    const before: bigint[] = [];
    for (let round = 0; round < 6; round += 1) {
      const reached = clients.acknowledged();
      // Each begins when the log has gone on since the one before.
      while (clients.acknowledged() === reached) await new Promise(setImmediate);
      before.push(clients.acknowledged());
      await makeBackup(at('busy'), at(`busy-${round}`));
    }
    await clients.stop();
    await node.stop();
    const all = await recordsIn(at('busy'));
    for (const [round, acknowledged] of before.entries()) {
      const restored = await restoreBackup({
        from: at(`busy-${round}`),
        data: at(`again-${round}`),
        progress: ignoreProgress,
      });
      if (isLeft(restored)) assert.fail(restored.left);
      const records = await recordsIn(at(`again-${round}`));
      assert.ok(BigInt(restored.right.endPosition ?? 0) >= acknowledged);
      assert.equal(records.length, restored.right.events);
      assert.deepEqual(records, all.slice(0, records.length));
    }
    assert.equal((await runVerb(['verify', '--data', at('again-5')])).code, 0);
  });

  it('is what a node serves again, to the last event', async () => {
    const { code, errors } = await runVerb(['restore', '--from', at('whole'), '--data', at('restored'), '--verify']);
    assert.equal(code, 0, errors);
    assert.deepEqual(await recordsIn(at('restored')), await recordsIn(at('data')));
    const node = await startEventStoreNode(at('restored'));
    const store = openEventStore({ url: node.url });
    const read = await store.read('long');
    await store.close();
    await node.stop();
    assert.equal(isRight(read) && read.right.length, 1_200);
  });

  it('says what it holds', async () => {
    const { code, output } = await runVerb(['backup', '--data', at('data'), '--out', at('said')]);
    assert.equal(code, 0);
    const manifest = JSON.parse(readFileSync(join(at('said'), 'backup.json'), 'utf8')) as Manifest;
    assert.deepEqual(JSON.parse(output), { backup: at('said'), ...manifest });
    assert.equal(manifest.events, (await recordsIn(at('data'))).length);
    assert.deepEqual(readdirSync(at('said')).toSorted(), ['backup.json', 'events.mdb']);
  });

  it('has its name only when it is whole, however it is killed', async () => {
    const child = startVerb(['backup', '--data', at('data'), '--out', at('killed')]);
    while (!readdirSync(home.path).some((name) => name.startsWith('killed.partial')) && child.exitCode === null)
      await new Promise(setImmediate);
    child.kill('SIGKILL');
    await waitForExit(child);
    if (!existsSync(at('killed'))) await makeBackup(at('data'), at('killed'));
    const restored = await restoreBackup({ from: at('killed'), data: at('survivor'), progress: ignoreProgress });
    assert.ok(isRight(restored));
  });
});
