/** The editor process with clients that send too much, too fast or nonsense, and clients that do not read. */
import assert from 'node:assert/strict';
import { limits } from '../../../../domain/editor/limits';
import { textOf, writer } from '../../../editor/document-owner/fixture';
import { assertWhole, replayLog } from '../../../editor/document-owner/log-invariants';
import { memberAdded } from '../../../editor/documents/examples';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { logOnNode } from '../../../support/servers/event-store-fixture';
import { valkeyForTests } from '../../../support/servers/shared-servers';
import { type EditorProcess, recordDocument, recordMore, startEditor } from './fixture';
import { answerTo, hostileMessages } from './hostile-messages';
import { inFiveBatches, largePaste, postBatch, sendFlood } from './large-batches';
import { loggedOperations } from './logged-operations';
import { openPausableReader, type PausableReader } from './pausable-reader';

const slow = 3;

describe('the editor’s process', () => {
  const blobs = temporaryDirectory('editor-bounds-blobs');
  let editor: EditorProcess;
  // Before the log does.
  after(async () => {
    await editor.kill('SIGTERM');
    blobs.remove();
  });
  const log = logOnNode('editor-bounds');
  before(async () => {
    const { url: REDIS_URL } = await valkeyForTests();
    editor = await startEditor({ EVENTSTORE_URL: log.node.url, REDIS_URL, BLOBS_DIR: blobs.path });
  });
  const sizeOfLog = async (documentId: string): Promise<number> =>
    assertWhole(await loggedOperations(log.store, documentId)).size;

  it('names the limit where two megabytes come in one batch over a socket, and takes all of it in parts', async () => {
    const documentId = await recordDocument(log.store);
    const ada = await editor.comes(documentId, 'ada');
    const operations = largePaste((await ada.join()).clientId);
    ada.send(...operations);
    const { code, detail, clientSeq } = await ada.receive('error');
    assert.deepEqual([code, clientSeq], ['batch-too-large', operations.length]);
    assert.match(detail, new RegExp(`${limits.batchBytes} bytes`));
    for (const part of inFiveBatches(operations)) {
      ada.send(...part);
      assert.ok((await ada.receive('ack')).results?.every(({ status }) => status === 'applied'));
    }
    assert.equal(await sizeOfLog(documentId), operations.length);
    ada.client.socket.terminate();
  });

  it('names the limit where two megabytes come in one request, and takes all of it in parts', async () => {
    const posting = { editor, documentId: await recordDocument(log.store), principalId: 'ada' };
    const operations = largePaste(await editor.issuesClientId(posting.documentId, 'ada'));
    const whole = await postBatch(posting, operations);
    assert.deepEqual([whole.status, whole.body.code], [413, 'body-too-large']);
    assert.match(String(whole.body.detail), /at most \d+ bytes/);
    const third = await postBatch(posting, operations.slice(0, 150));
    assert.deepEqual([third.status, third.body.code], [413, 'batch-too-large']);
    assert.match(String(third.body.detail), new RegExp(`${limits.batchBytes} bytes`));
    for (const part of inFiveBatches(operations)) assert.equal((await postBatch(posting, part)).status, 200);
    assert.equal(await sizeOfLog(posting.documentId), operations.length);
  });

  it('answers or ends hostile clients, and serves everybody else as before', async () => {
    const documentId = await recordDocument(log.store);
    const ada = await editor.comes(documentId, 'ada');
    const honest = writer((await ada.join()).clientId);
    for (const [what, messageOf, answer] of hostileMessages) {
      ada.send(honest.create(honest.next()));
      assert.equal((await ada.receive('ack')).results?.[0]?.status, 'applied', what);
      const eve = await editor.comes(documentId, 'bob');
      const sent = messageOf(writer((await eve.join()).clientId), documentId);
      const reply = await answerTo(eve, sent, what === 'comes too often' ? 2_000 : 1);
      assert.match(reply, answer, `${what}: ${reply}`);
      eve.client.socket.terminate();
    }
    const opIds = [...assertWhole(await loggedOperations(log.store, documentId)).keys()];
    assert.deepEqual(
      opIds.map((opId) => opId.slice(0, 10)),
      hostileMessages.map(() => honest.clientId),
    );
    ada.client.socket.terminate();
  });

  it('sends no document to clients without access', async () => {
    const [own, foreign] = [await recordDocument(log.store), await recordDocument(log.store)];
    const eve = await editor.comes(own, 'eve');
    for (const documentId of [own, foreign, 'no-document']) {
      eve.sendMessage({ type: 'join', documentId, lastCommittedVersion: 0, capabilities: [] });
      assert.equal((await eve.receive('error')).code, 'not-found');
    }
    eve.client.socket.terminate();
  });

  const readAndStop = async (documentId: string, version: number): Promise<PausableReader> => {
    const reader = await openPausableReader(await editor.comes(documentId, 'bob'));
    await reader.until(version);
    reader.pause();
    return reader;
  };

  it('buffers nothing for clients that stop reading, delays no others, and brings them up to date when they read again', async function () {
    this.timeout(90_000);
    const documentId = await recordDocument(log.store);
    await recordMore(log.store, documentId, [memberAdded('cem' as never, 'editor')]);
    const ada = await openPausableReader(await editor.comes(documentId, 'ada'));
    const readers: PausableReader[] = [];
    while (readers.length < slow) readers.push(await readAndStop(documentId, ada.version()));
    const before = ada.bytes();
    await sendFlood({ editor, documentId, principalId: 'bob' });
    const version = await sendFlood({ editor, documentId, principalId: 'cem' }, 2);
    const scene = textOf(await ada.until(version));
    const sent = ada.bytes() - before;
    for (const reader of readers) {
      const start = reader.bytes();
      reader.resume();
      assert.equal(textOf(await reader.until(version)), scene);
      // A few megabytes wait in the system. The rest was neither buffered nor sent: the client got a snapshot.
      const late = reader.bytes() - start;
      assert.ok(late < (sent * 2) / 3, `${late} of ${sent}`);
      reader.leave();
    }
    ada.leave();
    assert.equal(scene, replayLog(await loggedOperations(log.store, documentId)));
  });
});
