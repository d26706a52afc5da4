import assert from 'node:assert/strict';
import { IDBFactory } from 'fake-indexeddb';
import { getNode } from '../../../../domain/editor/scene/scene';
import type { IdbFactory } from '../../../../packages/editor-engine/src/browser/indexed-db';
import { openIndexedDbStore } from '../../../../packages/editor-engine/src/browser/indexed-db-store';
import { openMemoryLocks } from '../../../../packages/editor-engine/src/storage/memory-locks';
import { createTestNode, openStage, sceneText } from '../simulation/fixture';

describe('what an engine stores', () => {
  it('survives a reload in a browser: the scene, edits and their sequences', async () => {
    const stage = openStage();
    const { time, owner, network, open } = stage;
    const factory = new IDBFactory() as unknown as IdbFactory;
    const locks = openMemoryLocks();
    const storeAgain = () => openIndexedDbStore({ factory, userId: 'ann', documentId: 'd-1' });
    const ann = await open('ann', { store: await storeAgain(), locks });
    await time.pass(100);
    const text = ann.create([{ type: 'text', text: 'ab' }]).ids[0];
    const ids = Array.from({ length: 20 }, (_, index) => createTestNode(ann, { index }));
    // Its time is not the stage's.
    await ann.whenStored();
    await time.pass(5_000);
    assert.equal(ann.state().kind, 'saved');
    network.isUp = false;
    network.cut();
    if (text !== undefined) ann.type(text, (typed) => typed.insert(2, 'c'));
    ann.remove(ids.slice(0, 10));
    await ann.whenStored();
    await ann.close();
    const again = await open('ann', { store: await storeAgain(), locks });
    assert.deepEqual([again.state().pending, again.children(null).length], [2, 11]);
    assert.equal(again.text(text ?? ids[0]!), 'abc');
    network.isUp = true;
    for (let tries = 0; tries < 20 && again.state().kind !== 'saved'; tries += 1) await time.pass(1_000);
    assert.equal(again.state().kind, 'saved');
    assert.equal(getNode(owner.scene, ids[0]!), undefined);
    assert.equal(sceneText(again.scene()), sceneText(owner.scene));
    await again.close();
  });
});
