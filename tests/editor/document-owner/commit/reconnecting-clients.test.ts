import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import type {
  Broadcast,
  DocumentHandle,
  DocumentRegistry,
} from '../../../../commands/editor/document-owner/document-handle';
import type { ClientId } from '../../../../domain/editor/ids';
import { apply } from '../../../../domain/editor/reducer/apply';
import { emptyScene } from '../../../../domain/editor/scene/scene';
import { eventually } from '../../../support/waiting/eventually';
import { client, clientIds, opened, place, type Stage, stage, statuses, submit, textOf, writer } from '../fixture';
import { snapshotsEvery } from '../settings';

const versionsOf = (broadcasts: readonly Broadcast[]): readonly (readonly number[])[] =>
  broadcasts.map((one) => (one.kind === 'operations' ? [one.fromVersion, one.toVersion] : []));

describe('a client that reconnects', () => {
  let now: Stage;
  let owner: DocumentRegistry;
  let document: DocumentHandle;
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
    const { frames, rebase, snapshot } = document.catchUp(2);
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
    assert.deepEqual(document.framesAfter(4), []);
    assert.equal(document.framesAfter(5), undefined);
  });

  it('gets a snapshot and the operations after it when the backlog does not reach back', async () => {
    await begin({ backlog: { operations: 5, bytes: 1e6 }, snapshot: snapshotsEvery(10) });
    const one = ada();
    for (let count = 1; count <= 30; count += 1) {
      await submit(document, [one.create(count)]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(document.framesAfter(1), undefined);
    const { frames, rebase, snapshot: taken } = document.catchUp(1);
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

  it('gets all operations since the last snapshot, however many', async () => {
    await begin({ backlog: { operations: 2, bytes: 10 } });
    const one = ada();
    for (let count = 1; count <= 20; count += 1) await submit(document, [one.create(count)]);
    const { frames, snapshot, rebase } = document.catchUp(0);
    assert.deepEqual([frames.length, snapshot, rebase], [20, undefined, false]);
  });

  it('continues its sequence, whether or not the log has its last batch', async () => {
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

  it('learns the operation ids of the last version and of its own, also from another owner', async () => {
    await begin();
    const one = ada();
    for (let count = 1; count <= 12; count += 1) await submit(document, [one.create(count)]);
    const catchUpOf = (knownVersion: number) => {
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
      [catchUpOf(0), catchUpOf(1), catchUpOf(12)],
      [
        [last, undefined],
        [last, first],
        [last, last],
      ],
    );
    assert.deepEqual(catchUpOf(13), [last, undefined]);
    await owner.close();
    document = await opened(now.owner());
    assert.deepEqual(
      [catchUpOf(1), catchUpOf(12)],
      [
        [last, first],
        [last, last],
      ],
    );
  });

  it('gets a client id when it has none', async () => {
    await begin();
    const ids = [1, 2].map(() => document.join({ principalId: 'ada', mayEdit: true, settledClientSeq: 0 }));
    const [first, second] = ids.map((joined) => (isRight(joined) ? joined.right.clientId : ''));
    assert.match(first ?? '', /^[0-9A-Za-z]{10}$/);
    assert.notEqual(first, second);
  });

  it('continues its sequence however many clients another principal joins with', async () => {
    await begin();
    const one = ada();
    await submit(document, [one.set(one.idOf(9), 'opacity', 1)]);
    for (let count = 0; count < 20_001; count += 1)
      document.join({ principalId: 'eve', mayEdit: true, settledClientSeq: 1 });
    assert.deepEqual(statuses(await submit(document, [one.create(1)])), ['applied']);
  });

  it('leaves no state behind when it may not edit', async () => {
    await begin();
    const clientId = clientIds.issue({ documentKey: place, principalId: 'ada' });
    const settledTo = (mayEdit: boolean, settledClientSeq: number): number | undefined => {
      const joined = document.join({ clientId, principalId: 'ada', mayEdit, settledClientSeq });
      return isRight(joined) ? joined.right.lastClientSeq : undefined;
    };
    assert.deepEqual([settledTo(false, 5), settledTo(false, 0)], [5, 0]);
    assert.deepEqual([settledTo(true, 5), settledTo(false, 0)], [5, 5]);
  });

  it('is refused an evicted client id, under which operations may be committed; the latest ids stay', async () => {
    await begin({ maxClients: 3, snapshot: snapshotsEvery(1) });
    const runs = Array.from({ length: 6 }, () => writer(clientIds.issue({ documentKey: place, principalId: 'ada' })));
    const eve = writer(clientIds.issue({ documentKey: place, principalId: 'eve' }));
    await submit(document, [eve.create(1)], 'eve');
    for (const run of runs) await submit(document, [run.create(1)]);
    await eventually(async () => assert.equal(now.snapshots.taken.at(-1)?.version, 7));
    await owner.close();
    document = await opened(now.owner());
    const codeOf = (clientId: ClientId, principalId: string): string => {
      const joined = document.join({ clientId, principalId, mayEdit: true, settledClientSeq: 0 });
      return isRight(joined) ? 'joined' : joined.left.code;
    };
    const [first, last] = [runs[0]?.clientId as ClientId, runs.at(-1)?.clientId as ClientId];
    const again = writer(first);
    const sent = { clientId: first, principalId: 'ada', schema: 2, operations: [again.create(1)] };
    const done = await document.submit(sent);
    assert.equal(isRight(done) ? 'committed' : done.left.code, 'client-id-taken');
    assert.deepEqual(
      [codeOf(first, 'ada'), codeOf(last, 'ada'), codeOf(eve.clientId, 'eve')],
      ['client-id-taken', 'joined', 'joined'],
    );
  });
});
