/** The runner and the service: registration, leases, broken connections, repeated and stale messages. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { needs } from '../../../tests/support/runner/prerequisites';
import { startRunner } from '../src/index';
import { credential, type Json, openControlPlane, runnerId, staleAnswer } from './support/control-plane';
import { inDirectory, inRunner, quickTiming, statusesOf } from './support/fixture';
import { assignmentOf } from './support/jobs';

const callsTo = (calls: readonly { readonly path: string }[], end: string): number =>
  calls.filter(({ path }) => path.endsWith(end)).length;

// Jobs here are of the tests' own; the sandbox has tests beside.
const plain = { isolation: 'none' } as const;

describe('a runner and its service', function () {
  this.timeout(20_000);
  needs('bash');

  it('registers once, and keeps its credential where only its user reads it', () =>
    inRunner(async ({ plane, runner, directory, messages }) => {
      assert.equal(runner.runnerId, runnerId);
      const file = join(directory, 'credential.json');
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.match(readFileSync(file, 'utf8'), /credential-of-the-runner/);
      const [registration] = plane.calls;
      const { token: _, ...body } = registration?.body ?? {};
      assert.deepEqual(body, {
        name: 'build-1',
        labels: ['linux', 'none'],
        isolation: 'none',
        protocol: 'septet.runner.v1',
      });
      await runner.close();
      const again = await startRunner({
        url: plane.url,
        directory,
        ...plain,
        log: () => undefined,
        timing: quickTiming,
      });
      if (isLeft(again)) assert.fail(again.left);
      assert.equal(callsTo(plane.calls, '/register'), 1);
      await again.right.close();
      assert.ok(!messages.join('').includes(credential));
    }, plain));

  it('does not start without a token, or with a used one', async () => {
    const plane = await openControlPlane();
    const headers = { 'WWW-Authenticate': 'Bearer' };
    plane.answer = () => ({ status: 401, body: { code: 'unauthenticated' }, headers });
    await inDirectory(async (directory) => {
      const start = (token?: string) =>
        startRunner({ url: plane.url, directory, ...plain, ...(token === undefined ? {} : { token }) });
      for (const started of [await start(), await start('used')]) assert.ok(isLeft(started));
    });
    await plane.close();
  });

  it('sends the fields of the specification in every heartbeat, and a number of slots when it connects', () =>
    inRunner(async ({ plane, perform }) => {
      assert.deepEqual(plane.messages[0], { type: 'ready', slots: 1, assignments: 0 });
      await perform({ steps: [{ name: 'Wait', run: 'sleep 0.3' }] });
      const busy = plane.heartbeats.find(
        ({ job_id, current_step }) => job_id !== null && current_step === 'Wait',
      ) as Json;
      assert.deepEqual(
        Object.keys(busy)
          .filter((key) => key !== 'type')
          .sort(),
        ['current_step', 'job_id', 'lease_epoch', 'log_offset', 'runner_id', 'timestamp'],
      );
      await plane.until(() => plane.messages.filter(({ type }) => type === 'ready').length >= 2);
    }, plain));

  it('performs an assignment once, however often it comes, and each newer epoch', () =>
    inRunner(async ({ plane, directory }) => {
      const job = assignmentOf({ steps: [{ run: 'echo begun; sleep 0.1' }] });
      for (const _ of [1, 2, 3]) plane.push(job);
      await plane.until(() => plane.report() !== undefined);
      plane.push(job);
      plane.push(assignmentOf({ steps: [{ run: 'echo again' }], epoch: 2 }));
      await plane.until(() => plane.report()?.epoch === 2);
      plane.push(job);
      assert.equal(callsTo(plane.calls, '/start'), 2);
      assert.equal(callsTo(plane.calls, '/complete'), 2);
      assert.deepEqual(readdirSync(join(directory, 'jobs')), []);
    }, plain));

  it('goes on through broken connections, and sends what was not acknowledged again', () =>
    inRunner(
      async ({ plane, perform }) => {
        let failures = 0;
        plane.answer = ({ path }) => {
          if (!/\/(logs|complete|start)$/.test(path) || failures % 3 === 2) {
            failures += 1;
            return undefined;
          }
          failures += 1;
          if (failures % 2 === 0) plane.dropSockets();
          return { status: 503 };
        };
        const report = await perform({ steps: [{ run: 'for i in $(seq 1 20); do echo "line $i"; sleep 0.02; done' }] });
        assert.equal(report.result, 'success');
        for (let line = 1; line <= 20; line += 1) assert.match(plane.log(), new RegExp(`^line ${line}$`, 'm'));
        assert.equal(plane.chunks().length, report.logChunks);
      },
      { ...plain, timing: { ...quickTiming, log: { chunkMilliseconds: 20, drainMilliseconds: 15_000 } } },
    ));

  it('reports again where the run changed at the same time', () =>
    inRunner(async ({ plane, perform }) => {
      let conflicts = 0;
      plane.answer = ({ path }) => {
        if (!path.endsWith('/start') && !path.endsWith('/complete')) return undefined;
        conflicts += 1;
        return conflicts % 2 === 1 ? { status: 409, body: { code: 'conflict' } } : undefined;
      };
      const report = await perform({ steps: [{ run: 'echo done' }] });
      assert.equal(report.result, 'success');
      assert.deepEqual([callsTo(plane.calls, '/start'), callsTo(plane.calls, '/complete')], [2, 2]);
    }, plain));

  it('begins no step before its start is acknowledged, and none at all where that is refused', () =>
    inRunner(async ({ plane, perform }) => {
      const ofJob = () => plane.calls.map(({ path }) => path.split('/jobs/')[1]?.split('/')[1]).filter(Boolean);
      plane.answer = ({ path }) => {
        if (!path.endsWith('/start')) return undefined;
        if (callsTo(plane.calls, '/start') < 3) return { status: 503 };
        // The step would have been over by now.
        assert.deepEqual(ofJob(), ['start', 'start', 'start']);
        return undefined;
      };
      const report = await perform({ steps: [{ run: 'echo done' }] });
      assert.equal(report.result, 'success');
      // A connection that is lost under load is opened again, and announces its slots once more.
      const idleTimes = () => plane.messages.filter(({ type, slots }) => type === 'ready' && slots === 1).length;
      await plane.until(() => idleTimes() >= 2);
      const ended = ofJob().length;
      const before = idleTimes();
      plane.answer = staleAnswer;
      plane.push(assignmentOf({ steps: [{ run: 'echo never' }], epoch: 2 }));
      await plane.until(() => ofJob().length > ended && idleTimes() > before);
      assert.deepEqual(ofJob().slice(ended), ['start']);
      assert.doesNotMatch(plane.log(), /never/);
    }, plain));

  it('asks by requests where no WebSocket can be opened', () =>
    inRunner(
      async ({ plane, perform }) => {
        await plane.until(() => callsTo(plane.calls, '/poll') > 0);
        const report = await perform({ steps: [{ run: 'sleep 0.2' }] });
        assert.equal(report.result, 'success');
        assert.ok(callsTo(plane.calls, '/heartbeat') > 0);
      },
      plain,
      (plane) => {
        plane.acceptsSockets = false;
      },
    ));

  it('ends its programs and reports nothing when its epoch is stale, by message, heartbeat or answer', () =>
    inRunner(async ({ plane, directory }) => {
      const begin = async (epoch: number): Promise<void> => {
        plane.push(assignmentOf({ steps: [{ run: `echo "begun ${epoch}"; sleep 600` }], epoch }));
        await plane.until(() => plane.calls.some(({ path, body }) => path.endsWith('/steps') && body.epoch === epoch));
      };
      const ended = (jobs: number): Promise<void> =>
        plane.until(() => plane.messages.filter(({ type }) => type === 'ready').length >= jobs + 1);
      await begin(1);
      plane.push({ type: 'stale_epoch', jobId: plane.jobId, epoch: 1 });
      await ended(1);
      await begin(2);
      plane.push({ type: 'heartbeat', jobId: plane.jobId, leaseSeconds: 0, cancel: null });
      await ended(2);
      plane.answer = ({ path, body }) => (path.endsWith('/logs') ? staleAnswer({ path, body, token: '' }) : undefined);
      await begin(3);
      await ended(3);
      assert.equal(plane.report(), undefined);
      assert.deepEqual(readdirSync(join(directory, 'jobs')), []);
    }, plain));

  it('ends its programs when no heartbeat is answered within the lease', () =>
    inRunner(
      async ({ plane, directory, messages }) => {
        plane.confirms = false;
        plane.push(assignmentOf({ steps: [{ run: 'sleep 600' }], leaseSeconds: 1 }));
        await plane.until(() => plane.heartbeats.some(({ job_id }) => job_id === plane.jobId));
        await plane.until(() => plane.heartbeats.at(-1)?.job_id === null);
        assert.equal(plane.report(), undefined);
        assert.deepEqual(readdirSync(join(directory, 'jobs')), []);
        assert.ok(messages.some((line) => line.includes('not confirmed')));
      },
      { ...plain, timing: { ...quickTiming, leaseMarginMilliseconds: 400 } },
    ));

  it('lets a program wait while the log is not taken, and fails the job in the end', () =>
    inRunner(
      async ({ plane, perform }) => {
        let isFrozen = true;
        plane.answer = ({ path }) => (path.endsWith('/logs') && isFrozen ? 'hang' : undefined);
        const performed = perform({ steps: [{ run: 'yes | head -c 100000000' }, { run: 'true', if: 'always()' }] });
        await plane.until(() =>
          plane.calls.some(({ path, body }) => path.endsWith('/steps') && JSON.stringify(body).includes('"failure"')),
        );
        isFrozen = false;
        const report = await performed;
        assert.equal(report.result, 'failure');
        assert.equal(report.reason, 'log_buffer_exceeded');
        assert.deepEqual(statusesOf(report), ['failure', 'success']);
      },
      {
        ...plain,
        timing: {
          ...quickTiming,
          log: { bufferBytes: 200_000, stallMilliseconds: 300, drainMilliseconds: 200, chunkMilliseconds: 20 },
        },
      },
    ));

  it('drains: what runs ends, and nothing else is taken', () =>
    inRunner(async ({ plane, runner, perform }) => {
      const performed = perform({ steps: [{ run: 'sleep 0.2' }] });
      await plane.until(() => callsTo(plane.calls, '/start') === 1);
      plane.push({ type: 'drain' });
      await plane.until(() => plane.messages.some(({ type, slots }) => type === 'ready' && slots === 0));
      assert.equal((await performed).result, 'success');
      assert.equal(await runner.ended, 'drained');
    }, plain));

  it('goes on where a refusal is not of its credential, as when clocks of the service differ', () =>
    inRunner(async ({ plane, perform }) => {
      let refusals = 0;
      plane.answer = () => {
        refusals += 1;
        return refusals <= 4 ? { status: 401, body: { code: 'unauthenticated' } } : undefined;
      };
      assert.equal((await perform({ steps: [{ run: 'echo done' }] })).result, 'success');
      assert.ok(refusals > 4);
    }, plain));

  it('ends when its credential is worthless', () =>
    inRunner(async ({ plane, runner }) => {
      plane.answer = () => ({ status: 401, headers: { 'WWW-Authenticate': 'Bearer' } });
      plane.acceptsSockets = false;
      plane.dropSockets();
      assert.equal(await runner.ended, 'unauthenticated');
    }, plain));
});
