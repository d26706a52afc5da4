/** `docs/editor.md` is enough to write a client: the one beside this is written from it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { isLeft, right } from 'fp-ts/Either';
import * as Y from 'yjs';
import { openSnapshots } from '../../../commands/editor/document-owner/snapshot-store';
import type { ClientId, OperationId } from '../../../domain/editor/ids';
import { iterateNodes, type Scene } from '../../../domain/editor/scene/scene';
import { piecesNewestFirst } from '../../../domain/editor/snapshot/manifest';
import { plainText } from '../../../domain/editor/text/text-content';
import { emptyText, type TextState } from '../../../domain/editor/text/text-state';
import { streamPagesOf } from '../../../infra/adapters/eventstore/read/stream-pages';
import { loadManifest, openPieceStore } from '../../../infra/server/documents/piece-store';
import type { PieceUrls } from '../../../infra/server/documents/piece-urls';
import { openVersionSnapshots } from '../../../infra/server/documents/snapshots/version-snapshot';
import { identityHeader } from '../../../infra/server/http/identity/identity-header';
import { signedHeader } from '../../support/http/http-service';
import { eventually } from '../../support/waiting/eventually';
import { opened, place, type Stage, stage, unprovenClientIds } from '../document-owner/fixture';
import { snapshotsEvery } from '../document-owner/settings';
import { batches, initialBatches, type SentBatch } from '../reducer/arbitrary-batches';
import { type EditorEndpoints, identityOf, openEndpoints, socketPath } from '../sessions/fixture';
import { memoryPieceBlobs, runSnapshotWorkHere } from '../snapshots/memory-storage';
import { type Client, type Node, openClient } from './client';

const pieceUrlsOf = (stored: ReturnType<typeof memoryPieceBlobs>): PieceUrls => ({
  of: async (tenant, snapshot) => {
    const pieces = openPieceStore(stored, tenant);
    const manifest = await loadManifest(pieces, snapshot);
    if (isLeft(manifest)) return manifest;
    const keys = [snapshot.compressedSceneKey, ...piecesNewestFirst(manifest.right).map(({ key }) => key)];
    return right(keys.map((key) => ({ key, base64: Buffer.from(stored.blobs.get(key) ?? []).toString('base64') })));
  },
});

const sortedById = (nodes: Iterable<Node>): readonly Node[] =>
  [...nodes].sort((one, other) => (one.id < other.id ? -1 : 1));

const textOf = (text: TextState | undefined): string => plainText(text ?? emptyText);

/** As JSON has them: it knows no -0. */
const nodesIn = (scene: Scene): readonly Node[] => {
  const nodes = Array.from(iterateNodes(scene), ({ moves: _, text, ...node }) => ({ ...node, text: textOf(text) }));
  return sortedById(JSON.parse(JSON.stringify(nodes)) as Node[]);
};

