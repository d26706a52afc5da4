import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import { openClientIds } from '../../../commands/editor/document-owner/client-ids';
import type { DocumentHandle } from '../../../commands/editor/document-owner/document-handle';
import { ClientId, type DocumentId, type OperationId } from '../../../domain/editor/ids';
import type { Operation } from '../../../domain/editor/operation';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { eventually } from '../../support/waiting/eventually';
import { client, opened, place, type Stage, stage, statuses, submit, unprovenClientIds, writer } from './fixture';
import { snapshotsEvery } from './settings';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const [oldKey, newKey] = ['a'.repeat(43), 'b'.repeat(43)];
const day = 20_515;
const clock = { now: () => new Date(day * 86_400_000 + 43_200_000).toISOString() as Instant };
const random = { uuid: randomUUID, token: (bytes: number) => randomBytes(bytes).toString('base64url') };
const clientIdsOf = (...keys: readonly string[]) => openClientIds({ keys, clock, random });

const holders = fc.record({
  documentKey: fc.record({
    tenant: fc.stringMatching(/^[a-z]{1,12}$/).map((text) => text as TenantId),
    documentId: fc.uuid().map((text) => text as DocumentId),
  }),
  principalId: fc.string({ minLength: 1, maxLength: 40 }),
});
type Holder = Parameters<ReturnType<typeof clientIdsOf>['issue']>[0];
const isSame = (one: Holder, other: Holder): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A proof of 24 bits is met by chance once in 15 million times, so the tries are always the same. */
const tries = { seed: 61, numRuns: 1_000 };

describe('the proof in a client id', () => {
  const clientIds = clientIdsOf(oldKey);

  it('names the day on which the id was issued, to its holder', () =>
    fc.assert(
      fc.property(holders, (holder) => {
        const clientId = clientIds.issue(holder);
        assert.ok(ClientId.is(clientId));
        assert.equal(clientIds.issuedOn(holder, clientId), day);
      }),
      tries,
    ));

  it('holds for no other principal, document and tenant', () =>
    fc.assert(
      fc.property(holders, holders, (holder, other) => {
        const clientId = clientIds.issue(holder);
        const { documentKey, principalId } = holder;
        const others: readonly Holder[] = [
          other,
          { documentKey, principalId: other.principalId },
          { documentKey: other.documentKey, principalId },
          { documentKey: { ...documentKey, tenant: other.documentKey.tenant }, principalId },
          // No two holders are the same text.
          { documentKey, principalId: `${principalId} ` },
          { documentKey: { ...documentKey, documentId: `${documentKey.documentId}","` as DocumentId }, principalId },
        ];
        for (const one of others) if (!isSame(one, holder)) assert.equal(clientIds.issuedOn(one, clientId), undefined);
      }),
      tries,
    ));

  it('does not hold for an id that was changed, truncated, extended or made up', () =>
    fc.assert(
      fc.property(
        holders,
        fc.nat({ max: 9 }),
        fc.constantFrom(...digits),
        fc.stringMatching(/^[0-9A-Za-z]{10}$/),
        fc.string(),
        (holder, position, digit, chosen, text) => {
          const clientId = clientIds.issue(holder);
          const mutated = `${clientId.slice(0, position)}${digit}${clientId.slice(position + 1)}`;
          for (const id of [mutated, clientId.slice(0, position), `${clientId}${digit}`, chosen, text])
            if (id !== clientId) assert.equal(clientIds.issuedOn(holder, id as ClientId), undefined, id);
        },
      ),
      tries,
    ));

  it('holds under each of the keys, and under no other', () =>
    fc.assert(
      fc.property(holders, (holder) => {
        const [former, rotated, replaced] = [clientIds, clientIdsOf(newKey, oldKey), clientIdsOf(newKey)];
        const clientId = former.issue(holder);
        assert.equal(rotated.issuedOn(holder, clientId), day);
        assert.equal(replaced.issuedOn(holder, clientId), undefined);
        assert.equal(replaced.issuedOn(holder, rotated.issue(holder)), day);
      }),
      tries,
    ));
});

