/** Chains through jobs: stages with their retries go on for as long as they need, loops end. */
import assert from 'node:assert/strict';
import { bindProcess, commandTarget } from '../../../commands/kernel/processes/process-binding';
import { runProcess } from '../../../commands/kernel/processes/process-runner';
import { maxJobDepth } from '../../../commands/kernel/processes/send-command';
import { reportResult } from '../../../commands/kernel/work-queue/report-result';
import { type Instant, integer, record as recordOf, text } from '../../../domain/kernel/codec';
import { type EnqueueJob, enqueueJob, policy, type Send, send } from '../../../domain/kernel/process';
import type { Job, NewJob } from '../../../infra/ports/processes/work-queue';
import { eventually } from '../../support/waiting/eventually';
import { type TallyCommand, type TallyEvent, tallies, tally } from '../commands/tally';
import { amountsIn, boundProcesses, openProcessFixture, orderPlaced, record, typesIn } from './fixture';

const targets = { 'sample.tally': commandTarget(tally) };
const first = 1_001;

const Stage = recordOf('Stage', { customer: text('Customer', { maxLength: 60 }), amount: integer() });
const stageQueue = { name: 'stages', payload: Stage };

type Pause = Pick<EnqueueJob, 'delaySeconds' | 'notBefore'>;

/** Each number that is added starts a job that adds the next one, up to the last. */
const stageOnAdded = (last: number, pause: Pause = {}) =>
  bindProcess(
    policy<TallyEvent, Send<'sample.tally', TallyCommand>>({
      name: 'stage-on-added',
      context: 'sample',
      subscribes: [tallies],
      startFrom: 'first-event',
      key: ({ entityId }) => entityId,
      answer: ({ event, entityId }) =>
        event.type === 'Added' && event.data.amount < last
          ? [
              enqueueJob(
                stageQueue,
                { customer: entityId, amount: event.data.amount + 1 },
                { ...pause, jobKind: 'stage' },
              ),
            ]
          : [],
    }),
    targets,
  );

const claimed = (job: NewJob, index: number): Job => ({
  ...job,
  kind: job.kind ?? job.queue,
  priority: 0,
  mostAttempts: 8,
  id: String(index),
  attempt: 1,
  token: index,
  deadline: null,
  deadlineMilliseconds: null,
});

describe('a chain of jobs', () => {
  const runStages = async (
    last: number,
    until: (stage: ReturnType<typeof openProcessFixture>) => Promise<void>,
    pause: Pause = {},
  ) => {
    const stage = openProcessFixture();
    const { store, work, deps } = stage;
    await record(store, orderPlaced('ada'));
    const running = [runProcess(boundProcesses.count, deps()), runProcess(stageOnAdded(last, pause), deps())];
    const over = new AbortController();
    const working = async (): Promise<void> => {
      for (let index = 0; !over.signal.aborted; ) {
        const job = work.jobs[index];
        if (job === undefined) {
          await new Promise((resolve) => setTimeout(resolve, 1));
          continue;
        }
        assert.ok(Stage.is(job.payload));
        const { customer, amount } = job.payload;
        const sends = [send('sample.tally', customer, { type: 'Add', amount } as TallyCommand)];
        const outcome = await reportResult(deps(), targets, { job: claimed(job, index), sends, signal: over.signal });
        assert.equal(outcome.kind, 'done');
        index += 1;
      }
    };
    const worked = working();
    await until(stage);
    over.abort();
    await Promise.all([worked, ...running.map((one) => one.close())]);
    return stage;
  };

  it('of ten stages, each tried three times, comes to its end', async () => {
    const steps = 10 * 3;
    const { work } = await runStages(first + steps, ({ store }) =>
      eventually(async () => assert.equal((await amountsIn(store, 'ada')).length, 1 + steps)),
    );
    assert.deepEqual(
      work.jobs.map(({ kind, cause }) => [kind, cause.depth, cause.jobDepth]),
      Array.from({ length: steps }, (_, nth) => ['stage', 1, nth + 1]),
    );
  });

  it('that is a loop ends, and that is recorded', async () => {
    const { store, work } = await runStages(Number.POSITIVE_INFINITY, (stage) =>
      eventually(async () => {
        const types = await typesIn(stage.store, 'sample.stageOnAdded-acme.ada');
        assert.equal(types.filter((type) => type === 'process.CommandRefused.v1').length, 1);
      }),
    );
    assert.equal(work.jobs.length, maxJobDepth);
    assert.equal((await amountsIn(store, 'ada')).length, 1 + maxJobDepth);
  });

  for (const pause of [{ delaySeconds: 60 }, { notBefore: '2126-01-31T12:00:00.000Z' as Instant }])
    it(`goes on for as long as it takes where each has a pause before it: ${JSON.stringify(pause)}`, async () => {
      const tries = 3 * maxJobDepth;
      const { work } = await runStages(
        first + tries,
        ({ store }) => eventually(async () => assert.equal((await amountsIn(store, 'ada')).length, 1 + tries)),
        pause,
      );
      assert.deepEqual(
        [work.jobs.length, new Set(work.jobs.map(({ cause }) => cause.jobDepth))],
        [tries, new Set([1])],
      );
    });

  it('ends as a loop where the pauses are short', async () => {
    const { work } = await runStages(
      Number.POSITIVE_INFINITY,
      (stage) =>
        eventually(async () => {
          const types = await typesIn(stage.store, 'sample.stageOnAdded-acme.ada');
          assert.equal(types.filter((type) => type === 'process.CommandRefused.v1').length, 1);
        }),
      { delaySeconds: 59 },
    );
    assert.equal(work.jobs.length, maxJobDepth);
  });
});
