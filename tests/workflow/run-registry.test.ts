/** One subscription and one fold of each run, for all parts of a copy of the workflow service. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { noCommandMetrics } from '../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../commands/kernel/exclusive-aggregates';
import { handle } from '../../commands/kernel/handle';
import { openRunRegistry, type RunRegistry } from '../../commands/workflow/runs/run-registry';
import type { Instant } from '../../domain/kernel/codec';
import type { TenantId } from '../../domain/kernel/ids';
import type { RunId } from '../../domain/workflow/ids';
import type { RunCommand } from '../../domain/workflow/run/commands';
import { run } from '../../domain/workflow/run/decider';
import { runStream } from '../../domain/workflow/run/events';
import { openMemoryEventStore } from '../../infra/adapters/eventstore/memory-event-store';
import type { EventStore } from '../../infra/ports/event-store';
import { recordingLog } from '../support/waiting/recording-log';
import { value } from '../support/workflow/control-service';
import { request } from '../support/workflow/runs';

const tenantId = 'acme' as TenantId;
const begins = '2026-11-28T03:00:00.000Z' as Instant;

describe('the registry of runs', () => {
  let [store, runs, stopping] = [] as unknown as [EventStore, RunRegistry, AbortController];
  let [reads, subscriptions] = [0, 0];
  const log = recordingLog();
  beforeEach(async () => {
    [reads, subscriptions, stopping] = [0, 0, new AbortController()];
    const memory = openMemoryEventStore();
    store = {
      ...memory,
      read: (stream, from) => {
        reads += 1;
        return memory.read(stream, from);
      },
      subscribeAll: (request) => {
        subscriptions += 1;
        return memory.subscribeAll(request);
      },
    };
    runs = openRunRegistry({ store, warm: createExclusiveAggregates(), log, signal: stopping.signal });
    await runs.started;
  });
  afterEach(async () => {
    stopping.abort();
    await runs.ended;
  });

  /** By another copy. */
  const send = async (command: RunCommand) =>
    value(
      await handle({ store, commandMetrics: noCommandMetrics, clock: { now: () => begins } }, run, {
        ...{ stream: runStream(tenantId, command.runId), command, commandId: randomUUID(), tenant: tenantId },
        ...{ actor: 'person-1', correlationId: command.runId },
      }),
    );
  const delivered = async (position: bigint): Promise<void> => {
    while ((runs.position() ?? 0n) < position) await new Promise((resolve) => setImmediate(resolve));
  };
  const requested = async (): Promise<RunId> => {
    const runId = randomUUID() as RunId;
    await delivered((await send({ ...request, runId } as RunCommand)).position);
    return runId;
  };
  const cancel = (runId: RunId): RunCommand => ({ type: 'CancelRun', runId, by: 'person-1' as never, isForced: false });

  it('knows a run that began while it followed, with its times, and reads it never', async () => {
    const runId = await requested();
    reads = 0;
    const found = value(await runs.timed({ tenantId, runId }));
    assert.equal(found.state.kind, 'run');
    // The times of a run are recorded from the first query for them.
    assert.deepEqual([found.times.begun, reads], [Date.parse(begins), 1]);
    await delivered((await send(cancel(runId))).position);
    reads = 0;
    const after = value(await runs.timed({ tenantId, runId }));
    assert.ok(after.state.kind === 'run' && after.state.result === 'canceled');
    assert.deepEqual([reads, subscriptions], [0, 1]);
  });

  it('calls listeners after the event is part of the state, and goes on where one of them fails', async () => {
    const runId = await requested();
    const seen: Promise<unknown>[] = [];
    runs.listen({
      onEvent: () => {
        throw new Error('a listener fails');
      },
    });
    runs.listen({
      onEvent: ({ revision }) =>
        void seen.push(runs.cached({ tenantId, runId }).then((found) => [revision, value(found).revision])),
    });
    const { revision, position } = await send(cancel(runId));
    await delivered(position);
    for (const [of, known] of (await Promise.all(seen)) as [number, number][]) assert.ok(known >= of);
    assert.equal(seen.length, revision);
    assert.ok(log.lines.some(({ level }) => level === 'error'));
  });

  it('reads what it has not in memory, and all that the log has where that is asked', async () => {
    const runId = await requested();
    const elsewhere = openRunRegistry({ store, warm: createExclusiveAggregates(), log, signal: stopping.signal });
    await elsewhere.started;
    assert.equal(value(await elsewhere.cached({ tenantId, runId })).revision, 0);
    const { revision } = await send(cancel(runId));
    assert.equal(value(await elsewhere.load({ tenantId, runId })).revision, revision);
  });
});
