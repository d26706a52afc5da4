import assert from 'node:assert/strict';
import { client, writer } from '../document-owner/fixture';
import { openScene, type Scene } from './fixture';

describe('sessions of one document', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene();
  });
  afterEach(() => scene.close());

  it('receive the commits of others, and their own acknowledgements after the commits', async () => {
    const [ada, bob] = [await scene.endpoints.comes('ada'), await scene.endpoints.comes('bob')];
    const joined = await ada.join();
    assert.deepEqual(
      [joined.role, joined.title, joined.committedVersion, joined.lastClientSeq, joined.schemaVersion],
      ['editor', 'Untitled', 0, 0, 2],
    );
    await bob.join();
    const write = writer(joined.clientId);
    ada.send(write.create(1), write.create(2));
    const frame = await ada.next();
    assert.ok(frame.type === 'operations');
    assert.deepEqual(
      [frame.fromVersion, frame.toVersion, frame.operations.map(({ actorId }) => actorId)],
      [1, 2, ['ada', 'ada']],
    );
    const ack = await ada.next();
    assert.ok(ack.type === 'ack');
    assert.deepEqual(
      [ack.clientSeq, ack.committedVersion, ack.opIds],
      [2, 2, [`${joined.clientId}-1`, `${joined.clientId}-2`]],
    );
    assert.deepEqual(await bob.receive('operations'), frame);
  });

  it('receive missed operations after a reconnect, or a snapshot if the backlog does not have them', async () => {
    const ada = await scene.endpoints.comes('ada');
    const { clientId } = await ada.join();
    const write = writer(clientId);
    for (let count = 1; count <= 3; count += 1) {
      ada.send(write.create(count));
      await ada.receive('ack');
    }
    const bob = await scene.endpoints.comes('bob');
    await bob.join({ lastCommittedVersion: 1 });
    const missed = await bob.next();
    assert.ok(missed.type === 'operations');
    assert.deepEqual([missed.fromVersion, missed.toVersion], [2, 3]);
    const eve = await scene.endpoints.comes('eve');
    await eve.join({ lastCommittedVersion: 99 });
    assert.deepEqual(await eve.next(), { type: 'rebaseRequired', snapshotVersion: 0 });
    const began = await eve.next();
    assert.ok(began.type === 'snapshot');
    assert.deepEqual([began.snapshot.version, began.pieces?.length, began.operationTail], [0, 1, []]);
    assert.equal((await eve.receive('operations')).toVersion, 3);
  });

  it('are refused after a sequence gap, with the expected sequence; a repeated batch is committed once', async () => {
    const ada = await scene.endpoints.comes('ada');
    const { clientId } = await ada.join();
    const write = writer(clientId);
    const first = write.create(1);
    ada.send(first);
    assert.equal((await ada.receive('ack')).results?.[0]?.status, 'applied');
    ada.send(first);
    assert.equal((await ada.receive('ack')).results?.[0]?.status, 'duplicate');
    write.create(2);
    ada.send(write.create(3));
    const gap = await ada.receive('error');
    assert.deepEqual([gap.code, gap.clientSeq, gap.expectedClientSeq], ['client-seq-gap', 3, 2]);
  });

  it('cannot use another principal’s client id', async () => {
    const ada = await scene.endpoints.comes('ada');
    const { clientId } = await ada.join();
    ada.send(writer(clientId).create(1));
    await ada.receive('ack');
    const bob = await scene.endpoints.comes('bob');
    const documentId = 'doc-1';
    bob.sendMessage({ type: 'join', documentId, lastCommittedVersion: 0, capabilities: [], clientId });
    assert.equal((await bob.receive('error')).code, 'client-id-taken');
    const { clientId: own } = await bob.join();
    assert.notEqual(own, clientId);
    bob.send({ ...writer(client('ada')).create(1), clientSeq: 1 });
    assert.equal((await bob.receive('ack')).results?.[0]?.reason, 'id-foreign');
  });
});
