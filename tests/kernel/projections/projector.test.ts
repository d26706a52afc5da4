import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import type { Projection } from '../../../projections/kernel/projection';
import { rebuild } from '../../../projections/kernel/rebuild/rebuild';
import {
  asPlainView,
  counterProjection,
  counterTable,
  recordTicks,
  recordTicksUntilStopped,
} from '../../support/domain/counter-context';
import { useProjectors } from '../../support/domain/projector-fixture';
import { eventually } from '../../support/waiting/eventually';

describe('projector', () => {
  const { stage, table, run, ticksOf, reaches, reachesPosition } = useProjectors();

  it('takes the past, in batches, and then what comes', async () => {
    for (let index = 0; index < 30; index += 1) await recordTicks(stage.store, `c${index}`, 99);
    run(counterProjection(table));
    await reaches('c29', 99);
    await recordTicks(stage.store, 'later', 3);
    await reaches('later', 3);
    assert.equal(await ticksOf('c0'), 99);
  });

  it('moves on past events of others', async () => {
    const projector = run(counterProjection(table));
    await recordTicks(stage.store, 'c', 1);
    const appended = await stage.store.append('elsewhere.thing-acme.x', 'any', [
      { id: 'e', type: 'elsewhere.ThingDone.v1', data: {}, metadata: {} },
    ]);
    assert.ok(isRight(appended));
    await reachesPosition(appended.right.position);
    await eventually(async () => assert.equal(projector.status()[0]?.phase, 'live'));
  });

  it('loses nothing while the store is away', async () => {
    const projector = run(counterProjection(table));
    await recordTicks(stage.store, 'c', 1);
    await reaches('c', 1);
    stage.isAway = true;
    await recordTicks(stage.store, 'd', 5);
    await eventually(async () => assert.equal(projector.status()[0]?.phase, 'waiting'));
    stage.isAway = false;
    await reaches('d', 5);
    assert.equal(await ticksOf('c'), 1);
    await eventually(async () => assert.equal(projector.status()[0]?.phase, 'live'));
  });

  it('lets two projectors of one view keep it as one would', async () => {
    run(counterProjection(table));
    run(counterProjection(table));
    for (let index = 0; index < 50; index += 1) await recordTicks(stage.store, `c${index}`, 20);
    for (let index = 0; index < 50; index += 1) await reaches(`c${index}`, 20);
    const position = await stage.store.head();
    assert.ok(isRight(position) && position.right !== null);
    await reachesPosition(position.right);
  });

  it('rebuilds rows when the version was raised, while the old ones serve', async () => {
    run(counterProjection(table));
    await recordTicks(stage.store, 'c', 2);
    await reaches('c', 2);
    const raised = counterTable(table.name, 2);
    const old = stage.running[0];
    run(counterProjection(raised, 10));
    await reaches('c', 20);
    await eventually(async () => assert.equal(old?.status()[0]?.phase, 'superseded'));
    await recordTicks(stage.store, 'd', 3);
    await reaches('d', 30);
  });

  const rebuildWith = (projection: Projection, acceptDifferences = false) =>
    rebuild({
      store: stage.store,
      writer: stage.views.writer,
      signal: new AbortController().signal,
      projection,
      acceptDifferences,
      progress: () => undefined,
    });

  it('is rebuilt under writes to the same rows, and follows on', async () => {
    run(counterProjection(table));
    for (let index = 0; index < 40; index += 1) await recordTicks(stage.store, `c${index}`, 50);
    const opened = await stage.views.writer.open(asPlainView(table));
    const writes = recordTicksUntilStopped(stage.store, 'w');
    const rebuilt = await rebuildWith(counterProjection(table));
    await writes.stop();
    if (isLeft(rebuilt)) assert.fail(rebuilt.left.detail);
    assert.deepEqual(rebuilt.right.digests?.before, rebuilt.right.digests?.after);
    assert.ok(isRight(opened) && opened.right.number !== rebuilt.right.generation);
    await recordTicks(stage.store, 'last', 7);
    await reaches('last', 7);
    assert.equal(await ticksOf('c0'), 50);
  });

  it('refuses a rebuild with differences, unless they are accepted', async () => {
    run(counterProjection(table));
    await recordTicks(stage.store, 'c', 2);
    await reaches('c', 2);
    const changed = counterProjection(table, 3);
    const refused = await rebuildWith(changed);
    assert.ok(isLeft(refused) && refused.left.code === 'view-differs');
    assert.equal(await ticksOf('c'), 2);
    await recordTicks(stage.store, 'd', 2);
    await reaches('d', 2);
    assert.ok(isRight(await rebuildWith(changed, true)));
    assert.equal(await ticksOf('c'), 6);
  });
});
