/** What an editor can do with what another editor of the same document was given, and what everybody sees of that one. */
import assert from 'node:assert/strict';
import type { ClientId, OperationId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import { writer } from '../../../editor/document-owner/fixture';
import { memberAdded } from '../../../editor/documents/examples';
import type { Person } from '../../../editor/sessions/fixture';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { logOnNode } from '../../../support/servers/event-store-fixture';
import { valkeyForTests } from '../../../support/servers/shared-servers';
import { eventually } from '../../../support/waiting/eventually';
import { type EditorProcess, recordDocument, recordMore, startEditor } from './fixture';

describe('an editor that impersonates another one of the same document', () => {
  const log = logOnNode('editor-impersonation');
  const blobs = temporaryDirectory('editor-impersonation-blobs');
  const editors: EditorProcess[] = [];
  const start = async (): Promise<EditorProcess> => {
    const { url: REDIS_URL } = await valkeyForTests();
    const editor = await startEditor({ EVENTSTORE_URL: log.node.url, REDIS_URL, BLOBS_DIR: blobs.path });
    editors.push(editor);
    return editor;
  };
  let documentId = '';
  let owner: EditorProcess;
  let bob: Person;
  let mallory: Person;
  let bobs: ReturnType<typeof writer>;
  let mallorys: ReturnType<typeof writer>;
  beforeEach(async () => {
    documentId = await recordDocument(log.store);
    await recordMore(log.store, documentId, [memberAdded('mallory' as never, 'editor')]);
    owner = await start();
    bob = await owner.comes(documentId, 'bob');
    bobs = writer((await bob.join()).clientId);
    mallory = await owner.comes(documentId, 'mallory');
    mallorys = writer((await mallory.join()).clientId);
  });
  after(async () => {
    await Promise.all(editors.map(({ kill }) => kill('SIGTERM')));
    blobs.remove();
  });

  const posted = async (
    editor: EditorProcess,
    clientId: ClientId | undefined,
    operations: readonly Operation[],
  ): Promise<readonly string[]> => {
    const body = { clientId, operations: operations.map((one) => ({ ...one, documentId })) };
    const answer = await editor.request(`/v1/documents/${documentId}/operations:batch`, 'mallory', body);
    assert.notEqual(answer.status, 503);
    const { code, results = [] } = (await answer.json()) as {
      readonly code?: string;
      readonly results?: readonly { readonly status: string; readonly reason?: string }[];
    };
    return code === undefined ? results.map(({ status, reason }) => reason ?? status) : [code];
  };

  const committed = async (person: Person, ...operations: readonly Operation[]): Promise<void> => {
    person.send(...operations);
    const { results = [] } = await person.receive('ack');
    assert.deepEqual([...new Set(results.map(({ status }) => status))], ['applied']);
  };

  it('gets no acknowledgement of a batch that it replays, under any client id, before and after a takeover', async () => {
    const batch = [bobs.create(1), { ...bobs.create(2), opId: 'job-1' as OperationId }];
    await committed(bob, ...batch);
    await committed(mallory, mallorys.create(11), mallorys.create(12));
    const replays = async (editor: EditorProcess): Promise<void> => {
      assert.deepEqual(await posted(editor, bobs.clientId, batch), ['client-id-taken']);
      assert.deepEqual(await posted(editor, mallorys.clientId, batch), ['id-foreign', 'id-taken']);
      assert.deepEqual(await posted(editor, undefined, batch), ['id-foreign', 'id-taken']);
    };
    await replays(owner);
    const next = await start();
    await owner.kill();
    await eventually(() => replays(next));
    const reader = await next.comes(documentId, 'bob');
    assert.equal((await reader.join()).committedVersion, 4);
  });

  it('cannot undo what another one did, or create what that one deleted', async () => {
    const [creation, deletion] = [bobs.create(1), bobs.remove(bobs.idOf(1))];
    await committed(bob, creation, deletion);
    const tries = (inverseOf: OperationId): readonly Operation[] => [
      mallorys.set(bobs.idOf(1), 'opacity', 1, { inverseOf }),
      { ...mallorys.operation('createNode', creation.payload), inverseOf },
    ];
    const refused = async (editor: EditorProcess): Promise<void> => {
      const operations = [creation, deletion].flatMap(({ opId }) => tries(opId));
      const clientId = await editor.issuesClientId(documentId, 'mallory');
      const numbered = operations.map((one, index) => ({
        ...one,
        clientSeq: index + 1,
        opId: `${clientId}-${index + 1}` as OperationId,
      }));
      assert.deepEqual(
        await posted(editor, clientId, numbered),
        operations.map(() => 'inverse-foreign'),
      );
    };
    await refused(owner);
    const next = await start();
    await owner.kill();
    await eventually(() => refused(next));
  });

  it('is shown as itself, and gains nothing by the id that others see', async () => {
    const ada = await owner.comes(documentId, 'ada');
    await ada.join();
    bob.sendMessage({ type: 'presence', cursor: { x: 1, y: 1 } });
    const { members } = await ada.receive('presence');
    const connectionId = members.find(({ userId }) => userId === 'bob')?.connectionId ?? '';
    mallory.sendMessage({ type: 'presence', userId: 'bob', connectionId, documentId, cursor: { x: 9, y: 9 } });
    await eventually(async () => {
      const { members: visible } = await ada.receive('presence');
      const [forged] = visible.filter(({ cursor }) => cursor?.x === 9);
      assert.equal(forged?.userId, 'mallory');
      assert.notEqual(forged.connectionId, connectionId);
    });
    mallory.sendMessage({
      type: 'join',
      documentId,
      lastCommittedVersion: 0,
      capabilities: [],
      clientId: connectionId,
    });
    assert.equal((await mallory.receive('error')).code, 'client-id-taken');
    const write = writer(connectionId as ClientId);
    assert.deepEqual(await posted(owner, write.clientId, [write.create(1)]), ['client-id-not-issued']);
  });
});
