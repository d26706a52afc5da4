/** The projector over the real log and the real stores. */
import assert from 'node:assert/strict';
import { isLeft, isRight, left } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import type { View, ViewWriter } from '../../../infra/ports/views/view-store';
import type { Projection } from '../../../projections/kernel/projection';
import { type Projector, runProjector } from '../../../projections/kernel/projector/projector';
import { rebuild } from '../../../projections/kernel/rebuild/rebuild';
import { type CounterRow, recordTicks, recordTicksUntilStopped } from '../../support/domain/counter-context';
import { logOnNode } from '../../support/servers/event-store-fixture';
import { eventually } from '../../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';
import { type Kind, kinds } from './store-kinds';

/** Writes always, and reports a fault every third time: the answer was lost. */
const losingAnswers = (writer: ViewWriter): ViewWriter => {
  let calls = 0;
  return {
    ...writer,
    apply: async (view, batch) => {
      const applied = await writer.apply(view, batch);
      calls += 1;
      return calls % 3 === 0 ? left(fault('view-store-unavailable', 'The answer was lost.')) : applied;
    },
  };
};

describe('projector over real stores', function () {
  this.timeout(120_000);
  const log = logOnNode('projector');
  let runs = 0;
  let running: Projector[] = [];
  afterEach(async () => {
    await Promise.all(running.map((projector) => projector.close()));
    running = [];
  });

  const run = (projection: Projection, writer: ViewWriter): Projector => {
    const options = { store: log.store, log: recordingLog(), metrics: noopMetrics, writerOf: () => writer };
    const projector = runProjector([projection], options);
    running.push(projector);
    return projector;
  };

  for (const [name, open] of Object.entries(kinds))
    describe(name, () => {
      let kind: Kind;
      let projection: Projection;
      let ids = 0;

      before(async () => {
        kind = await open();
      });
      beforeEach(() => {
        runs += 1;
        projection = kind.projection(`test_counters_${process.pid}_${runs}`);
      });
      after(async () => {
        await Promise.all([kind.writer.close(), kind.reader.close()]);
        await kind.proxy.close();
      });

      const ticksOf = async (id: string, tenant = 'acme') => {
        const view = projection.view as unknown as View<CounterRow>;
        const found = await kind.reader.find(view, tenant, { counterId: id });
        return isRight(found) ? found.right?.ticks : found.left.detail;
      };
      const reaches = (id: string, ticks: number) => eventually(async () => assert.equal(await ticksOf(id), ticks));
      const fresh = (): string => {
        ids += 1;
        return `${name}${ids}`;
      };

      it('takes the past and what comes, and goes on where it stopped', async () => {
        const [one, two, three] = [fresh(), fresh(), fresh()];
        await recordTicks(log.store, one, 90);
        const first = run(projection, kind.writer);
        await reaches(one, 90);
        await recordTicks(log.store, two, 3);
        await reaches(two, 3);
        assert.equal(await ticksOf(two, 'other'), undefined);
        await first.close();
        await recordTicks(log.store, three, 2);
        run(projection, kind.writer);
        await reaches(three, 2);
        assert.equal(await ticksOf(one), 90);
      });

      it('has an effect once though answers are lost', async () => {
        const all = Array.from({ length: 20 }, fresh);
        run(projection, losingAnswers(kind.writer));
        for (const id of all) await recordTicks(log.store, id, 5);
        for (const id of all) await reaches(id, 5);
      });

      it('keeps a view together with a second projector', async () => {
        const all = Array.from({ length: 20 }, fresh);
        run(projection, kind.writer);
        run(projection, kind.writer);
        for (const id of all) await recordTicks(log.store, id, 20);
        for (const id of all) await reaches(id, 20);
      });

      it('loses nothing while the store is away', async () => {
        const [one, two] = [fresh(), fresh()];
        const projector = run(projection, kind.writer);
        await recordTicks(log.store, one, 2);
        await reaches(one, 2);
        kind.proxy.away();
        await recordTicks(log.store, two, 4);
        await eventually(async () => assert.equal(projector.status()[0]?.phase, 'waiting'));
        kind.proxy.back();
        await reaches(two, 4);
        await eventually(async () => assert.equal(projector.status()[0]?.phase, 'live'));
      });

      it('is rebuilt to the same rows while it is being written', async () => {
        run(projection, kind.writer);
        const past = fresh();
        await recordTicks(log.store, past, 50);
        await reaches(past, 50);
        const writes = recordTicksUntilStopped(log.store, `${name}-under`);
        const { signal } = new AbortController();
        const request = { store: log.store, writer: kind.writer, signal, projection, acceptDifferences: false };
        const rebuilt = await rebuild({ ...request, progress: () => undefined });
        await writes.stop();
        if (isLeft(rebuilt)) assert.fail(rebuilt.left.detail);
        assert.ok((rebuilt.right.digests?.after.rows ?? 0) > 0);
        const last = fresh();
        await recordTicks(log.store, last, 2);
        await reaches(last, 2);
      });
    });
});
