import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft, isRight } from 'fp-ts/Either';
import { revocationDelayMilliseconds } from '../../../../commands/editor/access/revocation-delay';
import type { DocumentHandle } from '../../../../commands/editor/document-owner/document-handle';
import type { ClientId, DocumentId, OperationId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import { countNodes } from '../../../../domain/editor/scene/scene';
import { client, events, opened, type Stage, stage, statuses, submit, writer } from '../fixture';

describe('refusals of an owner', () => {
  let now: Stage;
  let document: DocumentHandle;
  beforeEach(async () => {
    now = stage();
    document = await opened(now.owner());
  });
  afterEach(() => now.close());

  it('refuses a batch after a gap, with the expected sequence', async () => {
    const ada = writer(client('ada'));
    await submit(document, [ada.create(1)]);
    const lost = ada.create(2);
    const operations = [ada.create(3)];
    const refused = await document.submit({ clientId: ada.clientId, principalId: 'ada', schema: 2, operations });
    assert.ok(isLeft(refused) && refused.left.code === 'client-seq-gap');
    assert.equal(refused.left.expectedClientSeq, 2);
    assert.deepEqual(statuses(await submit(document, [lost, ...operations])), ['applied', 'applied']);
  });

  it('binds a client to one principal permanently', async () => {
    const ada = writer(client('ada'));
    await submit(document, [ada.create(1)]);
    const operations = [ada.create(2)];
    const refused = await document.submit({ clientId: ada.clientId, principalId: 'eve', schema: 2, operations });
    assert.ok(isLeft(refused) && refused.left.code === 'client-id-taken');
    const joined = document.join({ clientId: ada.clientId, principalId: 'eve', mayEdit: true, settledClientSeq: 0 });
    assert.ok(isLeft(joined));
  });

  it('refuses operation ids of another client’s range', async () => {
    const eve = writer(client('eve', 'eve'));
    const ada = writer(client('ada'));
    const stolen = { ...eve.create(1), opId: `${ada.clientId}-1` as OperationId };
    const done = await document.submit({ clientId: eve.clientId, principalId: 'eve', schema: 2, operations: [stolen] });
    assert.ok(isRight(done));
    assert.deepEqual(statuses(done.right), ['rejected/id-foreign']);
    assert.deepEqual(statuses(await submit(document, [ada.create(1)])), ['applied']);
  });

  it('recognises repeated operation ids, per actor', async () => {
    const ada = writer(client('ada'));
    const bob = writer(client('bob', 'bob'));
    const opId = '3f1c2a4e-aaaa-bbbb-cccc-000000000001' as OperationId;
    await submit(document, [ada.create(1)]);
    const named = { ...ada.create(2), opId };
    const { clientId } = ada;
    const send = (one: typeof named) => document.submit({ clientId, principalId: 'ada', schema: 2, operations: [one] });
    const first = await send(named);
    const second = await send({ ...named, clientSeq: 3 });
    assert.ok(isRight(first) && isRight(second));
    assert.deepEqual([statuses(first.right), statuses(second.right)], [['applied'], ['duplicate']]);
    const other = { ...bob.create(1), opId };
    const foreign = await document.submit({
      clientId: bob.clientId,
      principalId: 'bob',
      schema: 2,
      operations: [other],
    });
    assert.ok(isRight(foreign));
    assert.deepEqual(statuses(foreign.right), ['rejected/id-taken']);
  });

  it('answers a reconnecting client about its own operations only, not about those of others with the same ids', async () => {
    const [ada, eve] = [writer(client('ada')), writer(client('eve', 'eve'))];
    await submit(document, [ada.create(1), ada.create(2)]);
    const named = ['1.5', '07', '1e1', 'x'].map((end) => ({
      ...eve.create(eve.next()),
      opId: `${ada.clientId}-${end}` as OperationId,
    }));
    const batch = { clientId: eve.clientId, principalId: 'eve', schema: 2, operations: named };
    const done = await document.submit(batch);
    assert.ok(isRight(done));
    assert.equal(done.right.committedVersion, 6);
    const joined = document.join({ clientId: ada.clientId, principalId: 'ada', mayEdit: true, settledClientSeq: 1 });
    assert.ok(isRight(joined));
    assert.deepEqual(joined.right.came?.clientSeqs, [2]);
  });

  it('acknowledges nothing of another client under a sequence that was used before', async () => {
    const [ada, eve] = [writer(client('ada')), writer(client('eve', 'eve'))];
    const named = { ...ada.create(1), opId: 'job-1' as OperationId };
    const noOp = { ...ada.set(ada.idOf(9), 'opacity', 1), opId: 'job-2' as OperationId };
    const numbered = ada.create(2);
    const own = eve.create(1);
    const submitAs = (principalId: string, clientId: ClientId, operations: readonly Operation[]) =>
      document.submit({ clientId, principalId, schema: 2, operations });
    assert.ok(isRight(await submitAs('ada', ada.clientId, [named, noOp, numbered])));
    assert.ok(isRight(await submitAs('eve', eve.clientId, [own])));
    const answers = [];
    for (const operation of [named, noOp, numbered, own]) {
      const done = await submitAs('eve', eve.clientId, [{ ...operation, clientSeq: 1 }]);
      assert.ok(isRight(done));
      answers.push(...done.right.results);
    }
    assert.deepEqual(answers, [
      { opId: named.opId, status: 'rejected', reason: 'id-taken' },
      { opId: noOp.opId, status: 'duplicate' },
      { opId: numbered.opId, status: 'rejected', reason: 'id-foreign' },
      { opId: own.opId, status: 'duplicate', version: 3 },
    ]);
  });

  it('commits no operation id twice, also within a group', async () => {
    const ada = writer(client('ada'));
    await submit(document, [ada.create(1)]);
    const opId = '3f1c2a4e-aaaa-bbbb-cccc-000000000002' as OperationId;
    const [id, more] = [ada.idOf(1), { opId, atomicGroup: 'g' }];
    const operations = [ada.set(id, 'opacity', 0.5, more), ada.set(id, 'opacity', 0.25, more)];
    const done = await document.submit({ clientId: ada.clientId, principalId: 'ada', schema: 2, operations });
    assert.ok(isRight(done));
    assert.deepEqual(statuses(done.right), ['rejected/group-refused', 'rejected/id-taken']);
    assert.equal(document.committedVersion(), 1);
  });

  it('reads stale access again before it refuses a batch, and accepts editors at once', async () => {
    const ada = writer(client('ada'));
    await submit(document, [ada.create(1)]);
    now.roles.set('ada', 'viewer');
    await sleep(revocationDelayMilliseconds);
    const done = await submit(document, [ada.create(2)]);
    assert.deepEqual(statuses(done), ['rejected/forbidden']);
    assert.equal(countNodes(document.scene()), 1);
    now.roles.set('ada', 'editor');
    assert.deepEqual(statuses(await submit(document, [ada.create(3)])), ['applied']);
  });

  it('answers batches that wait before one for which a rule throws', async () => {
    const [ada, eve] = [writer(client('ada')), writer(client('eve', 'eve'))];
    await submit(document, [eve.create(1)], 'eve');
    const trap = {
      get set(): never {
        throw new Error('a defect');
      },
    };
    const operations = [eve.operation('setProperties', trap, { targetIds: [eve.idOf(1)] })];
    const both = await Promise.all([
      document.submit({ clientId: ada.clientId, principalId: 'ada', schema: 2, operations: [ada.create(1)] }),
      document.submit({ clientId: eve.clientId, principalId: 'eve', schema: 2, operations }),
    ]);
    const codes = both.map((one) => (isLeft(one) ? one.left.code : 'taken'));
    assert.deepEqual(codes, ['service-unavailable', 'malformed']);
  });

  it('refuses malformed batches', async () => {
    const ada = writer(client('ada'));
    const codes: string[] = [];
    const send = async (operations: Parameters<typeof submit>[1]): Promise<void> => {
      const done = await document.submit({ clientId: ada.clientId, principalId: 'ada', schema: 2, operations });
      codes.push(isLeft(done) ? done.left.code : 'taken');
    };
    await send([]);
    await send(Array.from({ length: 501 }, (_, index) => ada.create(index + 1)));
    await send([{ ...ada.create(1), documentId: 'doc-2' as DocumentId }]);
    await send([ada.create(1), { ...ada.create(2), clientSeq: 7_777 }]);
    assert.deepEqual(codes, ['malformed', 'batch-too-large', 'malformed', 'malformed']);
    assert.equal((await events(now)).length, 1);
  });
});