describe('client ids when their key is changed', () => {
  let now: Stage;
  const ownerWith = async (...keys: readonly string[]): Promise<DocumentHandle> =>
    opened(now.owner({ clientIds: clientIdsOf(...keys) }));
  const joins = (document: DocumentHandle, clientId: ClientId): boolean =>
    isRight(document.join({ clientId, principalId: 'ada', mayEdit: true, settledClientSeq: 0 }));
  beforeEach(() => {
    now = stage();
  });
  afterEach(() => now.close());

  it('remain good while the former key is given, also unused, and when used for ever', async () => {
    const first = await ownerWith(oldKey);
    const [used, unused] = [first.issueClientId('ada'), first.issueClientId('ada')];
    const write = writer(used);
    await submit(first, [write.create(1)]);
    await now.release();
    const second = await ownerWith(newKey, oldKey);
    assert.ok(joins(second, used) && joins(second, unused));
    await now.release();
    const third = await ownerWith(newKey);
    assert.ok(joins(third, used) && !joins(third, unused));
    assert.deepEqual(statuses(await submit(third, [write.create(2)])), ['applied']);
  });

  it('of requests without one, and of restores, are those that were used before', async () => {
    const first = await ownerWith(oldKey);
    const clientId = first.requestClientId('ada');
    const write = writer(clientId);
    await submit(first, [write.create(1), write.create(2)]);
    const restore = (document: DocumentHandle) =>
      document.restore({ version: 1, principalId: 'ada', commandId: 'restore-1' });
    const restored = await restore(first);
    assert.ok(isRight(restored));
    await now.release();
    const second = await ownerWith(newKey, oldKey);
    assert.equal(second.requestClientId('ada'), clientId);
    assert.notEqual(
      second.requestClientId('bob'),
      clientIdsOf(oldKey).ofRequests({ documentKey: place, principalId: 'bob' })[0],
    );
    const again = await restore(second);
    assert.ok(isRight(again) && again.right.committedVersion === restored.right.committedVersion);
    assert.equal(second.committedVersion(), 3);
    assert.deepEqual(statuses(await submit(second, [write.create(3)])), ['applied']);
  });

  it('are refused without a proof, whatever they look like', async () => {
    const document = await ownerWith(oldKey);
    const clientId = document.issueClientId('ada');
    const forged = [clientIdsOf(newKey).issue({ documentKey: place, principalId: 'ada' }), `${clientId.slice(0, 9)}-`];
    for (const id of [...forged, 'k3Jx09aPqZ']) {
      const write = writer(id as ClientId);
      const request = { clientId: write.clientId, principalId: 'ada', schema: 2, operations: [write.create(1)] };
      const done = await document.submit(request);
      assert.ok(isLeft(done) && done.left.code === 'client-id-not-issued');
    }
    assert.equal(document.committedVersion(), 0);
  });
});

describe('client ids that programs chose, in documents of that time', () => {
  const chosen = writer('client0000' as ClientId);
  const submitAs = async (document: DocumentHandle, principalId: string, operation: Operation): Promise<string> => {
    const request = { clientId: chosen.clientId, principalId, schema: 2, operations: [operation] };
    const done = await document.submit(request);
    return isLeft(done) ? done.left.code : (done.right.results[0]?.status ?? '');
  };

  for (const [source, snapshot] of [
    ['its log', {}],
    ['a snapshot', { snapshot: snapshotsEvery(1) }],
  ] as const)
    it(`remain those of their principals, when the document is loaded from ${source}`, async () => {
      const now = stage(snapshot);
      const write = writer(chosen.clientId);
      const before = await opened(now.owner({ clientIds: unprovenClientIds }));
      assert.equal(await submitAs(before, 'bob', write.create(1)), 'applied');
      if (source === 'a snapshot') await eventually(async () => assert.equal(now.snapshots.taken.at(-1)?.version, 1));
      await now.release();
      const after = await opened(now.owner());
      const next = write.create(2);
      assert.equal(await submitAs(after, 'mallory', next), 'client-id-taken');
      assert.equal(await submitAs(after, 'bob', next), 'applied');
      const request = { clientId: chosen.clientId, mayEdit: true, settledClientSeq: 1 };
      assert.ok(isRight(after.join({ ...request, principalId: 'bob' })));
      assert.ok(isLeft(after.join({ ...request, principalId: 'mallory' })));
      await now.close();
    });

  it('are refused once the table evicted them, and what was done under them cannot be undone by others', async () => {
    const now = stage({ maxClients: 2, snapshot: snapshotsEvery(1) });
    const before = await opened(now.owner({ clientIds: unprovenClientIds }));
    const write = writer(chosen.clientId);
    assert.equal(await submitAs(before, 'bob', write.create(1)), 'applied');
    for (const name of ['one', 'two', 'three']) await submit(before, [writer(client(name, 'bob')).create(1)], 'bob');
    await eventually(async () => assert.equal(now.snapshots.taken.at(-1)?.version, 4));
    await now.release();
    const after = await opened(now.owner());
    for (const name of ['mallory', 'bob'])
      assert.equal(await submitAs(after, name, writer(chosen.clientId).create(9)), 'client-id-not-issued');
    const mallory = writer(client('mallory', 'mallory'));
    const undo = mallory.operation('createNode', { nodes: [] }, { inverseOf: `${chosen.clientId}-1` as OperationId });
    assert.deepEqual(statuses(await submit(after, [undo], 'mallory')), ['rejected/inverse-foreign']);
    await now.close();
  });
});
