/** Backups of a node that is written to, and what is made of them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft, isRight } from 'fp-ts/Either';
import { openEventStore } from '../../infra/eventstore/client';
import { takeBackup } from '../../infra/eventstore/node/backup/backup';
import { inventoryOf } from '../../infra/eventstore/node/backup/inventory';
import type { Manifest } from '../../infra/eventstore/node/backup/manifest';
import { restoreBackup } from '../../infra/eventstore/node/backup/restore';
import { withSnapshot } from '../../infra/eventstore/node/backup/snapshot';
import { type NodeProcess, startEventStoreNode, temporaryDirectory } from '../support/event-store-node';
import { fillLog, recordsIn } from './event-store-transfer/content';
import { ended, runVerb, startVerb } from './event-store-transfer/programs';

const ignore = (): void => undefined;

const backUp = async (data: string, out: string): Promise<Manifest> => {
  const backup = await takeBackup({ data, out, progress: ignore });
  return isRight(backup) ? backup.right : assert.fail(backup.left);
};

const refusal = async (from: string, data: string): Promise<string> => {
  const restored = await restoreBackup({ from, data, progress: ignore });
  return isLeft(restored) ? restored.left : assert.fail('it was restored');
};

/** Several clients append, each to streams of its own, until they are told to stop. */
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
    /** The newest position that a client has been told of. */
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
    await backUp(at('data'), at('whole'));
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
      await backUp(at('busy'), at(`busy-${round}`));
    }
    await clients.stop();
    await node.stop();
    const all = await recordsIn(at('busy'));
    for (const [round, acknowledged] of before.entries()) {
      const restored = await restoreBackup({ from: at(`busy-${round}`), data: at(`again-${round}`), progress: ignore });
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

  it('overwrites nothing, and is made of nothing but a log', async () => {
    const again = await takeBackup({ data: at('data'), out: at('whole'), progress: ignore });
    assert.match(isLeft(again) ? again.left : '', /is there already/);
    const nothing = await takeBackup({ data: at('nowhere'), out: at('none'), progress: ignore });
    assert.match(isLeft(nothing) ? nothing.left : '', /There is no event log/);
    assert.ok(!existsSync(at('none')));
  });

  it('has its name only when it is whole, however it is killed', async () => {
    const child = startVerb(['backup', '--data', at('data'), '--out', at('killed')]);
    while (!readdirSync(home.path).some((name) => name.startsWith('killed.partial')) && child.exitCode === null)
      await new Promise(setImmediate);
    child.kill('SIGKILL');
    await ended(child);
    if (!existsSync(at('killed'))) await backUp(at('data'), at('killed'));
    const restored = await restoreBackup({ from: at('killed'), data: at('survivor'), progress: ignore });
    assert.ok(isRight(restored));
  });

  it('is not made on a full disk, and leaves nothing there', async function () {
    mkdirSync(at('full'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', at('full')], { stdio: 'ignore' });
    } catch {
      this.skip();
    }
    try {
      const backup = await takeBackup({ data: at('data'), out: join(at('full'), 'backup'), progress: ignore });
      assert.match(isLeft(backup) ? backup.left : '', /^The backup was not made: No space left on device/);
      const restored = await refusal(at('whole'), join(at('full'), 'data'));
      assert.match(restored, /^The backup was not restored: ENOSPC/);
      assert.deepEqual(readdirSync(at('full')), ['data']);
      assert.deepEqual(readdirSync(join(at('full'), 'data')), []);
    } finally {
      execFileSync('umount', ['--lazy', at('full')], { stdio: 'ignore' });
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
    assert.match(await refusal(at('whole'), at('data')), /holds an event log already/);
    const node = await startEventStoreNode(at('served'));
    assert.match(await refusal(at('whole'), at('served')), new RegExp(`^Process ${node.pid} serves`));
    await node.stop();
  });
});

describe('the figures of a log', function () {
  this.timeout(60_000);
  const home = temporaryDirectory('stats');
  after(() => home.remove());

  it('are read beside the node that serves it', async () => {
    await fillLog(home.path);
    const node = await startEventStoreNode(home.path);
    const { code, output, errors } = await runVerb(['stats', '--data', home.path]);
    assert.equal(code, 0, errors);
    const stats = JSON.parse(output) as Awaited<ReturnType<typeof inventoryOf>>;
    await node.stop();
    const records = await recordsIn(home.path);
    assert.deepEqual(
      [stats.events, stats.tombstonedStreams, stats.deletedStreams, stats.systemStreams],
      [records.length, 2, 1, 6],
    );
    assert.deepEqual(stats.longestStreams[0], { stream: 'long', first: 0, last: 1_199 });
    assert.equal(stats.longestStreams.length, 10);
    assert.equal(stats.firstPosition, 64);
    assert.ok(stats.logBytes + stats.indexBytes <= stats.fileBytes);
    assert.equal(await withSnapshot(join(home.path, 'none'), inventoryOf), undefined);
  });

  it('are those of a real node by URL', async () => {
    const node = await startEventStoreNode(join(home.path, 'served'));
    const { code, output } = await runVerb(['stats', '--url', node.url]);
    await node.stop();
    assert.equal(code, 0);
    assert.equal((JSON.parse(output) as Record<string, unknown>)['proc-id'], node.pid);
  });
});
