/** Nothing is sent that is not kept; what cannot be kept is sent all the same. */
import assert from 'node:assert/strict';
import type { ClientId } from '../../../../domain/editor/ids';
import type { StoreChange } from '../../../../packages/editor-engine/src/ports/document-store';
import { openMemoryStore } from '../../../../packages/editor-engine/src/storage/memory-store';
import { createTestNode, openStage } from '../simulation/fixture';

describe('what an engine stores', () => {
  it('is stored before it is sent', async () => {
    const { time, owner, open } = openStage();
    const store = { ...openMemoryStore(), isDurable: true };
    let release: () => void = () => undefined;
    const hold = (resolve: () => void): void => {
      release = resolve;
    };
    const slow = {
      ...store,
      write: async (change: StoreChange) => {
        if ((change.pending ?? []).length > 0) await new Promise<void>(hold);
        await store.write(change);
      },
    };
    const ann = await open('ann', { store: slow });
    await time.pass(100);
    const id = createTestNode(ann);
    await time.pass(1_000);
    assert.deepEqual([owner.version, ann.state().kind, ann.node(id)?.id], [0, 'saving', id]);
    release();
    await time.pass(100);
    assert.deepEqual([owner.version, ann.state().kind], [1, 'saved']);
  });

  it('is reported at risk without disk space, and sent all the same', async () => {
    const { time, owner, network, open } = openStage();
    const store = { ...openMemoryStore(), isDurable: true };
    let isFull = true;
    const full = {
      ...store,
      write: (change: StoreChange) => (isFull ? Promise.reject(new Error('No room.')) : store.write(change)),
    };
    const ann = await open('ann', { store: full });
    await time.pass(100);
    createTestNode(ann);
    await time.pass(100);
    assert.deepEqual([owner.version, ann.state().kind, ann.state().canStore], [1, 'saved', false]);
    assert.equal(ann.events.filter(({ kind }) => kind === 'fault').length, 1);
    network.isUp = false;
    network.cut();
    createTestNode(ann);
    await time.pass(3_000);
    assert.deepEqual([ann.state().kind, ann.state().pending, ann.state().atRisk], ['offline', 1, 1]);
    assert.equal(await ann.whenStored(), false);
    // It is tried again without another edit, and all that could not be written is.
    isFull = false;
    await time.pass(3_000);
    assert.deepEqual([ann.state().pending, ann.state().atRisk, ann.state().canStore], [1, 0, true]);
    const pending = await store.pendingOf('c000000001' as ClientId);
    assert.deepEqual([pending.length, await ann.whenStored()], [1, true]);
  });

  it('is written completely again after a failed write', async () => {
    const { time, network, open } = openStage();
    const store = { ...openMemoryStore(), isDurable: true };
    let isBroken = false;
    const write = (change: StoreChange) => (isBroken ? Promise.reject(new Error('Closed.')) : store.write(change));
    const ann = await open('ann', { store: { ...store, write } });
    await time.pass(100);
    network.isUp = false;
    network.cut();
    createTestNode(ann);
    await time.pass(100);
    await store.clear();
    isBroken = true;
    createTestNode(ann);
    await time.pass(100);
    isBroken = false;
    await time.pass(3_000);
    assert.equal((await store.pendingOf('c000000001' as ClientId)).length, 2);
    assert.equal((await store.clients()).length, 1);
  });

  it('continues without a store that never answers', async () => {
    const { time, owner, open } = openStage();
    const store = { ...openMemoryStore(), isDurable: true, write: () => new Promise<void>(() => undefined) };
    const ann = await open('ann', { store });
    await time.pass(100);
    createTestNode(ann);
    await time.pass(1_000);
    assert.deepEqual([owner.version, ann.state().kind, ann.state().canStore], [0, 'saving', true]);
    await time.pass(20_000);
    assert.deepEqual([owner.version, ann.state().kind, ann.state().canStore], [1, 'saved', false]);
  });

  it('is lost with the page without durable storage, and is reported at risk', async () => {
    const { time, network, open } = openStage();
    const ann = await open('ann');
    await time.pass(100);
    network.isUp = false;
    network.cut();
    createTestNode(ann);
    await time.pass(100);
    assert.deepEqual([ann.state().canStore, ann.state().atRisk, await ann.whenStored()], [false, 1, false]);
  });

  it('is stored although a listener throws', async () => {
    const { time, owner, open } = openStage();
    const ann = await open('ann');
    const thrown: unknown[] = [];
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (error) => thrown.push(error));
    try {
      ann.on(() => {
        throw new Error('Of a listener.');
      });
      await time.pass(100);
      createTestNode(ann);
      await time.pass(100);
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const listener of others) process.on('uncaughtException', listener);
    }
    assert.deepEqual([owner.version, ann.state().kind, thrown.length > 0], [1, 'saved', true]);
  });

  it('is the current scene, also if it was replaced while it was written', async () => {
    const { time, owner, network, open } = openStage();
    const bob = await open('bob');
    await time.pass(100);
    const memory = openMemoryStore();
    const versions: number[] = [];
    let release: () => void = () => undefined;
    const replaceScene: typeof memory.replaceScene = async (mark, chunks) => {
      versions.push(mark.version);
      if (versions.length === 1)
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      await memory.replaceScene(mark, chunks);
    };
    await open('ann', { store: { ...memory, isDurable: true, replaceScene } });
    for (let turn = 0; turn < 2; turn += 1) {
      network.cut('ann');
      createTestNode(bob);
      await time.settle();
      owner.oldestTail = owner.version + 1;
      await time.pass(5_000);
    }
    assert.deepEqual(versions, [1]);
    release();
    await time.pass(5_000);
    assert.deepEqual(versions, [1, 2]);
  });
});
