/** An event that a view cannot take is skipped by its position, by an operator, with a reason. */
import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import { refused } from '../../../infra/adapters/views/view-faults';
import type { ViewWriter } from '../../../infra/ports/views/view-store';
import type { Projection } from '../../../projections/kernel/projection';
import { runProjector } from '../../../projections/kernel/projector/projector';
import { rebuild } from '../../../projections/kernel/rebuild/rebuild';
import { recordSkip, type SkipRequest } from '../../../projections/kernel/skipped-events';
import {
  type CounterRow,
  counterProjection,
  counterStream,
  newCounterEvent,
  recordTicks,
} from '../../support/domain/counter-context';
import { useProjectors } from '../../support/domain/projector-fixture';
import { eventually } from '../../support/waiting/eventually';
import { noopMetrics } from '../../support/waiting/recording-log';

describe('skip of an event', () => {
  const { stage, log, table, run, ticksOf, reaches } = useProjectors();
  const projection = counterProjection(table);
  let words = 0;

  const word = (verb: SkipRequest['verb'], stream: string, revision: number): SkipRequest => {
    words += 1;
    const id = `00000000-0000-4000-9000-${String(words).padStart(12, '0')}`;
    const at = '2026-01-31T12:00:00.000Z' as Instant;
    return { verb, stream, revision, reason: 'Written by hand.', id, actor: 'operator:ann', at };
  };
  const skip = (revision = 0, verb: SkipRequest['verb'] = 'skip', of: Projection = projection) =>
    recordSkip(stage.store, of, word(verb, counterStream('bad'), revision));

  const poison = async (): Promise<void> => {
    const event = newCounterEvent({ type: 'CounterMade', data: { counterId: 'bad' } });
    const unread = { ...event, type: 'ticks.CounterPainted.v1' };
    assert.ok(isRight(await stage.store.append(counterStream('bad'), 'any', [unread])));
  };
  const rebuildIt = () =>
    rebuild({
      store: stage.store,
      writer: stage.views.writer,
      signal: new AbortController().signal,
      projection,
      acceptDifferences: false,
      progress: () => undefined,
    });

  it('lets the view go on by itself past that event and no other, is counted, and holds for copies', async () => {
    await recordTicks(stage.store, 'c', 2);
    await poison();
    await recordTicks(stage.store, 'd', 2);
    await poison();
    const projector = run(projection);
    await eventually(async () => assert.match(projector.status()[0]?.detail ?? '', /revision 0: /));
    assert.deepEqual(await skip(), { _tag: 'Right', right: true });
    await reaches('d', 2);
    await eventually(async () => assert.match(projector.status()[0]?.detail ?? '', /revision 1: /));
    await skip(1);
    await eventually(async () => assert.equal(projector.status()[0]?.phase, 'live'));
    assert.equal(projector.status()[0]?.skippedEvents, 2);
    const built = await rebuildIt();
    if (isLeft(built)) assert.fail(built.left.detail);
    assert.equal(await ticksOf('c'), 2);
    await recordTicks(stage.store, 'e', 1);
    await reaches('e', 1);
  });

  it('is refused for what is not there or not followed, and said once', async () => {
    await poison();
    assert.ok(isLeft(await skip(7)));
    assert.ok(isLeft(await recordSkip(stage.store, projection, word('skip', 'other.thing-acme.bad', 0))));
    assert.deepEqual(await skip(0, 'unskip'), { _tag: 'Right', right: false });
    assert.deepEqual(await skip(), { _tag: 'Right', right: true });
    assert.deepEqual(await skip(), { _tag: 'Right', right: false });
    assert.deepEqual(await skip(0, 'unskip'), { _tag: 'Right', right: true });
    const projector = run(projection);
    await eventually(async () => assert.equal(projector.status()[0]?.phase, 'stopped'));
  });

  it('finds the event whose rows the store refuses, writes what came before, and goes on without it', async () => {
    const choosy: ViewWriter = {
      ...stage.views.writer,
      apply: async (view, batch) => {
        const rows = batch.changes.map(({ change }) =>
          change.kind === 'put' ? (change.row as CounterRow) : undefined,
        );
        return rows.some((row) => row?.counterId === 'bad')
          ? refused('Too wide.')
          : stage.views.writer.apply(view, batch);
      },
    };
    for (const id of ['c', 'bad', 'd']) await recordTicks(stage.store, id, 2);
    const options = { store: stage.store, log, metrics: noopMetrics, writerOf: () => choosy, pulseMilliseconds: 20 };
    const projector = runProjector([projection], options);
    stage.running.push(projector);
    await eventually(async () => assert.match(projector.status()[0]?.detail ?? '', /bad revision 0: Too wide\./));
    assert.equal(await ticksOf('c'), 2);
    await skip();
    await reaches('d', 2);
    assert.equal(await ticksOf('bad'), undefined);
  });
});
