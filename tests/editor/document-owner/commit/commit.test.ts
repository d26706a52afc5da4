import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import type { Broadcast, DocumentHandle } from '../../../../commands/editor/document-owner/document-handle';
import type { NodeId, OperationId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import { getNode } from '../../../../domain/editor/scene/scene';
import { client, events, opened, type Stage, stage, statuses, stream, submit, writer } from '../fixture';

const newNode = (id: NodeId) => ({
  payload: { nodes: [{ id, type: 'rect', parentId: null, orderKey: 'a1', properties: {} }] },
});

describe('an owner of a document', () => {
  let now: Stage;
  let document: DocumentHandle;
  beforeEach(async () => {
    now = stage();
    document = await opened(now.owner());
  });
  afterEach(() => now.close());

  it('records its ownership first, then one event per batch', async () => {
    const ada = writer(client('ada'));
    const done = await submit(document, [ada.create(1), ada.create(2)]);
    assert.deepEqual(statuses(done), ['applied', 'applied']);
    assert.equal(done.committedVersion, 2);
    const [first, second, ...rest] = await events(now);
    assert.ok(first?.type === 'OwnershipTaken' && second?.type === 'OperationsCommitted');
    const { epoch, fromVersion, toVersion, lastClientSeq, operations } = second.data;
    assert.deepEqual([epoch, fromVersion, toVersion, lastClientSeq, rest.length], [1, 1, 2, 2, 0]);
    assert.deepEqual(
      operations.map(({ actorId }) => actorId),
      ['ada', 'ada'],
    );
  });

  it('records actor and tenant with each event, under an id derived from client and sequence', async () => {
    const ada = writer(client('ada'));
    await submit(document, [ada.create(1)]);
    const read = await now.store.read(stream);
    assert.ok(isRight(read));
    const [taken, committed] = read.right.map(({ metadata }) => metadata as Record<string, string>);
    assert.deepEqual([taken?.actor, committed?.actor, committed?.tenant], ['system:editor', 'ada', 'acme']);
    assert.match(committed?.commandId ?? '', /^[0-9a-f-]{36}$/);
    assert.match(committed?.commandHash ?? '', /^[0-9a-f]{64}$/);
  });

  it('records the server’s time, and lowers base versions that do not exist', async () => {
    const ada = writer(client('ada'));
    const createdAt = '1999-01-01T00:00:00.000Z' as Operation['createdAt'];
    const batch = [ada.create(1, null, { createdAt, baseVersion: 99 }), ada.create(2, null, { baseVersion: 1 })];
    await submit(document, batch);
    const [, committed] = await events(now);
    assert.ok(committed?.type === 'OperationsCommitted');
    const { operations } = committed.data;
    assert.deepEqual(
      operations.map(({ createdAt: at, baseVersion }) => [at, baseVersion]),
      [0, 1].map((baseVersion) => ['2026-01-31T12:00:00.000Z', baseVersion]),
    );
  });

  it('commits batches that arrive during an append in the next one, an event each, and broadcasts them in one frame', async () => {
    const writers = Array.from('abcdefgh', (name, index) => writer(client(name, `person-${index}`)));
    const revisions: number[] = [];
    const before = await now.store.head();
    const broadcasts: Broadcast[] = [];
    document.subscribe((one) => broadcasts.push(one));
    const done = await Promise.all(
      writers.map((one, index) => submit(document, [one.create(1)], `person-${index}`).then((end) => end)),
    );
    for (const { committedVersion } of done) revisions.push(committedVersion);
    assert.ok(isRight(before));
    // They waited for one append, which all of them are in.
    assert.deepEqual(new Set(revisions), new Set([8]));
    assert.deepEqual(
      broadcasts.map((one) => (one.kind === 'operations' ? [one.fromVersion, one.toVersion] : [])),
      [[1, 8]],
    );
    const types = (await events(now)).map((event) => event.type);
    assert.deepEqual(types, ['OwnershipTaken', ...Array.from({ length: 8 }, () => 'OperationsCommitted')]);
  });

  it('broadcasts to subscribers before it acknowledges, with the committed JSON', async () => {
    const seen: string[] = [];
    document.subscribe((broadcast) => {
      if (broadcast.kind === 'operations') seen.push(...broadcast.operations);
    });
    const ada = writer(client('ada'));
    await submit(document, [ada.create(1)]);
    assert.equal(seen.length, 1);
    assert.equal(JSON.parse(seen[0] ?? '').opId, `${ada.clientId}-1`);
  });

  it('acknowledges a repeated batch without appending', async () => {
    const ada = writer(client('ada'));
    const batch = [ada.create(1), ada.create(2)];
    await submit(document, batch);
    const again = await submit(document, batch);
    assert.deepEqual(statuses(again), ['duplicate', 'duplicate']);
    assert.deepEqual(
      again.results.map(({ version }) => version),
      [1, 2],
    );
    const longer = await submit(document, [...batch, ada.create(3)]);
    assert.deepEqual(statuses(longer), ['duplicate', 'duplicate', 'applied']);
    assert.equal((await events(now)).length, 3);
  });

  it('commits a group whole or not at all', async () => {
    const ada = writer(client('ada'));
    const atomicGroup = 'both';
    await submit(document, [ada.create(1)]);
    const ids = [ada.idOf(1), ada.idOf(99)];
    const both = ids.map((id) => ada.set(id, 'opacity', 0, { atomicGroup }));
    const done = await submit(document, [...both, ada.create(2)]);
    assert.equal(done.results[0]?.status, 'rejected');
    assert.equal(done.results[2]?.status, 'applied');
    assert.equal(getNode(document.scene(), ada.idOf(1))?.properties.opacity, undefined);
    assert.equal(document.committedVersion(), 2);
  });

  it('settles dropped operations without an event', async () => {
    const ada = writer(client('ada'));
    await submit(document, [ada.create(1)]);
    const done = await submit(document, [ada.set(ada.idOf(77), 'opacity', 1)]);
    assert.equal(done.results[0]?.status, 'dropped');
    assert.deepEqual(statuses(await submit(document, [ada.create(2)])), ['applied']);
    assert.equal((await events(now)).length, 3);
  });

  it('inverts an operation of its own actor once, in one group', async () => {
    const ada = writer(client('ada'));
    const bob = writer(client('bob', 'bob'));
    const created = ada.create(1);
    await submit(document, [created]);
    const inverseOf = created.opId;
    const undoGroupId = 'undo-1';
    const id = ada.idOf(1);
    const foreign = await submit(document, [bob.set(id, 'opacity', 0, { inverseOf })], 'bob');
    assert.deepEqual(statuses(foreign), ['rejected/inverse-foreign']);
    const both = [1, 2].map((value) => ada.set(id, 'opacity', value, { inverseOf, undoGroupId }));
    assert.deepEqual(statuses(await submit(document, both)), ['applied', 'applied']);
    const again = await submit(document, [ada.set(id, 'opacity', 3, { inverseOf, undoGroupId: 'undo-2' })]);
    assert.deepEqual(statuses(again), ['rejected/already-inverted']);
  });

  it('lets an inverse create what the operation that it names deleted, and nothing else under the ids of others', async () => {
    const victim = writer(client('victim', 'victim'));
    const mallory = writer(client('mal', 'mallory'));
    const own = mallory.create(1);
    await submit(document, [victim.create(1)], 'victim');
    await submit(document, [own], 'mallory');
    const claim = (id: NodeId, inverseOf: OperationId): Operation => ({
      ...mallory.create(2),
      inverseOf,
      ...newNode(id),
    });
    const claimed = await submit(document, [claim(victim.idOf(2), own.opId)], 'mallory');
    assert.deepEqual(statuses(claimed), ['rejected/id-foreign']);
    assert.deepEqual(statuses(await submit(document, [victim.create(2)], 'victim')), ['applied']);
    const deletion = mallory.remove(victim.idOf(1));
    await submit(document, [deletion], 'mallory');
    const nodes = [victim.idOf(1), victim.idOf(3)].flatMap((id) => newNode(id).payload.nodes);
    const undo: Operation = { ...mallory.create(3), inverseOf: deletion.opId, payload: { nodes } };
    const undone = await submit(document, [undo], 'mallory');
    assert.deepEqual(statuses(undone), ['transformed/id-foreign']);
    assert.ok(getNode(document.scene(), victim.idOf(1)) !== undefined);
    assert.equal(getNode(document.scene(), victim.idOf(3)), undefined);
  });
});
