import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft, isRight } from 'fp-ts/Either';
import { revocationDelayMilliseconds } from '../../../../commands/editor/access/revocation-delay';
import type {
  Broadcast,
  DocumentHandle,
  DocumentRegistry,
} from '../../../../commands/editor/document-owner/document-handle';
import { countNodes } from '../../../../domain/editor/scene/scene';
import { client, events, opened, type Stage, stage, statuses, submit, textOf, writer } from '../fixture';

describe('an earlier version of a document', () => {
  let now: Stage;
  let owner: DocumentRegistry;
  let document: DocumentHandle;
  const broadcasts: Broadcast[] = [];
  const ada = writer(client('ada'));
  const restore = (version: number, commandId = 'k-1') => document.restore({ version, principalId: 'ada', commandId });
  before(async () => {
    now = stage();
    owner = now.owner();
    document = await opened(owner);
    for (let count = 1; count <= 5; count += 1) await submit(document, [ada.create(count)]);
    document.subscribe((one) => broadcasts.push(one));
  });
  after(() => now.close());

  it('is restored as a new version', async () => {
    const done = await restore(2);
    assert.ok(isRight(done));
    assert.equal(done.right.committedVersion, 6);
    assert.equal(countNodes(document.scene()), 2);
    const [batch, snapshot] = (await events(now)).slice(-2);
    assert.equal(batch?.type, 'OperationsCommitted');
    assert.ok(snapshot?.type === 'SnapshotTaken' && snapshot.data.snapshot.version === 6);
  });

  it('is sent as a rebase, and as a snapshot to clients that were offline', () => {
    const [last] = broadcasts.slice(-1);
    assert.ok(last?.kind === 'rebased' && last.snapshot.version === 6);
    const { rebase, snapshot, frames } = document.catchUp(5);
    assert.deepEqual([rebase, snapshot?.version, frames], [true, 6, []]);
  });

  it('is restored once, however often the request is repeated', async () => {
    const again = await restore(2);
    assert.ok(isRight(again));
    assert.deepEqual(statuses(again.right), ['duplicate']);
    assert.equal(document.committedVersion(), 6);
  });

  it('cannot be restored if it does not exist, or without the right to edit', async () => {
    const unknown = await restore(99, 'k-2');
    assert.ok(isLeft(unknown) && unknown.left.code === 'version-unknown');
    now.roles.set('ada', 'viewer');
    await sleep(revocationDelayMilliseconds);
    const forbidden = await restore(1, 'k-3');
    now.roles.set('ada', 'editor');
    assert.ok(isLeft(forbidden) && forbidden.left.code === 'forbidden');
  });

  it('is refused again when repeated, and restored as soon as it is allowed', async () => {
    const unknown = await restore(99, 'k-2');
    assert.ok(isLeft(unknown) && unknown.left.code === 'version-unknown');
    const version = document.committedVersion();
    const done = await restore(1, 'k-3');
    assert.ok(isRight(done));
    assert.deepEqual([statuses(done.right), document.committedVersion()], [['applied'], version + 1]);
    assert.ok(isRight(await restore(2, 'k-4')));
  });

  it('answers the resulting version, also to later repetitions', async () => {
    const done = await restore(2, 'k-5');
    await submit(document, [ada.create(8)]);
    const again = await restore(2, 'k-5');
    assert.ok(isRight(done) && isRight(again));
    assert.deepEqual(
      [statuses(again.right), again.right.committedVersion],
      [['duplicate'], done.right.committedVersion],
    );
    const other = await restore(3, 'k-5');
    assert.ok(isRight(other));
    assert.deepEqual(statuses(other.right), ['applied'], 'another version is not what was put back');
  });

  it('keeps the order of its client’s batches', async () => {
    const back = ada.operation('restoreVersion', { version: 3 });
    const [first, second] = await Promise.all([submit(document, [back]), submit(document, [ada.create(6)])]);
    assert.deepEqual([first, second].map(statuses), [['applied'], ['applied']]);
    assert.equal(countNodes(document.scene()), 4);
  });

  it('survives a takeover, with later operations and sent batches', async () => {
    await submit(document, [ada.create(7)]);
    const scene = textOf(document.scene());
    const version = document.committedVersion();
    await owner.close();
    document = await opened(now.owner());
    assert.equal(document.committedVersion(), version);
    assert.equal(textOf(document.scene()), scene);
    const [latest] = now.snapshots.taken.slice(-1);
    now.snapshots.damaged.add(latest?.compressedSceneKey ?? '');
    const other = await opened(now.rival());
    assert.equal(textOf(other.scene()), scene);
    assert.deepEqual(statuses(await submit(other, [ada.create(8)])), ['applied']);
  });
});

describe('earlier versions of a document', () => {
  it('are restored one after the other, one per batch, so that one at most is in memory', async () => {
    const now = stage();
    const { snapshots } = now;
    const versions: number[] = [];
    const at: typeof snapshots.atVersion = (...parameters) => {
      versions.push(document.committedVersion());
      return snapshots.atVersion(...parameters);
    };
    const document = await opened(now.owner({ snapshots: { ...snapshots, atVersion: at } }));
    const ada = writer(client('ada'));
    await submit(document, [ada.create(1), ada.create(2)]);
    const commandIds = ['k-1', 'k-2', 'k-3', 'k-4'];
    const all = commandIds.map((commandId) => document.restore({ version: 1, principalId: 'ada', commandId }));
    assert.ok((await Promise.all(all)).every(isRight));
    assert.deepEqual(versions, [2, 3, 4, 5]);
    const operations = [1, 2].map((version) => ada.operation('restoreVersion', { version }));
    const refused = await document.submit({ clientId: ada.clientId, principalId: 'ada', schema: 2, operations });
    assert.ok(isLeft(refused) && refused.left.code === 'batch-too-large');
    await now.close();
  });
});
