/** Stores of the three kinds keep the same, and what they acknowledged as stored is there in the next one. */
import assert from 'node:assert/strict';
import { appendFileSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import { openEditor } from '../../../../packages/editor-engine/src/node';
import type { DocumentStore } from '../../../../packages/editor-engine/src/ports/document-store';
import { openFileStore } from '../../../../packages/editor-engine/src/storage/file-store';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';
import { storeKinds } from '../simulation/store-kinds';

const [one, other] = ['c000000001', 'c000000002'] as [ClientId, ClientId];
const client = { clientId: one, lastClientSeq: 12, lastNode: 3, usedAt: 5 };
const neighbour = { ...client, clientId: other };
const operation = (clientSeq: number): Operation =>
  ({ opId: `${one}-${clientSeq}`, clientSeq, type: 'setProperties', payload: { set: { a: clientSeq } } }) as never;
const pending = (clientId: ClientId, clientSeq: number) => ({ clientId, operation: operation(clientSeq) });

async function* chunks(...all: readonly string[]): AsyncGenerator<string> {
  yield* all;
}

const sceneOf = async (store: DocumentStore) => {
  const scene = await store.scene();
  if (scene === undefined) return undefined;
  const read: string[] = [];
  for await (const chunk of scene.chunks) read.push(chunk);
  const { chunks: _, frames, ...mark } = scene;
  return { ...mark, chunks: read, from: frames.map(({ fromVersion }) => fromVersion) };
};

for (const { name, place } of storeKinds)
  describe(`a store ${name}`, () => {
    const { open, end } = place();
    let store: DocumentStore;
    beforeEach(async () => {
      store = await open();
      await store.clear();
    });
    afterEach(() => store.close());
    after(end);
    const reopen = async (): Promise<void> => {
      await store.close();
      store = await open();
    };

    it('has the pending edits of each client by sequence', async () => {
      await store.write({ client, pending: [pending(one, 10), pending(one, 9), pending(other, 1), pending(one, 11)] });
      await store.write({ settled: [{ clientId: one, clientSeq: 9 }], client: neighbour });
      await reopen();
      const numbers = async (id: ClientId) => (await store.pendingOf(id)).map((each) => each.operation.clientSeq);
      assert.deepEqual(await store.clients(), [client, neighbour]);
      assert.deepEqual([await numbers(one), await numbers(other)], [[10, 11], [1]]);
      await store.write({ forgotten: [one] });
      await reopen();
      assert.deepEqual([await store.clients(), await numbers(one), await numbers(other)], [[neighbour], [], [1]]);
    });

    it('has acknowledged edits until they are released or their client is deleted', async () => {
      await store.write({ client, acknowledged: [pending(one, 1), pending(one, 2), pending(other, 1)] });
      await store.write({ client: neighbour, released: [{ clientId: one, clientSeq: 1 }], forgotten: [other] });
      await reopen();
      const numbers = async (id: ClientId) => (await store.acknowledgedOf(id)).map((each) => each.operation.clientSeq);
      assert.deepEqual([await numbers(one), await numbers(other)], [[2], []]);
    });

    it('has the latest form of a merged edit', async () => {
      await store.write({ client, pending: [pending(one, 1)] });
      const merged = { clientId: one, operation: { ...operation(1), payload: { set: { a: 'z' } } } as Operation };
      await store.write({ pending: [merged] });
      await reopen();
      assert.deepEqual(await store.pendingOf(one), [merged]);
    });

    it('has the scene and the operations committed after it', async () => {
      assert.equal(await sceneOf(store), undefined);
      await store.write({ frames: [{ fromVersion: 1, operations: [operation(1), operation(2)] }] });
      await reopen();
      assert.deepEqual(await sceneOf(store), { version: 0, chunks: [], from: [1] });
      await store.write({ frames: [{ fromVersion: 3, operations: [operation(3)] }] });
      await store.replaceScene({ version: 2, opId: operation(2).opId }, chunks('[1]', '[2]'));
      await reopen();
      const opId = operation(2).opId;
      assert.deepEqual(await sceneOf(store), { version: 2, opId, chunks: ['[1]', '[2]'], from: [3] });
      await store.replaceScene({ version: 9 }, chunks('[9]'));
      await reopen();
      assert.deepEqual(await sceneOf(store), { version: 9, chunks: ['[9]'], from: [] });
      await store.write({ replacesScene: true, frames: [{ fromVersion: 1, operations: [operation(1)] }] });
      await reopen();
      assert.deepEqual(await sceneOf(store), { version: 0, chunks: [], from: [1] });
    });

    it('keeps the earlier scene if the next one fails while it is written', async () => {
      await store.replaceScene({ version: 2 }, chunks('[1]', '[2]'));
      const broken = async function* (): AsyncGenerator<string> {
        yield '[3]';
        throw new Error('The page is gone.');
      };
      await assert.rejects(store.replaceScene({ version: 3 }, broken()));
      await reopen();
      assert.deepEqual(await sceneOf(store), { version: 2, chunks: ['[1]', '[2]'], from: [] });
    });

    it('has unapplied edits until they are discarded', async () => {
      const edit = { id: 'x-1', operation: operation(1), reason: 'cycle', isUncertain: false, at: 1 } as const;
      await store.write({ recovered: [edit] });
      await reopen();
      assert.deepEqual(await store.recovered(), [edit]);
      await store.write({ discarded: ['x-1'] });
      await reopen();
      assert.deepEqual(await store.recovered(), []);
    });
  });

describe('a directory', () => {
  const directory = useTemporaryDirectory('editor');

  it('can be used by one store at a time', async () => {
    const store = await openFileStore(directory);
    await assert.rejects(openFileStore(directory), /is open already/);
    await store.close();
  });

  it('separates documents and users', async () => {
    const edit = (documentId: string, userId: string) =>
      openEditor({ baseUrl: '', documentId, userId, directory: join(directory, 'all'), token: () => undefined });
    const editors = await Promise.all([edit('d-1', 'ann'), edit('d-2', 'ann'), edit('d-1', '../bob')]);
    await assert.rejects(edit('d-1', 'ann'), /is open already/);
    assert.equal(readdirSync(join(directory, 'all')).length, 3);
    await Promise.all(editors.map((editor) => editor.close()));
  });

  it('stores later changes after a failed write', async () => {
    const store = await openFileStore(directory);
    const file = await open(join(directory, 'editor.lock'));
    const handles = Object.getPrototypeOf(file) as { appendFile: (data: string) => Promise<void> };
    const { appendFile } = handles;
    handles.appendFile = async function (this: unknown, data) {
      await appendFile.call(this, data.slice(0, 20));
      throw new Error('no space left on device');
    };
    await assert.rejects(store.write({ client, pending: [pending(one, 1)] }), /no space/);
    handles.appendFile = appendFile;
    await store.write({ client, pending: [pending(one, 1)] });
    await store.write({ pending: [pending(one, 2)] });
    await Promise.all([file.close(), store.close()]);
    const again = await openFileStore(directory);
    assert.deepEqual(await again.pendingOf(one), [pending(one, 1), pending(one, 2)]);
    await again.clear();
    await again.close();
  });

  it('ignores a partial write of a killed process', async () => {
    const store = await openFileStore(directory);
    await store.write({ client, pending: [pending(one, 1)] });
    await store.close();
    appendFileSync(join(directory, 'changes.jsonl'), JSON.stringify({ pending: [pending(one, 2)] }).slice(0, -4));
    const again = await openFileStore(directory);
    assert.deepEqual(await again.pendingOf(one), [pending(one, 1)]);
    await again.close();
  });
});
