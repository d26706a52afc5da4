/**
 * The log is restored to an earlier time, as from a backup: no own edit is lost, and none is sent into another history.
 */
import assert from 'node:assert/strict';
import type { NodeId } from '../../../../domain/editor/ids';
import { getNode } from '../../../../domain/editor/scene/scene';
import { openMemoryLocks } from '../../../../packages/editor-engine/src/storage/memory-locks';
import { openMemoryStore } from '../../../../packages/editor-engine/src/storage/memory-store';
import { createTestNode, type Opened, openStage, type Stage, sceneText } from '../simulation/fixture';
import { restoreLogTo } from '../simulation/restore-log';

const reasons = (engine: Opened): readonly unknown[] =>
  engine.recovered().map(({ reason, isUncertain, operation }) => [operation.opId, reason, isUncertain]);

const faults = ({ events }: Opened): readonly string[] =>
  events.flatMap((event) => (event.kind === 'fault' ? [event.fault] : []));

describe('a log that was restored to an earlier time', () => {
  it('recovers the own edits that the log lost, and pending ones', async () => {
    const stage = openStage();
    const { time, network, owner } = stage;
    const ann = await stage.open('ann');
    await time.pass(100);
    const first = createTestNode(ann, { fill: 'white' });
    await time.pass(100);
    const second = createTestNode(ann, { fill: 'blue' });
    await time.pass(100);
    restoreLogTo(stage, 1);
    ann.set([first], { set: { fill: 'red' } });
    await time.pass(100);
    network.isUp = true;
    await time.pass(5_000);
    assert.deepEqual([ann.state().kind, ann.state().version, faults(ann)], ['saved', 1, ['history']]);
    assert.deepEqual(reasons(ann), [
      ['c000000001-2', 'history-replaced', false],
      ['c000000001-3', 'history-replaced', false],
    ]);
    assert.deepEqual([ann.node(first)?.properties.fill, ann.node(second)], ['white', undefined]);
    assert.equal(ann.reapply(ann.recovered().map(({ id }) => id)).refused.length, 0);
    await time.pass(5_000);
    assert.deepEqual(
      [getNode(owner.scene, first)?.properties.fill, getNode(owner.scene, second)?.properties.fill],
      ['red', 'blue'],
    );
    assert.deepEqual([ann.recovered(), faults(ann)], [[], ['history']]);
    assert.equal(sceneText(ann.scene()), sceneText(owner.scene));
  });

  it('is detected by the operation of a version, however far others continued', async () => {
    const stage = openStage();
    const { time, network, owner } = stage;
    const [ann, bob] = [await stage.open('ann'), await stage.open('bob')];
    await time.pass(100);
    createTestNode(bob);
    await time.pass(100);
    for (let count = 0; count < 3; count += 1) createTestNode(bob, { count });
    await time.pass(100);
    restoreLogTo(stage, 1);
    await Promise.all([bob.close(), time.pass(100)]);
    const cid = await openElsewhere(stage);
    for (let count = 0; count < 9; count += 1) createTestNode(cid, { other: count });
    await time.pass(100);
    assert.ok(owner.version > ann.state().version);
    network.isUp = true;
    await time.pass(5_000);
    assert.deepEqual([ann.state().kind, faults(ann)], ['saved', ['history']]);
    assert.equal(sceneText(ann.scene()), sceneText(owner.scene));
  });

  it('is detected by the own edits if there is only a snapshot', async () => {
    const stage = openStage();
    const { time, network, owner } = stage;
    const storage = { store: openMemoryStore(), locks: openMemoryLocks() };
    const ann = await stage.open('ann', storage);
    await time.pass(100);
    const ids: NodeId[] = [];
    for (let count = 0; count < 3; count += 1) {
      ids.push(createTestNode(ann, { count }));
      await time.pass(100);
    }
    await ann.close();
    restoreLogTo(stage, 1);
    const cid = await openElsewhere(stage);
    for (let count = 0; count < 9; count += 1) createTestNode(cid, { other: count });
    await time.pass(100);
    owner.oldestTail = owner.version;
    owner.forgets = true;
    network.isUp = true;
    // After a reload, with nothing but what was kept.
    const again = await stage.open('ann', storage);
    await time.pass(5_000);
    assert.deepEqual([again.state().kind, faults(again)], ['saved', ['history']]);
    assert.deepEqual(
      again.recovered().map(({ operation }) => operation.targetIds[0]),
      ids.slice(1),
    );
    assert.equal(sceneText(again.scene()), sceneText(owner.scene));
  });

  it('is not mistaken for a snapshot, a gap or a reload', async () => {
    const stage = openStage();
    const { time, network, owner } = stage;
    const storage = { store: openMemoryStore(), locks: openMemoryLocks() };
    let ann = await stage.open('ann', storage);
    const bob = await stage.open('bob');
    await time.pass(100);
    for (let turn = 0; turn < 6; turn += 1) {
      createTestNode(ann, { turn });
      await time.pass(100);
      network.isUp = false;
      network.cut('ann');
      createTestNode(ann, { offline: turn });
      if (turn % 2 === 0) createTestNode(bob, { turn });
      await time.pass(100);
      if (turn % 3 === 0) owner.oldestTail = owner.version;
      if (turn % 3 === 1) {
        await ann.close();
        ann = await stage.open('ann', storage);
      }
      network.isUp = true;
      await time.pass(5_000);
      assert.deepEqual([ann.state().kind, faults(ann), ann.recovered()], ['saved', [], []]);
    }
    assert.equal(sceneText(ann.scene()), sceneText(owner.scene));
  });
});

/** A client that gets through while no other client does. */
const openElsewhere = async (stage: Stage): Promise<Opened> => {
  const { network, time } = stage;
  const { isUp } = network;
  Object.assign(network, { isUp: true, onlyFor: 'cid' });
  const engine = await stage.open('cid');
  await time.pass(100);
  Object.assign(network, { isUp, onlyFor: undefined });
  return engine;
};
