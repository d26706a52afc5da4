/** Edits made without a connection, or just before the end of a page, are not lost and not made twice. */
import assert from 'node:assert/strict';
import { getNode } from '../../../../domain/editor/scene/scene';
import { openMemoryLocks } from '../../../../packages/editor-engine/src/storage/memory-locks';
import { openMemoryStore } from '../../../../packages/editor-engine/src/storage/memory-store';
import { createTestNode, idsIn, openStage, type Stage } from '../simulation/fixture';

const shared = () => ({ store: openMemoryStore(), locks: openMemoryLocks() });

const goOffline = ({ network }: Stage): void => {
  network.isUp = false;
  network.cut();
};

describe('an engine without a connection', () => {
  it('displays the stored document at once, and sends edits from before the reload', async () => {
    const stage = openStage();
    const storage = shared();
    const first = await stage.open('ann', storage);
    await stage.time.pass(100);
    const id = createTestNode(first, { fill: 'white' });
    await stage.time.pass(5_000);
    goOffline(stage);
    first.set([id], { set: { fill: 'red' } });
    const offline = createTestNode(first, { fill: 'green' });
    await stage.time.pass(100);
    assert.deepEqual([first.state().kind, first.state().pending], ['offline', 2]);
    await first.close();

    const again = await stage.open('ann', storage);
    assert.deepEqual([again.node(id)?.properties.fill, again.node(offline)?.properties.fill], ['red', 'green']);
    assert.equal(again.state().kind, 'offline');
    stage.network.isUp = true;
    await stage.time.pass(5_000);
    assert.equal(again.state().kind, 'saved');
    assert.deepEqual(getNode(stage.owner.scene, id)?.properties.fill, 'red');
    assert.deepEqual(idsIn(stage), ['c000000001-1', 'c000000001-2', 'c000000001-3']);
    assert.equal(createTestNode(again), 'c000000001:3');
  });

  it('resends edits from before a crash, which are committed once', async () => {
    const stage = openStage();
    const storage = shared();
    const first = await stage.open('ann', storage);
    await stage.time.pass(100);
    const id = createTestNode(first);
    await stage.time.settle();
    // It reaches its owner, and the answer is lost: the tab was closed without a message.
    await stage.time.pass(12);
    stage.network.cut();
    assert.equal(idsIn(stage).length, 1);
    const locks = openMemoryLocks();
    const again = await stage.open('ann', { store: storage.store, locks });
    assert.equal(again.state().pending, 1);
    await stage.time.pass(5_000);
    assert.equal(again.state().kind, 'saved');
    assert.deepEqual([idsIn(stage).length, again.node(id)?.id, again.recovered().length], [1, id, 0]);
  });

  it('sends an edit of a closed tab’s node after its creation', async () => {
    const stage = openStage();
    const storage = shared();
    const [first, second] = [await stage.open('ann', storage), await stage.open('ann', storage)];
    await stage.time.pass(5_000);
    goOffline(stage);
    const id = createTestNode(first);
    await stage.time.pass(100);
    await first.close();
    await stage.time.pass(100);
    assert.deepEqual(second.set([id], { set: { fill: 'red' } }).ok, true);
    await stage.time.pass(100);
    stage.network.isUp = true;
    second.reconnect();
    await stage.time.pass(20_000);
    assert.deepEqual([second.state().kind, second.recovered()], ['saved', []]);
    assert.equal(getNode(stage.owner.scene, id)?.properties.fill, 'red');
  });

  it('sends a closed tab’s outbox from another tab, once', async () => {
    const stage = openStage();
    const storage = shared();
    const [one, other] = [await stage.open('ann', storage), await stage.open('ann', storage)];
    await stage.time.pass(100);
    const id = createTestNode(one);
    await stage.time.pass(100);
    assert.ok(createTestNode(other).startsWith('c000000002:'));
    await stage.time.pass(100);
    goOffline(stage);
    one.set([id], { set: { fill: 'red' } });
    await stage.time.settle();
    await one.close();
    await stage.time.settle();
    assert.equal(other.node(id)?.properties.fill, 'red');
    stage.network.isUp = true;
    await stage.time.pass(5_000);
    assert.deepEqual([other.state().kind, other.state().pending], ['saved', 0]);
    assert.equal(getNode(stage.owner.scene, id)?.properties.fill, 'red');
    assert.equal(new Set(idsIn(stage)).size, idsIn(stage).length);
    const storedClients = (await storage.store.clients()).map(({ clientId }) => clientId);
    assert.deepEqual(storedClients, ['c000000002']);
  });

  it('gets another client id when its own belongs to another principal', async () => {
    const stage = openStage();
    const storage = shared();
    const first = await stage.open('ann', storage);
    await stage.time.pass(100);
    await first.close();
    const thief = await stage.open('bob', storage);
    await stage.time.pass(3_000);
    assert.deepEqual([thief.state().kind, createTestNode(thief)], ['saved', 'c000000002:1']);
  });
});
