import assert from 'node:assert/strict';
import type { NodeId } from '../../../../domain/editor/ids';
import { limits } from '../../../../domain/editor/limits';
import { openStage } from '../simulation/fixture';

describe('the own presence', () => {
  it('sends its latest value, at most fifteen times a second', async () => {
    const { time, network, open } = openStage();
    const [ann, bob] = [await open('ann'), await open('bob')];
    await time.pass(100);
    bob.setPresence({ cursor: { x: 0, y: 0 } });
    await time.pass(100);
    network.sent.length = 0;
    for (let x = 0; x < 1_000; x += 5) {
      ann.setPresence({ cursor: { x, y: 0 } });
      await time.pass(5);
    }
    await time.pass(100);
    const presenceCount = network.sent.filter(({ type }) => type === 'presence').length;
    assert.ok(presenceCount >= 14 && presenceCount <= 17, String(presenceCount));
    assert.deepEqual(
      [...bob.members().values()].map(({ userId, cursor }) => [userId, cursor?.x]),
      [['ann', 995]],
    );
    await time.pass(20_000);
    assert.equal(bob.members().size, 1);
    await ann.close();
    await time.pass(30_000);
    assert.equal(bob.members().size, 0);
  });

  it('bounds the selected nodes, so that the message is not refused as too large', async () => {
    const { time, network, open } = openStage();
    const ann = await open('ann');
    await time.pass(100);
    const selectedNodeIds = Array.from({ length: 200_000 }, (_, index) => `annannanna:${index + 1}` as NodeId);
    ann.setPresence({ selectedNodeIds });
    await time.pass(2_000);
    const [presence] = network.sent.flatMap((message) => (message.type === 'presence' ? [message] : []));
    assert.deepEqual(presence?.selectedNodeIds, selectedNodeIds.slice(0, limits.selected));
    await ann.close();
  });
});
