import assert from 'node:assert/strict';
import { isLeft, isRight, left } from 'fp-ts/Either';
import type { DocumentHandle } from '../../../../commands/editor/document-owner/document-handle';
import type { Operation } from '../../../../domain/editor/operation';
import { countNodes, getNode } from '../../../../domain/editor/scene/scene';
import { fault } from '../../../../domain/kernel/rejection';
import { eventually } from '../../../support/waiting/eventually';
import { client, events, opened, type Stage, stage, statuses, submit, textOf, writer } from '../fixture';
import { assertWhole } from '../log-invariants';

const append = { bytes: 2_000, operations: 50, pauseMilliseconds: 1, retryMilliseconds: 100 };
const snapshot = { operations: 1_000, bytes: 1_000, minOperations: 1, maxBytes: 3_000, pauseMilliseconds: 0 };

const send = (document: DocumentHandle, operations: readonly Operation[]) =>
  document.submit({ clientId: client('ada'), principalId: 'ada', schema: 2, operations });

describe('bounds of an owner', () => {
  let now: Stage;
  let document: DocumentHandle;
  const begin = async (settings: Parameters<typeof stage>[0] = {}, own: Parameters<Stage['owner']>[0] = {}) => {
    now = stage(settings);
    document = await opened(now.owner(own));
  };
  afterEach(() => now.close());

  it('divides a batch that is larger than an append, and acknowledges it when the log has all of it', async () => {
    await begin({ append });
    const ada = writer(client('ada'));
    const done = await submit(
      document,
      Array.from({ length: 40 }, (_, index) => ada.create(index + 1)),
    );
    assert.equal(done.committedVersion, 40);
    assert.ok(statuses(done).every((status) => status === 'applied'));
    const log = await events(now);
    assert.equal(assertWhole(log).size, 40);
    const sizes = log.map((event) =>
      event.type === 'OperationsCommitted' ? JSON.stringify(event.data.operations).length : 0,
    );
    assert.ok(sizes.length > 4);
    assert.ok(sizes.every((size) => size <= 2_100));
  });

  it('leaves room for the overhead of many small batches', async () => {
    await begin({ append: { ...append, bytes: 5_000 } });
    const sizes: number[] = [];
    const store = {
      ...now.store,
      append: async (...parameters: Parameters<typeof now.store.append>) => {
        sizes.push(parameters[2].reduce((sum, { data }) => sum + JSON.stringify(data).length, 0));
        return now.store.append(...parameters);
      },
    };
    const other = await opened(now.rival({ store }));
    const names = Array.from({ length: 45 }, (_, index) => `c${index + 10}`);
    await Promise.all(names.map((name) => submit(other, [writer(client(name, name)).create(1)], name)));
    assert.ok(sizes.length > 3);
    assert.ok(sizes.every((size) => size <= 5_000));
  });

  it('does not divide a group, and refuses one that is larger than an append', async () => {
    await begin({ append });
    const ada = writer(client('ada'));
    const groupOf = (name: string, from: number, count: number): readonly Operation[] =>
      Array.from({ length: count }, (_, index) => ada.create(from + index, null, { atomicGroup: name }));
    const done = await submit(document, [...groupOf('a', 1, 5), ...groupOf('b', 10, 5), ...groupOf('c', 20, 20)]);
    assert.deepEqual(new Set(statuses(done).slice(10)), new Set(['rejected/too-large']));
    assert.equal(done.committedVersion, 10);
    assert.equal(countNodes(document.scene()), 10);
    const groups = (await events(now)).map((event) =>
      event.type === 'OperationsCommitted'
        ? new Set(event.data.operations.map(({ atomicGroup }) => atomicGroup))
        : new Set(),
    );
    assert.deepEqual(groups, [new Set(), new Set(['a']), new Set(['b'])]);
  });

  it('refuses edits while too many bytes have no snapshot, and continues after the next one', async () => {
    await begin({ snapshot, renewalMilliseconds: 5 });
    now.snapshots.mood.take = 'fails';
    const ada = writer(client('ada'));
    const unfollow = document.subscribe(() => undefined);
    let refused = await send(document, [ada.create(1)]);
    let lost = ada.create(2);
    for (let count = 3; isRight(refused); count += 1) {
      refused = await send(document, [lost]);
      if (isRight(refused)) lost = ada.create(count);
    }
    assert.equal(refused.left.code, 'service-unavailable');
    now.snapshots.mood.take = 'works';
    await eventually(async () => assert.ok(isRight(await send(document, [lost]))));
    unfollow();
  });

  it('answers as unavailable while access cannot be read, and continues when it can', async () => {
    await begin();
    const ada = writer(client('ada'));
    const own = now.roles.access;
    let away = true;
    const access = { ...own, read: async () => (away ? left(fault('event-store-unavailable', 'Away.')) : right) };
    const right = await own.read(document);
    away = false;
    const other = await opened(now.rival({ access }));
    away = true;
    const operations = [ada.create(1)];
    const refused = await send(other, operations);
    assert.ok(isLeft(refused) && refused.left.code === 'service-unavailable');
    away = false;
    assert.deepEqual(statuses(await submit(other, operations)), ['applied']);
  });

  it('rejects the batch for which a rule throws, and keeps the document', async () => {
    await begin();
    const ada = writer(client('ada'));
    await submit(document, [ada.create(1)]);
    const scene = textOf(document.scene());
    const id = ada.idOf(1);
    const trap = {
      get set(): never {
        throw new Error('a defect');
      },
    };
    const refused = await send(document, [
      ada.set(id, 'opacity', 1),
      ada.operation('setProperties', trap, { targetIds: [id] }),
    ]);
    assert.ok(isLeft(refused) && refused.left.code === 'malformed');
    assert.equal(document.ended.reason, 'faulted');
    const again = await opened(now.owner());
    assert.equal(textOf(again.scene()), scene);
  });

  it('restores no version when its snapshot cannot be stored', async () => {
    await begin();
    const ada = writer(client('ada'));
    await submit(document, [ada.create(1), ada.create(2)]);
    now.snapshots.mood.take = 'fails';
    const request = { version: 1, principalId: 'ada', commandId: 'k-1' };
    const refused = await document.restore(request);
    assert.ok(isLeft(refused) && refused.left.code === 'service-unavailable');
    assert.ok(getNode(document.scene(), ada.idOf(2)));
    assert.deepEqual(statuses(await submit(document, [ada.create(3)])), ['applied']);
    now.snapshots.mood.take = 'works';
    assert.ok(isRight(await document.restore(request)));
    assert.equal(countNodes(document.scene()), 1);
  });
});
