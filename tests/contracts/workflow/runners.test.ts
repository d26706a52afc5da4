import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { isLeft, left, right } from 'fp-ts/Either';
import { artifactPart } from '../../../commands/workflow/artifacts/open-artifacts';
import { openGraphs } from '../../../commands/workflow/graphs';
import { logPart } from '../../../commands/workflow/logs/open-logs';
import { runnerPart } from '../../../commands/workflow/runners/open-runners';
import type { TenantId } from '../../../domain/kernel/ids';
import { fault } from '../../../domain/kernel/rejection';
import type { JobId } from '../../../domain/workflow/ids';
import { runnerProtocol } from '../../../domain/workflow/protocol/runner';
import { runStream } from '../../../domain/workflow/run/events';
import type { BlobStore } from '../../../infra/ports/blob-store';
import type { EventStore } from '../../../infra/ports/event-store';
import type { SocketClient } from '../../support/http/socket-client';
import { logOnNode } from '../../support/servers/event-store-fixture';
import { eventually } from '../../support/waiting/eventually';
import { type ControlService, chunkOf, startControlService, value } from '../../support/workflow/control-service';
import { by } from '../../support/workflow/runs';

const acme = 'acme' as TenantId;

interface Received {
  readonly type: string;
  readonly jobId?: JobId;
  readonly epoch?: number;
  readonly kind?: string;
  readonly cancel?: string | null;
  readonly leaseSeconds?: number;
  readonly assignment?: { readonly jobId: JobId; readonly epoch: number; readonly jobToken: string };
}

