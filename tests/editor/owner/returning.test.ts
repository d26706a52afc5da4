import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import type { Told } from '../../../commands/editor/owner/told';
import type { Documents, OpenDocument } from '../../../commands/editor/owner/types';
import { apply } from '../../../domain/editor/scene/apply';
import { emptyScene } from '../../../domain/editor/scene/scene';
import { snapshotsEvery } from './paces';
import { client, opened, type Stage, stage, statuses, submit, textOf, writer } from './stage';

const versionsOf = (told: readonly Told[]): readonly (readonly number[])[] =>
  told.map((one) => (one.kind === 'operations' ? [one.fromVersion, one.toVersion] : []));

describe('somebody who comes back to a document', () => {
  let now: Stage;
  let owner: Documents;
  let document: OpenDocument;
  const ada = () => writer(client('ada'));
  const begin = async (settings: Parameters<typeof stage>[0] = {}): Promise<void> => {
    now = stage(settings);
    owner = now.owner();
    document = await opened(owner);
  };
  afterEach(() => now.close());

  it('gets what was committed since, also from the middle of a batch', async () => {
    await begin();
    const one = ada();
    await submit(document, [one.create(1), one.create(2), one.create(3)]);
    await submit(document, [one.create(4)]);
    const { frames, rebase, snapshot } = document.resume(2);
    assert.deepEqual(
      [versionsOf(frames), rebase, snapshot],
      [
        [
          [3, 3],
          [4, 4],
        ],
        false,
        undefined,
      ],
    );
    assert.deepEqual(document.since(4), []);
    assert.equal(document.since(5), undefined);
  });

  it('gets a snapshot and what came after it where operations do not reach back', async () => {
    await begin({ ring: { operations: 5, bytes: 1e6 }, snapshot: snapshotsEvery(10) });
    const one = ada();
    for (let count = 1; count <= 30; count += 1) {
      await submit(document, [one.create(count)]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(document.since(1), undefined);
    const { frames, rebase, snapshot: taken } = document.resume(1);
    assert.equal(rebase, true);
    assert.ok(taken !== undefined && taken.version >= 10);
    const scene = emptyScene();
    assert.ok(isRight(await now.snapshots.load(document, taken, scene)));
    let version = taken.version;
    for (const { fromVersion, operations } of frames)
      for (const [index, operation] of operations.entries()) {
        assert.equal(fromVersion + index, version + 1);
        version += 1;
        apply(scene, JSON.parse(operation), version);
      }
    assert.equal(textOf(scene), textOf(document.scene()));
  });

  it('keeps everything since the last snapshot, however much that is', async () => {
    await begin({ ring: { operations: 2, bytes: 10 } });
    const one = ada();
    for (let count = 1; count <= 20; count += 1) await submit(document, [one.create(count)]);
    const { frames, snapshot, rebase } = document.resume(0);
    assert.deepEqual([frames.length, snapshot, rebase], [20, undefined, false]);
  });

  it('goes on in its sequence where it knows itself to be, be it in the log or not', async () => {
    await begin();
    const one = ada();
    await submit(document, [one.create(1)]);
    await submit(document, [one.set(one.idOf(9), 'opacity', 1), one.set(one.idOf(9), 'opacity', 2)]);
    await owner.close();
    document = await opened(now.owner());
    const joined = document.join({ clientId: one.clientId, principalId: 'ada', mayEdit: true, settledClientSeq: 3 });
    assert.ok(isRight(joined));
    const { lastClientSeq, committedClientSeq } = joined.right;
    assert.deepEqual([lastClientSeq, committedClientSeq], [3, 1]);
    assert.deepEqual(statuses(await submit(document, [one.create(2)])), ['applied']);
  });

  it('is told which operation made the last version, and the one that it has, also by another owner', async () => {
    await begin();
    const one = ada();
    for (let count = 1; count <= 12; count += 1) await submit(document, [one.create(count)]);
    const told = (knownVersion: number) => {
      const joined = document.join({
        clientId: one.clientId,
        principalId: 'ada',
        mayEdit: true,
        settledClientSeq: 0,
        knownVersion,
      });
      assert.ok(isRight(joined));
      return [joined.right.lastOpId, joined.right.opIdThere];
    };
    const [first, last] = [`${one.clientId}-1`, `${one.clientId}-12`];
    assert.deepEqual(
      [told(0), told(1), told(12)],
      [
        [last, undefined],
        [last, first],
        [last, last],
      ],
    );
    assert.deepEqual(told(13), [last, undefined]);
    await owner.close();
    document = await opened(now.owner());
    assert.deepEqual(
      [told(1), told(12)],
      [
        [last, first],
        [last, last],
      ],
    );
  });

  it('is given an id of its own when it has none', async () => {
    await begin();
    const ids = [1, 2].map(() => document.join({ principalId: 'ada', mayEdit: true, settledClientSeq: 0 }));
    const [first, second] = ids.map((joined) => (isRight(joined) ? joined.right.clientId : ''));
    assert.match(first ?? '', /^[0-9A-Za-z]{10}$/);
    assert.notEqual(first, second);
  });

  it('goes on in its sequence however many clients another principal joins with', async () => {
    await begin();
    const one = ada();
    await submit(document, [one.set(one.idOf(9), 'opacity', 1)]);
    for (let count = 0; count < 20_001; count += 1)
      document.join({ principalId: 'eve', mayEdit: true, settledClientSeq: 1 });
    assert.deepEqual(statuses(await submit(document, [one.create(1)])), ['applied']);
  });
});