describe('a client written from the documentation', () => {
  let now: Stage;
  let endpoints: EditorEndpoints;
  let documents: ReturnType<Stage['owner']>;
  const clients: Client[] = [];
  const comes = (principalId: string): Client => {
    const client = openClient({
      url: `ws://127.0.0.1:${endpoints.port}${socketPath}`,
      documentId: place.documentId,
      firstWait: 10,
      headers: () => ({ [identityHeader]: signedHeader('GET', socketPath, identityOf(principalId)) }),
    });
    clients.push(client);
    return client;
  };
  const isUpToDate = async (...all: readonly Client[]): Promise<void> => {
    const document = await opened(documents);
    await eventually(async () => {
      for (const client of all) assert.equal(client.version(), document.committedVersion());
    });
    for (const client of all) assert.deepEqual(sortedById(client.nodes()), nodesIn(document.scene()));
  };
  beforeEach(async () => {
    now = stage({ snapshot: snapshotsEvery(25), backlog: { operations: 30, bytes: 1e6 } });
    const stored = memoryPieceBlobs();
    const worker = { run: runSnapshotWorkHere(stored) };
    const snapshots = openSnapshots({
      stored,
      worker,
      at: openVersionSnapshots({ pages: streamPagesOf(now.store), worker }),
    });
    documents = now.owner({ snapshots, clientIds: unprovenClientIds });
    endpoints = await openEndpoints({ now, documents, pieceUrls: pieceUrlsOf(stored) });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await endpoints.close();
    await now.close();
  });

  it('imports nothing from the project', () => {
    const source = readFileSync(join(__dirname, 'client.ts'), 'utf8');
    const imported = [...source.matchAll(/from '([^']+)'/gu)].map(([, name]) => name);
    assert.deepEqual(imported, ['node:crypto', 'node:zlib', 'ws', 'yjs']);
  });

  it('sends every kind of operation, and converges with its owner and the other clients', async () => {
    const [ada, bob] = [comes('ada'), comes('bob')];
    await Promise.all([ada.joined(), bob.joined()]);
    const ids = Array.from({ length: 3 }, ada.newId);
    const [frame = '', text = '', rect = ''] = ids;
    const nodes = ['frame', 'text', 'rect'].map((type, index) => ({
      id: ids[index] ?? '',
      type,
      parentId: index === 0 ? null : frame,
      orderKey: `V${index}`,
      properties: { 'style.fill': 'red', ...(type === 'text' ? { text: 'one' } : {}) },
    }));
    const statuses = [
      await ada.edit('createNode', { nodes }),
      await ada.edit(
        'setProperties',
        { set: { opacity: 0.5 }, unset: ['style'], nodes: { [rect]: { set: { 'style.stroke': 'blue' } } } },
        [frame, rect],
      ),
      await ada.edit('transformNodes', { transforms: { [frame]: [1, 0, 0, 1, 10, 20] } }),
      await ada.edit('moveChild', { moves: [{ id: rect, parentId: null, orderKey: 'k' }] }),
      await ada.edit('deleteNode', { onlyNamed: true }, [frame]),
    ].map(({ status }) => status);
    assert.deepEqual(
      statuses,
      Array.from({ length: 5 }, () => 'applied'),
    );
    await isUpToDate(ada, bob);
    const document = new Y.Doc();
    document.getText('text').insert(0, 'Hello ');
    const update = Buffer.from(Y.encodeStateAsUpdate(document)).toString('base64');
    assert.equal((await bob.edit('textOperation', { update }, [text])).status, 'applied');
    assert.equal((await bob.edit('setProperties', { set: { a: 1 } }, [frame])).reason, 'target-deleted');
    await isUpToDate(ada, bob);
    assert.ok((await bob.edit('restoreVersion', { version: 1 })).status === 'applied');
    await isUpToDate(ada, bob, comes('cem'));
    assert.equal(ada.nodes().length, 3);
  });

  it('loses and repeats nothing while its connections break', async () => {
    const [ada, bob] = [comes('ada'), comes('bob')];
    await Promise.all([ada.joined(), bob.joined()]);
    const edits = [ada, bob].flatMap((client, who) =>
      Array.from({ length: 60 }, async (_, index) => {
        await new Promise((resolve) => void setTimeout(resolve, index * 5));
        if (index % 9 === 4) client.breakLine();
        const node = { id: client.newId(), type: 'rect', parentId: null, orderKey: `k${who}${index}`, properties: {} };
        return client.edit('createNode', { nodes: [node] });
      }),
    );
    const results = await Promise.all(edits);
    assert.deepEqual(
      [...new Set(results.map(({ status }) => status as string))].filter((one) => one !== 'duplicate'),
      ['applied'],
    );
    await isUpToDate(ada, bob, comes('eve'));
    assert.equal(ada.nodes().length, 120);
    assert.equal((await opened(documents)).committedVersion(), 120);
  });

  it('applies all operations of others as the owner does, from frames and from snapshots', async function () {
    this.timeout(20_000);
    const ada = comes('ada');
    await ada.joined();
    const document = await opened(documents);
    const numbers = new Map<ClientId, number>();
    const submit = async ({ client: clientId, operations }: SentBatch): Promise<void> => {
      const numbered = operations.map((operation) => {
        const clientSeq = (numbers.get(clientId) ?? 0) + 1;
        numbers.set(clientId, clientSeq);
        const { documentId } = place;
        return { ...operation, documentId, clientSeq, opId: `${clientId}-${clientSeq}` as OperationId };
      });
      const principalId = `of-${clientId}`;
      const done = await document.submit({ clientId, principalId, schema: 2, operations: numbered });
      // Nothing of what is refused whole is settled.
      if (isLeft(done)) numbers.set(clientId, (numbered[0]?.clientSeq ?? 1) - 1);
    };
    for (const batch of initialBatches) await submit(batch);
    for (const batch of fc.sample(batches, 40).flat()) await submit(batch);
    await eventually(async () => assert.ok(document.snapshot() !== undefined));
    await isUpToDate(ada, comes('bob'));
  });
});
