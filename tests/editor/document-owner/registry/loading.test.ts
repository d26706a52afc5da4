import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import type { DocumentHandle, DocumentRegistry } from '../../../../commands/editor/document-owner/document-handle';
import type { OperationId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import { countNodes } from '../../../../domain/editor/scene/scene';
import { eventually } from '../../../support/waiting/eventually';
import { client, events, opened, place, type Stage, stage, statuses, submit, textOf, writer } from '../fixture';
import { snapshotsEvery } from '../settings';

const ofType = async (now: Stage, type: string) => (await events(now)).filter((event) => event.type === type);

describe('loading a document', () => {
  let now: Stage;
  let owner: DocumentRegistry;
  beforeEach(() => {
    now = stage({ snapshot: snapshotsEvery(10) });
    owner = now.owner();
  });
  afterEach(() => now.close());

  it('continues where the last owner ended, with all permanent state', async () => {
    const ada = writer(client('ada'));
    const first = await opened(owner);
    const batches = Array.from({ length: 25 }, (_, index) => [ada.create(index + 1)]);
    for (const batch of batches) await submit(first, batch);
    const scene = textOf(first.scene());
    await owner.close();
    assert.equal(first.ended.reason, 'draining');
    const second = await opened(now.owner());
    assert.equal(second.epoch, 2);
    assert.equal(second.committedVersion(), 25);
    assert.equal(textOf(second.scene()), scene);
    const again = await submit(second, batches[3] ?? []);
    assert.deepEqual(statuses(again), ['duplicate']);
    assert.equal(again.results[0]?.version, 4);
    assert.deepEqual(statuses(await submit(second, [ada.create(26)])), ['applied']);
  });

  it('knows deleted subtrees after more operations than the table of ids has', async () => {
    const [ada, bob] = [writer(client('ada')), writer(client('bob', 'bob'))];
    const first = await opened(owner);
    await submit(first, [bob.create(1)], 'bob');
    const deletion = ada.remove(bob.idOf(1));
    await submit(first, [deletion]);
    const creations = Array.from({ length: 4_500 }, (_, index) => bob.create(2 + index));
    for (let from = 0; from < creations.length; from += 450)
      await submit(first, creations.slice(from, from + 450), 'bob');
    await owner.close();
    const second = await opened(now.owner());
    const nodes = [{ id: bob.idOf(1), type: 'rect', parentId: null, orderKey: 'a1', properties: {} }];
    const undo = ada.operation('createNode', { nodes }, { inverseOf: deletion.opId });
    assert.deepEqual(statuses(await submit(second, [undo])), ['applied']);
  });

  it('commits an operation id once, from whichever client and however late', async () => {
    const ada = writer(client('ada'));
    const first = await opened(owner);
    const job = { opId: 'job-42' as OperationId };
    const submitAs = async (
      document: DocumentHandle,
      one: ReturnType<typeof writer>,
      operations: readonly Operation[],
    ) => {
      const done = await document.submit({ clientId: one.clientId, principalId: 'ada', schema: 2, operations });
      assert.ok(!isLeft(done));
      return statuses(done.right);
    };
    assert.deepEqual(await submitAs(first, ada, [ada.create(1, null, job)]), ['applied']);
    const others = Array.from({ length: 4_500 }, (_, index) => ada.create(2 + index));
    for (let from = 0; from < others.length; from += 450) await submit(first, others.slice(from, from + 450));
    const fresh = writer(client('fresh'));
    assert.deepEqual(await submitAs(first, fresh, [fresh.create(1, null, job)]), ['duplicate']);
    await owner.close();
    const second = await opened(now.owner());
    const later = writer(client('later'));
    assert.deepEqual(await submitAs(second, later, [later.create(1, null, job)]), ['duplicate']);
  });

  it('stores snapshots regularly, and records them in the log', async () => {
    const ada = writer(client('ada'));
    const document = await opened(owner);
    for (let count = 1; count <= 12; count += 1) await submit(document, [ada.create(count)]);
    await eventually(async () => assert.equal((await ofType(now, 'SnapshotTaken')).length, 1));
    assert.ok((document.snapshot()?.version ?? 0) >= 10);
  });

  it('is loaded from the newest readable snapshot', async () => {
    const ada = writer(client('ada'));
    const document = await opened(owner);
    const { taken } = now.snapshots;
    for (let count = 1; count <= 30; count += 1) {
      await submit(document, [ada.create(count)]);
      if (count % 10 === 0) await eventually(async () => assert.equal(taken.length, count / 10));
    }
    await submit(document, [ada.remove(ada.idOf(3))]);
    await owner.close();
    const scene = textOf(document.scene());
    for (const { compressedSceneKey } of now.snapshots.taken.slice(1)) now.snapshots.damaged.add(compressedSceneKey);
    const earlier = await opened(now.owner());
    assert.equal(earlier.snapshot()?.version, now.snapshots.taken[0]?.version);
    assert.equal(textOf(earlier.scene()), scene);
  });

  it('is loaded from the start of its log when no snapshot is readable', async () => {
    const ada = writer(client('ada'));
    const document = await opened(owner);
    for (let count = 1; count <= 25; count += 1) await submit(document, [ada.create(count)]);
    await owner.close();
    now.snapshots.mood.load = 'damaged';
    const again = await opened(now.owner());
    assert.equal(again.committedVersion(), 25);
    assert.equal(textOf(again.scene()), textOf(document.scene()));
  });

  it('is unavailable while its snapshots are unavailable, and is retried with long pauses', async () => {
    const ada = writer(client('ada'));
    const document = await opened(owner);
    for (let count = 1; count <= 12; count += 1) await submit(document, [ada.create(count)]);
    await owner.close();
    now.snapshots.mood.load = 'unavailable';
    const next = now.owner();
    const answers = [await next.open(place), await next.open(place), await next.open(place)];
    assert.ok(answers.every((answer) => isLeft(answer) && answer.left.kind === 'fault'));
    assert.equal((await ofType(now, 'OwnershipTaken')).length, 2);
    now.snapshots.mood.load = 'works';
    assert.equal(countNodes((await opened(now.owner())).scene()), 12);
  });

  it('includes a failed snapshot’s changes in the next one', async () => {
    const ada = writer(client('ada'));
    const document = await opened(owner);
    now.snapshots.mood.take = 'fails';
    for (let count = 1; count <= 15; count += 1) await submit(document, [ada.create(count)]);
    now.snapshots.mood.take = 'works';
    await submit(document, [ada.create(16)]);
    await owner.close();
    const last = await opened(now.owner());
    assert.equal(last.snapshot()?.version, 16);
    assert.equal(countNodes(last.scene()), 16);
  });
});
