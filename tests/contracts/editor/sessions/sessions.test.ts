/** People who have a document open by way of real processes: they are led to its owner, and come back when that one is killed. */
import assert from 'node:assert/strict';
import { writer } from '../../../editor/document-owner/fixture';
import { ada, startDocuments } from '../../../editor/documents/routes/fixture';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { logOnNode } from '../../../support/servers/event-store-fixture';
import { valkeyForTests } from '../../../support/servers/shared-servers';
import { eventually } from '../../../support/waiting/eventually';
import { type EditorProcess, recordDocument, startEditor } from './fixture';

describe('documents that are open in processes', () => {
  const log = logOnNode('editor-sessions');
  const blobs = temporaryDirectory('editor-sessions-blobs');
  let editors: EditorProcess[] = [];
  const start = async (): Promise<EditorProcess> => {
    const { url: REDIS_URL } = await valkeyForTests();
    const editor = await startEditor({ EVENTSTORE_URL: log.node.url, REDIS_URL, BLOBS_DIR: blobs.path });
    editors.push(editor);
    return editor;
  };
  before(async () => {
    await Promise.all([start(), start()]);
  });
  after(async () => {
    await Promise.all(editors.map(({ kill }) => kill('SIGTERM')));
    blobs.remove();
  });
  const [first, second] = [() => editors[0] as EditorProcess, () => editors[1] as EditorProcess];

  it('are one for all, whichever copy they come to, by socket or by request', async () => {
    const documentId = await recordDocument(log.store);
    const ada = await first().comes(documentId, 'ada');
    const { clientId, role } = await ada.join();
    assert.equal(role, 'owner');
    const bob = await second().comes(documentId, 'bob');
    assert.equal((await bob.join()).role, 'editor');
    ada.send(writer(clientId).create(1));
    assert.equal((await ada.receive('ack')).committedVersion, 1);
    assert.equal((await bob.receive('operations')).toVersion, 1);
    const batch = writer(await second().issuesClientId(documentId, 'bob'));
    const body = { clientId: batch.clientId, operations: [{ ...batch.create(1), documentId }] };
    const answer = await second().request(`/v1/documents/${documentId}/operations:batch`, 'bob', body);
    const { committedVersion } = (await answer.json()) as { readonly committedVersion: number };
    assert.deepEqual([answer.status, committedVersion], [200, 2]);
    assert.equal((await ada.receive('operations')).toVersion, 2);
    const nobodys = await second().request(`/v1/documents/${documentId}/operations:batch`, 'eve', body);
    assert.equal(nobodys.status, 404);
  });

  it('notify a member at once that lost the right to edit, and refuse all later operations of that member', async () => {
    const documentId = await recordDocument(log.store);
    const { request, close } = await startDocuments(log.store);
    const [bob, listener] = [await second().comes(documentId, 'bob'), await first().comes(documentId, 'bob')];
    await listener.join();
    const write = writer((await bob.join()).clientId);
    const statuses = { before: new Set<unknown>(), after: new Set<unknown>() };
    const edit = async (when: keyof typeof statuses): Promise<void> => {
      bob.send(write.create(write.next()));
      const { results } = await bob.receive('ack');
      statuses[when].add(results?.[0]?.reason ?? results?.[0]?.status);
    };
    const become = (role: string) => request(`PUT /v1/documents/${documentId}/members/bob`, ada, { role });
    let isAnswered = false;
    const editing = async (): Promise<void> => {
      for (let after = 0; after < 5; after += isAnswered ? 1 : 0) await edit(isAnswered ? 'after' : 'before');
    };
    const under = editing();
    await eventually(async () => assert.ok(statuses.before.has('applied')));
    assert.equal((await become('viewer')).status, 200);
    isAnswered = true;
    await under;
    assert.deepEqual([...statuses.after], ['forbidden']);
    assert.equal((await listener.receive('permissionChanged')).role, 'viewer');
    assert.equal((await become('editor')).status, 200);
    statuses.after.clear();
    await edit('after');
    assert.deepEqual([...statuses.after], ['applied']);
    await close();
  });

  it('put an earlier version back for everybody', async () => {
    const documentId = await recordDocument(log.store);
    const ada = await first().comes(documentId, 'ada');
    const write = writer((await ada.join()).clientId);
    ada.send(write.create(1), write.create(2));
    await ada.receive('ack');
    const path = `/v1/documents/${documentId}/versions/1:restore`;
    const restored = await second().request(path, 'bob', {});
    assert.deepEqual([restored.status, await restored.json()], [200, { committedVersion: 3 }]);
    assert.equal((await ada.receive('rebaseRequired')).snapshotVersion, 3);
    const { snapshot, pieces } = await ada.receive('snapshot');
    assert.equal(snapshot.version, 3);
    assert.ok(pieces?.every(({ base64 }) => base64 !== undefined));
  });

  it('go on with another copy after their owner’s death, with all that was acknowledged', async () => {
    const documentId = await recordDocument(log.store);
    const owner = await start();
    const ada = await owner.comes(documentId, 'ada');
    const { clientId } = await ada.join();
    const write = writer(clientId);
    const operations = [write.create(1), write.create(2)] as const;
    ada.send(operations[0]);
    await ada.receive('ack');
    ada.sendMessage({ type: 'presence', cursor: { x: 1, y: 2 } });
    await ada.receive('presence');
    ada.send(operations[1]);
    await owner.kill();
    editors = editors.filter((one) => one !== owner);
    let settled = 0;
    await eventually(async () => {
      const again = await first().comes(documentId, 'ada');
      const joined = await again.join({ clientId, lastCommittedVersion: 1 });
      assert.ok(joined.lastClientSeq >= 1 && joined.committedVersion >= 1);
      again.send(operations[1]);
      settled = (await again.receive('ack')).committedVersion;
    });
    assert.equal(settled, 2);
  });

  it('get a close code to reconnect when their copy stops, and lose nothing', async () => {
    const documentId = await recordDocument(log.store);
    const owner = await start();
    const ada = await owner.comes(documentId, 'ada');
    const { clientId } = await ada.join();
    ada.send(writer(clientId).create(1));
    await ada.receive('ack');
    const stopped = owner.kill('SIGTERM');
    editors = editors.filter((one) => one !== owner);
    assert.equal((await ada.client.closed).code, 1012);
    await stopped;
    const again = await first().comes(documentId, 'ada');
    assert.deepEqual((await again.join({ clientId })).lastClientSeq, 1);
  });
});
