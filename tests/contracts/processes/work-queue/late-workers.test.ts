/** Workers that are alive and late: their machine is busy, or their event loop stands still for longer than a claim. */
import assert from 'node:assert/strict';
import { left, right } from 'fp-ts/Either';
import { copyName } from '../../../../commands/kernel/copy-name';
import { deferred } from '../../../support/waiting/deferred';
import { eventually } from '../../../support/waiting/eventually';
import { usePostgres, value } from './fixture';
import { useWorkers } from './workers';

const claimMilliseconds = 600;
const stallMilliseconds = 1_500;

/** Nothing of this process runs meanwhile: no timer, no answer. */
const stall = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMilliseconds);

describe('a worker that is late', () => {
  const open = useWorkers();
  const other = usePostgres();

  const aliveWorker = async (worker: string, { work, queue }: Pick<ReturnType<typeof open>, 'work' | 'queue'>) => {
    const [over, listening] = [new AbortController(), deferred()];
    const ended = work.listen({ queues: [queue], worker, notify: listening.resolve, signal: over.signal });
    await listening.promise;
    return async () => {
      over.abort();
      await ended;
    };
  };

  it('keeps its job when its event loop stood still for longer than the claim, and logs that it was late', async () => {
    const opened = open();
    const { add, start, work, queue, log, counts, stage } = opened;
    await add();
    const die = await aliveWorker(copyName(), opened);
    const [begun, resume] = [deferred(), deferred()];
    const attempts: number[] = [];
    const signals: AbortSignal[] = [];
    start(
      async ({ attempt }, { signal }) => {
        attempts.push(attempt);
        signals.push(signal);
        begun.resolve();
        await resume.promise;
        return right([]);
      },
      { claimMilliseconds },
    );
    await begun.promise;
    // Another worker sweeps in the middle of it: Postgres waits by itself.
    const sweeping = stage.pool.query({
      text: `with waited as materialized (select pg_sleep($2)) select septet.sweep_jobs($1) as ended from waited`,
      values: [queue, (claimMilliseconds + 400) / 1_000],
    });
    await eventually(async () => {
      const { rows } = await other.pool.query(
        `select from pg_stat_activity where query like '%pg_sleep($2)%' and wait_event = 'PgSleep'`,
      );
      assert.equal(rows.length, 1);
    });
    stall();
    assert.deepEqual((await sweeping).rows, [{ ended: 0 }]);
    await eventually(async () =>
      assert.ok(log.lines.some(({ message }) => message.startsWith('a claim was renewed late'))),
    );
    assert.equal(value(await work.sweep(queue)), 0);
    resume.resolve();
    await eventually(async () => assert.equal((await counts()).running, 0));
    assert.deepEqual([attempts, signals.map(({ aborted }) => aborted)], [[1], [false]]);
    await die();
  });

  it('loses its job at once when it has ended, and after a minute when it is alive, which the reason says', async () => {
    const opened = open();
    const { add, claimOne, pass, work, queue } = opened;
    await add();
    const die = await aliveWorker('busy:1', opened);
    const claimed = await claimOne({ worker: 'busy:1', milliseconds: 12_000 });
    await pass(30_000);
    assert.equal(value(await work.sweep(queue)), 0);
    assert.equal(value(await work.findJob(claimed.id))?.state, 'lost');
    assert.equal(value(await work.extendClaim(claimed, { milliseconds: 12_000 })), 'valid');
    assert.equal(value(await work.findJob(claimed.id))?.state, 'running');
    await pass(61_000);
    assert.equal(value(await work.sweep(queue)), 1);
    assert.match(value(await work.findJob(claimed.id))?.reason ?? '', /^The worker is alive, but did not renew/);
    assert.equal(value(await work.extendClaim(claimed, { milliseconds: 12_000 })), 'lost');

    await pass(300_000);
    const again = await claimOne({ worker: 'busy:1', milliseconds: 12_000 });
    await die();
    await pass(12_001);
    await eventually(async () => assert.equal(value(await work.sweep(queue)), 1));
    assert.equal(value(await work.findJob(again.id))?.reason, 'The worker did not return.');
  });

  it('does not let a claim that has time left end because no worker of its name is alive', async () => {
    const { add, claimOne, work, queue } = open();
    await add();
    await claimOne({ worker: 'nobody:1', milliseconds: 12_000 });
    assert.equal(value(await work.sweep(queue)), 0);
  });
});

describe('the attempts of a job', () => {
  const open = useWorkers();

  it('count from its last checkpoint: a job that comes forward is tried as often as that takes', async () => {
    const { add, start, dead, counts } = open();
    await add({ mostAttempts: 2 });
    const parts: number[] = [];
    start(async (_, { checkpoint }) => {
      parts.push(parts.length);
      await checkpoint();
      return parts.length < 7 ? left({ kind: 'transient', reason: 'The log is away.' }) : right([]);
    });
    await eventually(async () => assert.equal(parts.length, 7));
    await eventually(async () =>
      assert.deepEqual(await counts(), { waiting: 0, running: 0, dead: 0, oldestSeconds: 0 }),
    );
    assert.deepEqual(await dead(), []);
  });

  it('end where it comes no further', async () => {
    const { add, start, dead } = open();
    await add({ mostAttempts: 3 });
    const last: boolean[] = [];
    start(async (_, { checkpoint, isLastAttempt }) => {
      if (last.length === 1) await checkpoint();
      last.push(isLastAttempt());
      return left({ kind: 'transient', reason: 'Never.' });
    });
    await eventually(async () => assert.deepEqual(await dead(), [[3, 'Never.']]));
    assert.deepEqual(last, [false, false, false, true]);
  });
});
