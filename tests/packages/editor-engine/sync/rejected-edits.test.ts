/** Edits that their owner does not take are kept aside, or sent when they may be. */
import assert from 'node:assert/strict';
import { getNode } from '../../../../domain/editor/scene/scene';
import { plainText } from '../../../../domain/editor/text/text-content';
import { emptyText } from '../../../../domain/editor/text/text-state';
import { createTestNode, idsIn, openStage, sceneText } from '../simulation/fixture';
import { setRole } from '../simulation/owner';

describe('an engine whose edits are refused', () => {
  it('keeps a copy of unapplied edits, such as of deleted nodes, which can be reapplied', async () => {
    const stage = openStage();
    const [ann, bob] = [await stage.open('ann'), await stage.open('bob')];
    await stage.time.pass(100);
    const id = createTestNode(ann);
    await stage.time.pass(100);
    stage.network.isUp = false;
    stage.network.cut('ann');
    ann.set([id], { set: { fill: 'red' } });
    await stage.time.settle();
    bob.remove([id]);
    await stage.time.pass(100);
    stage.network.isUp = true;
    await stage.time.pass(5_000);
    assert.deepEqual(
      ann.recovered().map(({ reason, isUncertain }) => [reason, isUncertain]),
      [['target-deleted', false]],
    );
    const notices = ann.events.filter(({ kind }) => kind === 'notice');
    assert.equal(notices.length, 1);
    bob.undo();
    await stage.time.pass(100);
    const [edit] = ann.recovered();
    assert.deepEqual(ann.reapply([edit?.id ?? '']), { reapplied: [edit?.id], refused: [] });
    await stage.time.pass(100);
    assert.deepEqual([getNode(stage.owner.scene, id)?.properties.fill, ann.recovered().length], ['red', 0]);
  });

  it('becomes read-only, and keeps its pending edits aside', async () => {
    const stage = openStage();
    const ann = await stage.open('ann');
    await stage.time.pass(100);
    const id = createTestNode(ann, { fill: 'white' });
    await stage.time.pass(100);
    setRole(stage.owner, 'ann', 'viewer');
    // Under way when the right was taken away.
    ann.set([id], { set: { fill: 'red' } });
    await stage.time.pass(200);
    assert.deepEqual([ann.state().kind, ann.state().pending, ann.recovered().length], ['readOnly', 0, 1]);
    assert.equal(ann.node(id)?.properties.fill, 'white');
    assert.deepEqual(ann.set([id], { set: { fill: 'blue' } }), { ok: false, reason: 'not-allowed' });
  });

  it('waits for the announced time after a rate limit, and loses nothing', async () => {
    const stage = openStage();
    const ann = await stage.open('ann');
    await stage.time.pass(100);
    let refusals = 2;
    stage.owner.refuse = ({ type }) => {
      if (type !== 'operations' || refusals === 0) return undefined;
      refusals -= 1;
      return { type: 'rateLimited', retryAfterMs: 700 };
    };
    createTestNode(ann);
    await stage.time.pass(1_300);
    assert.deepEqual([idsIn(stage).length, ann.state().kind], [0, 'saving']);
    await stage.time.pass(700);
    assert.deepEqual([idsIn(stage).length, ann.state().kind], [1, 'saved']);
  });

  it('replays typing that was based on rejected typing, at its place in the present text', async () => {
    const stage = openStage();
    const ann = await stage.open('ann');
    await stage.time.pass(100);
    const [id] = ann.create([{ type: 'text', text: 'one two' }]).ids;
    assert.ok(id !== undefined);
    await stage.time.pass(100);
    stage.owner.refuse = (message) => {
      if (message.type !== 'operations' || message.operations[0]?.clientSeq !== 2) return undefined;
      return { type: 'error', code: 'malformed', detail: 'No.', clientSeq: message.clientSeq };
    };
    stage.network.isUp = false;
    stage.network.cut();
    // Each is an operation of its own, and stands on the one before.
    ann.type(id, (text) => text.insert(3, '#'));
    ann.type(id, (text) => text.insert(4, ' and a half'));
    ann.type(id, (text) => {
      text.delete(4, 4);
      text.insert(text.length, '!');
    });
    assert.equal(ann.text(id), 'one# a half two!');
    await stage.time.settle();
    stage.network.isUp = true;
    await stage.time.pass(20_000);
    stage.owner.refuse = () => undefined;
    const lost = ann.recovered().map(({ reason }) => reason);
    assert.deepEqual([lost, ann.text(id)], [['malformed', 'text-malformed', 'text-malformed'], 'one two']);
    const [, ...built] = ann.recovered().map((edit) => edit.id);
    assert.deepEqual(ann.reapply(built), { reapplied: built, refused: [] });
    assert.equal(ann.text(id), 'one a half two!');
    await stage.time.pass(1_000);
    assert.equal(ann.state().kind, 'saved');
    assert.equal(plainText(getNode(stage.owner.scene, id)?.text ?? emptyText), 'one a half two!');
    ann.undo();
    assert.equal(ann.text(id), 'one two');
  });

  it('finds the one edit that is refused, and sends the others', async () => {
    const stage = openStage();
    const ann = await stage.open('ann');
    await stage.time.pass(100);
    stage.owner.refuse = (message) => {
      if (message.type !== 'operations') return undefined;
      const isBad = message.operations.some(({ payload }) => JSON.stringify(payload).includes('bad'));
      const { clientSeq } = message;
      return isBad ? { type: 'error', code: 'malformed', detail: 'No.', clientSeq } : undefined;
    };
    for (const fill of ['a', 'b', 'bad', 'c', 'd']) createTestNode(ann, { fill });
    await stage.time.pass(10_000);
    assert.deepEqual([ann.state().kind, idsIn(stage).length, ann.recovered().length], ['saved', 4, 1]);
    assert.equal(sceneText(ann.scene()), sceneText(stage.owner.scene));
  });
});
