/** Client ids of principals while the processes that issued them are killed, and others try to use them. */
import assert from 'node:assert/strict';
import type { ClientId } from '../../../../domain/editor/ids';
import { writer } from '../../../editor/document-owner/fixture';
import { memberAdded } from '../../../editor/documents/examples';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { logOnNode } from '../../../support/servers/event-store-fixture';
import { valkeyForTests } from '../../../support/servers/shared-servers';
import { eventually } from '../../../support/waiting/eventually';
import { type Around, type EditorProcess, recordDocument, recordMore, startEditor } from './fixture';

interface Attempt {
  readonly editor: EditorProcess;
  readonly documentId: string;
  readonly principalId: string;
  readonly tenantId?: string;
}

describe('client ids in processes', () => {
  const log = logOnNode('editor-client-ids');
  const blobs = temporaryDirectory('editor-client-ids-blobs');
  const editors: EditorProcess[] = [];
  const start = async (more: Pick<Around, 'EDITOR_CLIENT_KEY'> = {}): Promise<EditorProcess> => {
    const { url: REDIS_URL } = await valkeyForTests();
    const editor = await startEditor({ EVENTSTORE_URL: log.node.url, REDIS_URL, BLOBS_DIR: blobs.path, ...more });
    editors.push(editor);
    return editor;
  };
  after(async () => {
    await Promise.all(editors.map(({ kill }) => kill('SIGTERM')));
    blobs.remove();
  });

  /** `committed`, or the code of the refusal; sent again while the owner changes. */
  const commits = async ({ editor, documentId, principalId, ...more }: Attempt, clientId: string): Promise<string> => {
    const operations = [{ ...writer(clientId as ClientId).create(1), documentId }];
    let code = '';
    await eventually(async () => {
      const path = `/v1/documents/${documentId}/operations:batch`;
      const answer = await editor.request(path, principalId, { clientId, operations }, more);
      assert.notEqual(answer.status, 503);
      code = answer.ok ? 'committed' : ((await answer.json()) as { readonly code: string }).code;
    });
    return code;
  };

  const joins = async ({ editor, documentId, principalId, ...more }: Attempt, clientId: string): Promise<string> => {
    const person = await editor.comes(documentId, principalId, more);
    person.sendMessage({ type: 'join', documentId, lastCommittedVersion: 0, capabilities: ['schema:2'], clientId });
    const answer = await person.next();
    person.client.socket.terminate();
    return answer.type === 'error' ? answer.code : answer.type;
  };

  it('belong to their principals when the owner that issued them is killed before they are used', async () => {
    const documentId = await recordDocument(log.store);
    await recordMore(log.store, documentId, [memberAdded('mallory' as never, 'editor')]);
    const [owner, next] = [await start(), await start()];
    const bob = await owner.comes(documentId, 'bob');
    const ids = [(await bob.join()).clientId, await next.issuesClientId(documentId, 'bob')];
    await owner.kill();
    const other = { editor: next, documentId, principalId: 'mallory' };
    for (const clientId of ids) {
      assert.equal(await commits(other, clientId), 'client-id-not-issued');
      assert.equal(await joins(other, clientId), 'client-id-taken');
    }
    // One more owner, for which nothing is committed under them either.
    await next.kill();
    const last = await start();
    const own = { editor: last, documentId, principalId: 'bob' };
    for (const clientId of ids) {
      assert.equal(await commits({ ...other, editor: last }, clientId), 'client-id-not-issued');
      assert.equal(await joins(own, clientId), 'joined');
      assert.equal(await commits(own, clientId), 'committed');
      assert.equal(await commits({ ...other, editor: last }, clientId), 'client-id-taken');
    }
  });

  it('are refused in another document and in another tenant, also for a principal of the same name', async () => {
    const [documentId, elsewhere] = [await recordDocument(log.store), await recordDocument(log.store)];
    await recordDocument(log.store, { documentId, tenant: 'other' });
    const editor = await start();
    const clientId = await editor.issuesClientId(documentId, 'bob');
    const attempts = [
      { editor, documentId: elsewhere, principalId: 'bob' },
      { editor, documentId, principalId: 'bob', tenantId: 'other' },
    ];
    for (const attempt of attempts) {
      assert.equal(await commits(attempt, clientId), 'client-id-not-issued');
      assert.equal(await joins(attempt, clientId), 'client-id-taken');
    }
    assert.equal(await commits({ editor, documentId, principalId: 'bob' }, clientId), 'committed');
    for (const attempt of attempts) assert.equal(await commits(attempt, clientId), 'client-id-not-issued');
  });

  it('stay good in copies that have another key and the former one, and end with it', async () => {
    const documentId = await recordDocument(log.store);
    const [former, next] = ['f'.repeat(43), 'n'.repeat(43)];
    const attempt = { documentId, principalId: 'bob' };
    const before = await start({ EDITOR_CLIENT_KEY: former });
    const ids = [
      await before.issuesClientId(documentId, 'bob'),
      await before.issuesClientId(documentId, 'bob'),
    ] as const;
    await before.kill();
    const during = await start({ EDITOR_CLIENT_KEY: `${next}\n${former}` });
    assert.equal(await commits({ ...attempt, editor: during, principalId: 'ada' }, ids[0]), 'client-id-not-issued');
    assert.equal(await commits({ ...attempt, editor: during }, ids[0]), 'committed');
    await during.kill();
    const after = await start({ EDITOR_CLIENT_KEY: next });
    assert.equal(await joins({ ...attempt, editor: after }, ids[0]), 'joined');
    assert.equal(await commits({ ...attempt, editor: after }, ids[1]), 'client-id-not-issued');
  });
});
