/** Views of an empty log are up to date, and report it. */
import assert from 'node:assert/strict';
import { isRight, left } from 'fp-ts/Either';
import { unavailable } from '../../../infra/adapters/eventstore/faults';
import type { View } from '../../../infra/ports/views/view-store';
import { counterProjection, counterTable, recordTicks } from '../../support/domain/counter-context';
import { useProjectors } from '../../support/domain/projector-fixture';
import { eventually } from '../../support/waiting/eventually';

describe('a view of an empty log', () => {
  const { stage, table, run, reaches, ticksOf } = useProjectors();
  const projection = counterProjection(table);

  const reportsPhase = (projector: ReturnType<typeof run>, phase: string) =>
    eventually(async () => {
      const [status] = projector.status();
      assert.deepEqual(
        [status?.phase, status?.position, status?.lagEvents, status?.lagSeconds === 0],
        [phase, null, 0, phase === 'live'],
      );
    });

  it('is live, and answers that there is nothing', async () => {
    const projector = run(projection);
    await reportsPhase(projector, 'live');
    assert.equal(await ticksOf('c'), undefined);
    assert.deepEqual(await stage.views.reader.checkpoint(table), { _tag: 'Right', right: null });
  });

  it('takes the first event that comes', async () => {
    const projector = run(projection);
    await reportsPhase(projector, 'live');
    await recordTicks(stage.store, 'c', 1);
    await reaches('c', 1);
    const [status] = projector.status();
    assert.deepEqual([status?.phase, status?.lagEvents], ['live', 0]);
  });

  it('waits while the log is away, and is live again when it is back and still empty', async () => {
    const { head } = stage.store;
    let isAway = false;
    stage.store = { ...stage.store, head: async () => (isAway ? left(unavailable()) : head()) };
    const projector = run(projection);
    await reportsPhase(projector, 'live');
    isAway = true;
    await reportsPhase(projector, 'waiting');
    isAway = false;
    await reportsPhase(projector, 'live');
  });

  it('is rebuilt for a raised version', async () => {
    const first = run(projection);
    await reportsPhase(first, 'live');
    await first.close();
    const raised = counterTable(table.name, table.version + 1);
    await reportsPhase(run(counterProjection(raised)), 'live');
    const opened = await stage.views.writer.open(raised as unknown as View);
    assert.ok(isRight(opened) && opened.right.version === raised.version);
  });
});
