import assert from 'node:assert/strict';
import { isRight, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { documents } from '../../../../domain/editor/document/events';
import type { ServerMessage } from '../../../../domain/editor/protocol/server-messages';
import { countNodes, emptyScene } from '../../../../domain/editor/scene/scene';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import { fault } from '../../../../domain/kernel/rejection';
import { openMemoryEventStore } from '../../../../infra/adapters/eventstore/memory-event-store';
import { coalesceReads } from '../../../../infra/adapters/eventstore/read/coalesced-reads';
import { streamPagesOf } from '../../../../infra/adapters/eventstore/read/stream-pages';
import { openMemoryViews } from '../../../../infra/adapters/views/memory-views';
import { openAccessReader } from '../../../../infra/server/documents/document-access';
import type { Answer } from '../../../../infra/server/http/routing/route';
import { snapshotLoader } from '../../../../packages/editor-engine/src/sync/snapshot-loader';
import { documentsProjection } from '../../../../projections/editor/documents/project';
import { documentMembersProjection } from '../../../../projections/editor/members/project';
import { collectAllChanges } from '../../../../projections/kernel/projector/view-batch';
import type { DocumentParams } from '../../../../read-api/editor/access-guard';
import { getDocument } from '../../../../read-api/editor/document';
import { listMembers } from '../../../../read-api/editor/members';
import { getSnapshot, type SnapshotReading } from '../../../../read-api/editor/snapshot';
import { cursorsSignedWith } from '../../../../read-api/kernel/pagination';
import { createViewPositions } from '../../../../read-api/kernel/read-your-writes';
import { rowChanges } from '../../../support/domain/row-changes';
import { bob, created, documentId, memberAdded, noon, recorded } from '../examples';
import { historyOf, recordedEvent, snapshotTaken } from '../recorded';
import { ada, metadataOf } from '../routes/fixture';

type Pieces = SnapshotReading['pieces'];

/** Views that have come only so far in what the log holds. */
const open = async (projectedCount: number, pieces?: Pieces, hasSnapshot = true) => {
  const about = [created, memberAdded(bob, 'viewer'), recorded('MemberRemoved', { principalId: bob })];
  const store = openMemoryEventStore();
  for (const event of about) {
    const stored = { id: crypto.randomUUID(), ...documents.encode(event), metadata: metadataOf('acme') };
    assert.ok(isRight(await store.append(`editor.document-acme.${documentId}`, 'any', [stored])));
  }
  const { writer, reader: views } = openMemoryViews();
  // Positions as the store gives them.
  const history = historyOf(
    [...about.slice(0, projectedCount), ...(hasSnapshot ? [snapshotTaken(7)] : [])].map((event) =>
      recordedEvent(event),
    ),
  ).map((event, index) => ({ ...event, position: BigInt(index + 1) * 128n }));
  for (const projection of [documentsProjection, documentMembersProjection]) {
    const opened = await writer.open(projection.view);
    assert.ok(isRight(opened));
    const changes = rowChanges(collectAllChanges(projection, history).changes);
    const batch = {
      generation: opened.right.number,
      after: null,
      position: BigInt(projectedCount) * 128n,
      live: true,
      changes,
    };
    assert.ok(isRight(await writer.apply(projection.view, batch)));
  }
  const reading = { views, positions: createViewPositions(views), cursors: cursorsSignedWith('c'.repeat(43)) };
  const deps = { ...reading, access: openAccessReader(coalesceReads(store)), pages: streamPagesOf(store), pieces };
  const request = (headers: { readonly [name: string]: string } = {}) => ({
    identity: ada,
    params: { documentId } as t.TypeOf<typeof DocumentParams>,
    query: {},
    headers,
    body: undefined,
    requestId: 'r',
    target: '/',
    signal: new AbortController().signal,
  });
  return { deps, request };
};

const statusOf = (answer: Answer): number =>
  'problem' in answer ? answer.problem.status : Number(Reflect.get(answer, 'status'));

describe('queries about documents', () => {
  it('wait for changes of access, and fail rather than answer with earlier ones', async () => {
    const { deps, request } = await open(2);
    const answers = await Promise.all([
      getDocument.handle(deps, request()),
      getDocument.handle(deps, request({ 'if-min-revision': 'W/"1"' })),
      listMembers.handle(deps, request()),
      listMembers.handle(deps, request({ 'min-position': '1' })),
    ]);
    assert.deepEqual(answers.map(statusOf), [503, 503, 503, 503]);
    const now = await open(3);
    const members = await listMembers.handle(now.deps, now.request());
    const owner = {
      principalId: 'ada',
      role: 'owner',
      byLink: false,
      joinedAt: noon,
      appointedBy: null,
      appointedAt: null,
    };
    assert.deepEqual('body' in members && members.body, { items: [owner], next_cursor: null });
    assert.equal(statusOf(await listMembers.handle(now.deps, now.request({ 'min-position': 'x' }))), 400);
  });

  it('have a new ETag when the content changes', async () => {
    const { deps, request } = await open(3);
    const tagOf = async (headers: { readonly [name: string]: string }) => {
      const answer = await getDocument.handle(deps, request(headers));
      assert.ok('body' in answer);
      return answer.headers?.ETag;
    };
    assert.equal(await tagOf({}), 'W/"2"');
    assert.equal(await tagOf({ 'if-none-match': 'W/"2"' }), undefined);
  });

  it('return URLs of the pieces of a snapshot', async () => {
    const answerWith = async (pieces?: Pieces) => {
      const { deps, request } = await open(3, pieces);
      return getSnapshot.handle(deps, request());
    };
    const answer = await answerWith(async () => right([{ key: 'k', url: 'https://blobs.example/k' }]));
    assert.ok('body' in answer);
    const { version, pieces } = answer.body as { version: number; pieces: readonly unknown[] };
    assert.deepEqual([version, pieces.length, answer.headers?.ETag], [7, 1, undefined]);
    assert.equal(statusOf(await answerWith()), 200);
    assert.equal(statusOf(await answerWith(async () => left(fault('snapshots-unavailable', 'It is away.')))), 503);
  });

  it('return an empty snapshot of version 0 for a document without a snapshot', async () => {
    const { deps, request } = await open(3, async () => right([]), false);
    const answer = await getSnapshot.handle(deps, request());
    assert.ok('body' in answer, String(statusOf(answer)));
    const { pieces, ...snapshot } = answer.body as Snapshot & { readonly pieces: ServerMessage<'snapshot'>['pieces'] };
    assert.deepEqual([snapshot.version, snapshot.documentId], [0, documentId]);
    const scene = emptyScene();
    const message = {
      type: 'snapshot' as const,
      snapshot,
      operationTail: [],
      ...(pieces === undefined ? {} : { pieces }),
    };
    await snapshotLoader(async () => assert.fail('a piece that is not in the answer'))(
      message,
      scene,
      new AbortController().signal,
    );
    assert.equal(countNodes(scene), 0);
  });
});