describe('runners', function () {
  this.timeout(30_000);
  const log = logOnNode('workflow-runners');
  let service: ControlService;
  const sockets: SocketClient[] = [];
  /** How many assignments in a row find that the run has changed. */
  let conflicts = 0;
  /** How the next reads of jobs' contents fail. */
  const failures: ('refused' | 'broken off')[] = [];
  before(async () => {
    const append: EventStore['append'] = async (stream, expected, events) => {
      if (conflicts === 0 || !events.some(({ type }) => type.startsWith('workflow.JobAssigned.')))
        return log.store.append(stream, expected, events);
      conflicts -= 1;
      return left({ kind: 'wrong-revision', revision: Number(expected) });
    };
    const failing = (blobs: BlobStore): BlobStore => ({
      ...blobs,
      get: async (wanted) => {
        const failure = failures.shift();
        if (failure === 'refused') return left(fault('blob-store-unavailable', 'It is away.'));
        const blob = await blobs.get(wanted);
        if (failure === undefined || isLeft(blob)) return blob;
        blob.right.body.destroy();
        const body = new Readable({ read: () => undefined });
        setImmediate(() => body.destroy(new Error('broken off')));
        return right({ ...blob.right, body });
      },
    });
    service = await startControlService({
      store: { ...log.store, append },
      open: (adapters) => {
        const inFaults = { ...adapters, graphs: openGraphs(failing(adapters.blobs)) };
        return [logPart.open(adapters), runnerPart.open(inFaults), artifactPart.open(adapters)];
      },
    });
  });
  afterEach(async () => {
    for (const { socket } of sockets.splice(0)) socket.terminate();
  });
  after(() => service.close());

  const connect = async (credential: string) => {
    const client = await service.runnerSocket(credential);
    sockets.push(client);
    const next = async (type: string): Promise<Received> => {
      for (;;) {
        const message = (await client.next()) as unknown as Received;
        if (message.type === type) return message;
      }
    };
    return { ...client, next, first: async (): Promise<unknown> => client.next() };
  };
  const heartbeat = (runnerId: string, jobId: JobId | null, epoch: number | null) => ({
    runner_id: runnerId,
    job_id: jobId,
    lease_epoch: epoch,
    timestamp: new Date().toISOString(),
    current_step: null,
    log_offset: null,
  });
  const outcome = async (answer: Promise<Response>): Promise<string> => {
    const response = await answer;
    const text = await response.text();
    return text === '' ? String(response.status) : `${response.status} ${(JSON.parse(text) as { code?: string }).code}`;
  };
  const completion = (epoch: number) => ({
    epoch,
    result: 'success',
    reason: null,
    outputs: {},
    steps: [],
    annotations: [],
    summary: null,
    logChunks: 0,
  });
  const step = {
    stepId: 'a',
    number: 1,
    name: 'A',
    status: 'success',
    exitCode: 0,
    startedAt: null,
    completedAt: null,
  };
  /** Every call about a job. */
  const calls = (credential: string, jobId: JobId, epoch: number): Readonly<Record<string, () => Promise<string>>> => {
    const post = (path: string, body: object) => () => outcome(service.json(path, credential, body));
    return {
      heartbeat: post('/runner/heartbeat', heartbeat('runner', jobId, epoch)),
      start: post(`/runner/jobs/${jobId}/start`, { epoch }),
      steps: post(`/runner/jobs/${jobId}/steps`, { epoch, step }),
      logs: post(`/runner/jobs/${jobId}/logs`, { epoch, chunks: [chunkOf(0, 'a')] }),
      complete: post(`/runner/jobs/${jobId}/complete`, completion(epoch)),
    };
  };

  it('are registered once with a token, whose credential is not in the log', async () => {
    const { token, runnerId, credential } = await service.register();
    const body = { token, name: 'again', labels: [], isolation: 'none', protocol: runnerProtocol };
    assert.equal(await outcome(service.json('/runner/register', 'none', body)), '409 registration-used');
    const forged = { ...body, token: token.replace('acme', 'other') };
    assert.equal(await outcome(service.json('/runner/register', 'none', forged)), '401 unauthenticated');
    const other = { ...body, protocol: 'septet.runner.v9' };
    assert.equal(await outcome(service.json('/runner/register', 'none', other)), '400 protocol-unknown');
    const recorded = value(await log.store.read(`workflow.runner-acme.${runnerId}`));
    assert.equal(recorded.length, 1);
    assert.ok(!JSON.stringify(recorded[0]?.data).includes(credential.split('.').at(-1) as string));
  });

  it('without a credential open no socket and call nothing', async () => {
    const { credential } = await service.register();
    for (const wrong of ['', `${credential}x`, credential.replace('acme', 'other')])
      assert.equal(
        await outcome(service.json('/runner/heartbeat', wrong, heartbeat('runner', null, null))),
        '401 unauthenticated',
      );
  });

  it('receive a job over the socket, report it, and get the next', async () => {
    const { credential, runnerId } = await service.register();
    const runner = await connect(credential);
    runner.sendJson({ type: 'ready', slots: 1 });
    const { jobIds } = await service.queueRun(2);
    const done: JobId[] = [];
    for (let count = 0; count < 2; count += 1) {
      const { assignment } = await runner.next('assign');
      assert.ok(assignment !== undefined);
      const { jobId, epoch } = assignment;
      runner.sendJson({ type: 'heartbeat', ...heartbeat(runnerId, jobId, epoch) });
      assert.deepEqual(await runner.next('heartbeat'), { type: 'heartbeat', jobId, leaseSeconds: 20, cancel: null });
      const call = calls(credential, jobId, epoch);
      // Every report may be sent again.
      for (const name of ['start', 'start', 'steps', 'complete', 'complete'])
        assert.equal(await call[name]?.(), '204', name);
      done.push(jobId);
      runner.sendJson({ type: 'ready', slots: 1 });
    }
    assert.deepEqual(done.toSorted(), jobIds.toSorted());
  });

  it('renew their lease when they start a job, whose assignment may have been late, or are refused', async () => {
    const { credential } = await service.register();
    const runner = await connect(credential);
    await service.queueRun(2);
    const take = async () => {
      runner.sendJson({ type: 'ready', slots: 1 });
      const { jobId, epoch } = (await runner.next('assign')).assignment ?? assert.fail();
      return {
        jobId,
        start: () => calls(credential, jobId, epoch).start?.(),
        end: calls(credential, jobId, epoch).complete,
      };
    };
    const change = (jobId: JobId, change: string) =>
      service.pool.query(`update septet.workflow_claims set ${change} where job_id = $1`, [jobId]);
    const late = await take();
    await change(late.jobId, `until = now() - interval '1 second'`);
    assert.equal(await late.start(), '204');
    const { rows } = await service.pool.query<{ left: string }>(
      'select extract(epoch from until - now()) as left from septet.workflow_claims where job_id = $1',
      [late.jobId],
    );
    assert.ok(Number(rows[0]?.left) > 0);
    assert.equal(await late.end?.(), '204');
    const tooLate = await take();
    // As the coordinator sweeps it: from here on it may be another runner's.
    await change(tooLate.jobId, `state = 'expired'`);
    assert.equal(await tooLate.start(), '409 stale-epoch');
    await change(tooLate.jobId, `state = 'held'`);
    assert.equal(await tooLate.end?.(), '204');
  });

  it('get no more jobs than they have slots, while assignments are on their way', async () => {
    const { credential } = await service.register();
    const other = await service.register();
    const [runner, idle] = [await connect(credential), await connect(other.credential)];
    const { jobIds } = await service.queueRun(5);
    const next = async ({ next: receive }: typeof runner) => (await receive('assign')).assignment?.jobId as JobId;
    runner.sendJson({ type: 'ready', slots: 3, assignments: 0 });
    const given = [await next(runner), await next(runner), await next(runner)];
    // Counted when two of the three had arrived and one of them had ended.
    runner.sendJson({ type: 'ready', slots: 2, assignments: 2 });
    given.push(await next(runner));
    idle.sendJson({ type: 'ready', slots: 1, assignments: 0 });
    given.push(await next(idle));
    assert.deepEqual(given.toSorted(), jobIds.toSorted());
  });

  it('receive a job whose run changed whenever it was to be assigned', async () => {
    const { credential } = await service.register();
    const runner = await connect(credential);
    conflicts = 9;
    runner.sendJson({ type: 'ready', slots: 1, assignments: 0 });
    const { jobId } = await service.queueRun();
    assert.equal((await runner.next('assign')).assignment?.jobId, jobId);
    assert.equal(conflicts, 0);
  });

  it('receive a job once its content can be read, which costs the job nothing', async () => {
    const { credential } = await service.register();
    const runner = await connect(credential);
    failures.push('refused', 'broken off', 'refused');
    runner.sendJson({ type: 'ready', slots: 1, assignments: 0 });
    const { runId, jobId } = await service.queueRun();
    assert.equal((await runner.next('assign')).assignment?.jobId, jobId);
    assert.deepEqual(failures, []);
    const recorded = value(await log.store.read(runStream(acme, runId))).map(({ type }) => type.split('.')[1]);
    assert.deepEqual(recorded, ['RunRequested', 'RunResolved', 'JobsQueued', 'JobAssigned']);
  });

  it('receive the next job where the content of one is gone', async () => {
    const { credential } = await service.register();
    const runner = await connect(credential);
    const lost = await service.queueRun();
    value(await service.blobs.remove(`workflow/${acme}/graphs/${lost.runId}`));
    const { jobId } = await service.queueRun();
    runner.sendJson({ type: 'ready', slots: 1, assignments: 0 });
    assert.equal((await runner.next('assign')).assignment?.jobId, jobId);
  });

  it('get no more jobs than they have slots, when they announce those before an assignment reaches them', async () => {
    const [{ credential }, second] = [await service.register(), await service.register()];
    const [runner, other] = [await connect(credential), await connect(second.credential)];
    const { jobIds } = await service.queueRun(3);
    runner.sendJson({ type: 'ready', slots: 1, assignments: 0 });
    const taken = [(await runner.next('assign')).assignment?.jobId];
    // Sent before it received the assignment, which takes one of the two.
    runner.sendJson({ type: 'ready', slots: 2, assignments: 0 });
    taken.push((await runner.next('assign')).assignment?.jobId);
    other.sendJson({ type: 'ready', slots: 1, assignments: 0 });
    taken.push((await other.next('assign')).assignment?.jobId);
    assert.deepEqual(taken.toSorted(), jobIds.toSorted());
  });

  it('get no job that requires other labels', async () => {
    const { credential } = await service.register({ labels: ['windows'] });
    const other = await service.register();
    const { jobId } = await service.queueRun();
    const [windows, linux] = [await connect(credential), await connect(other.credential)];
    windows.sendJson({ type: 'ready', slots: 1 });
    linux.sendJson({ type: 'ready', slots: 1 });
    assert.equal((await linux.next('assign')).assignment?.jobId, jobId);
    windows.sendJson({ type: 'heartbeat', ...heartbeat('runner', null, null) });
    const answered = (await windows.first()) as Received;
    assert.deepEqual([answered.type, answered.jobId], ['heartbeat', null]);
  });

  it('change nothing under a stale epoch, by any call', async () => {
    const { credential } = await service.register();
    const runner = await connect(credential);
    const { jobId, runId } = await service.queueRun();
    runner.sendJson({ type: 'ready', slots: 1 });
    const epoch = (await runner.next('assign')).assignment?.epoch ?? 0;
    const other = await service.register();
    for (const [who, which] of [
      [credential, epoch + 1],
      [other.credential, epoch],
    ] as const)
      for (const [name, call] of Object.entries(calls(who, jobId, which)))
        assert.equal(await call(), '409 stale-epoch', name);
    await service.command({ type: 'LoseJob', runId, jobId, epoch, reason: 'The lease ended.' });
    assert.deepEqual(await runner.next('stale_epoch'), { type: 'stale_epoch', jobId, epoch });
    for (const [name, call] of Object.entries(calls(credential, jobId, epoch)))
      assert.equal(await call(), '409 stale-epoch', name);
  });

  it('receive a cancel at once, and in every heartbeat', async () => {
    const { credential, runnerId } = await service.register();
    const runner = await connect(credential);
    const { jobId, runId } = await service.queueRun();
    runner.sendJson({ type: 'ready', slots: 1 });
    const epoch = (await runner.next('assign')).assignment?.epoch ?? 0;
    await service.command({ type: 'CancelRun', runId, by, isForced: false });
    assert.deepEqual(await runner.next('cancel'), { type: 'cancel', jobId, epoch, kind: 'graceful' });
    runner.sendJson({ type: 'heartbeat', ...heartbeat(runnerId, jobId, epoch) });
    assert.equal((await runner.next('heartbeat')).cancel, 'graceful');
    await service.command({ type: 'CancelRun', runId, by, isForced: true });
    assert.equal((await runner.next('cancel')).kind, 'forced');
    const answer = await service.json('/runner/heartbeat', credential, heartbeat(runnerId, jobId, epoch));
    assert.deepEqual(await answer.json(), { leaseSeconds: 20, cancel: 'forced' });
  });

  it('poll where they have no socket', async () => {
    const { credential } = await service.register();
    const waiting = service.json('/runner/poll', credential, { slots: 1 });
    const { jobId } = await service.queueRun();
    const { messages } = (await (await waiting).json()) as { readonly messages: readonly Received[] };
    assert.deepEqual([messages.length, messages[0]?.type, messages[0]?.assignment?.jobId], [1, 'assign', jobId]);
  });

  it('get no job once they are drained, and lose their socket once they are removed', async () => {
    const { credential, runnerId } = await service.register();
    const runner = await connect(credential);
    const drained = await service.call(`/v1/workflow/runners/${runnerId}/drain`, { method: 'POST' });
    assert.equal(drained.status, 200);
    await runner.next('drain');
    runner.sendJson({ type: 'ready', slots: 1 });
    const other = await service.register();
    const { jobId } = await service.queueRun();
    const taker = await connect(other.credential);
    taker.sendJson({ type: 'ready', slots: 1 });
    assert.equal((await taker.next('assign')).assignment?.jobId, jobId);
    const removed = await service.call(`/v1/workflow/runners/${runnerId}`, { method: 'DELETE' });
    assert.equal(removed.status, 200);
    assert.equal((await runner.closed).code, 4403);
    await eventually(async () =>
      assert.equal(
        await outcome(service.json('/runner/heartbeat', credential, heartbeat(runnerId, null, null))),
        '401 unauthenticated',
      ),
    );
  });
});
