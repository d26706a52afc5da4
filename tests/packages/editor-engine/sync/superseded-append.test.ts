import assert from 'node:assert/strict';
import type { ClientId } from '../../../../domain/editor/ids';
import type { ServerMessage } from '../../../../domain/editor/protocol/server-messages';
import { getNode } from '../../../../domain/editor/scene/scene';
import { createTestNode, openStage } from '../simulation/fixture';
import type { Owner } from '../simulation/owner';

/**
 * The answer of an owner that has an edit of this client in an append which will fail, because another process owns the
 * document by now.
 */
const underWay = (owner: Owner, clientId: ClientId, clientSeq: number): ServerMessage => ({
  type: 'joined',
  documentId: owner.documentId,
  clientId,
  connectionId: 'n-gone',
  role: 'editor',
  schemaVersion: 1,
  title: 'A plan',
  committedVersion: 0,
  settledVersion: 1,
  lastClientSeq: clientSeq,
  committedClientSeq: clientSeq,
  came: { since: 0, clientSeqs: [clientSeq] },
});

describe('an edit in an append of an owner that was replaced', () => {
  it('is resent to the next owner, also after a snapshot of a later version', async () => {
    const { time, owner, network, open } = openStage();
    const [first, bob] = [await open('ada'), await open('bob')];
    await time.pass(1_000);
    const second = await open('ada', first.storage);
    await time.pass(1_000);
    Object.assign(network, { onlyFor: 'bob' });
    network.cut('ada');
    const id = createTestNode(first);
    await time.pass(100);
    const storedClients = await first.storage.store?.clients();
    const { clientId } = storedClients?.find(({ lastClientSeq }) => lastClientSeq === 1) ?? assert.fail();
    for (let count = 0; count < 3; count += 1) createTestNode(bob);
    await time.pass(1_000);
    assert.equal(owner.version, 3);
    owner.oldestTail = owner.version;
    owner.refuse = (message, session) => {
      if (message.type === 'join' && message.clientId === clientId) return underWay(owner, clientId, 1);
      return message.type === 'operations' && session.clientId === undefined ? { type: 'pong' } : undefined;
    };
    await first.close();
    Object.assign(network, { onlyFor: undefined });
    await time.pass(5_000);
    assert.equal(second.state().version, 3);
    owner.refuse = () => undefined;
    network.cut('ada');
    await time.pass(5_000);
    assert.deepEqual(
      owner.log.slice(3).map(({ operation }) => operation.opId),
      [`${clientId}-1`],
    );
    assert.ok(getNode(second.scene(), id) !== undefined);
    assert.deepEqual(second.recovered(), []);
  });
});
