/** Views are kept apart: one whose store hangs neither holds up another nor fills the memory. */
import assert from 'node:assert/strict';
import type { ViewWriter } from '../../../infra/ports/views/view-store';
import { runProjector } from '../../../projections/kernel/projector/projector';
import { counterProjection, counterTable, recordTicks } from '../../support/domain/counter-context';
import { useProjectors } from '../../support/domain/projector-fixture';
import { deferred } from '../../support/waiting/deferred';
import { eventually } from '../../support/waiting/eventually';
import { noopMetrics } from '../../support/waiting/recording-log';

describe('views beside each other', () => {
  const { stage, log, table, reaches } = useProjectors();
  const slow = counterTable('ticks_slow');

  it('go on while the store of one hangs, which knows how far behind it is and catches up', async () => {
    const hang = deferred();
    let hangs = false;
    const hanging = (writer: ViewWriter): ViewWriter => ({
      ...writer,
      apply: async (view, batch) => {
        if (hangs) await hang.promise;
        return writer.apply(view, batch);
      },
    });
    const writers = { [table.name]: stage.views.writer, [slow.name]: hanging(stage.views.writer) };
    const projector = runProjector([counterProjection(table), counterProjection(slow)], {
      store: stage.store,
      log,
      metrics: noopMetrics,
      pulseMilliseconds: 20,
      writerOf: ({ view }) => writers[view.name],
    });
    stage.running.push(projector);
    const [quick, behind] = [() => projector.status()[0], () => projector.status()[1]];
    await recordTicks(stage.store, 'first', 1);
    await reaches('first', 1, slow);
    await eventually(async () => assert.equal(behind()?.lagEvents, 0));
    hangs = true;
    for (let index = 0; index < 30; index += 1) await recordTicks(stage.store, `c${index}`, 99);
    await reaches('c29', 99);
    await eventually(async () => assert.equal(quick()?.lagEvents, 0));
    assert.equal(behind()?.lagEvents, 3_000);
    hangs = false;
    hang.resolve();
    await reaches('c29', 99, slow);
    await eventually(async () => assert.deepEqual([behind()?.lagEvents, behind()?.phase], [0, 'live']));
  });

  it('cannot tell how much past there is before having read it', async () => {
    await recordTicks(stage.store, 'c', 5);
    stage.isAway = true;
    const projector = runProjector([counterProjection(table)], {
      store: stage.store,
      log,
      metrics: noopMetrics,
      pulseMilliseconds: 20,
      writerOf: () => stage.views.writer,
    });
    stage.running.push(projector);
    await eventually(async () => assert.equal(projector.status()[0]?.phase, 'waiting'));
    assert.equal(projector.status()[0]?.lagEvents, null);
    stage.isAway = false;
    await reaches('c', 5);
    await eventually(async () => assert.equal(projector.status()[0]?.lagEvents, 0));
  });
});
