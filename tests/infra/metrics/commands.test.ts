import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import { createCommandMetrics, noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { handle } from '../../../commands/kernel/handle';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import type { EventStore } from '../../../infra/ports/event-store';
import { openMetrics } from '../../../infra/server/runtime/metrics';
import { tracedEventStore } from '../../../infra/server/trace/traced-event-store';
import { add, tally } from '../../kernel/commands/tally';
import { recordedTracer } from '../server/trace/recorded-tracer';

const clock = { now: () => '2026-01-31T12:00:00.000Z' as Instant };
const who = { tenant: 'acme' as TenantId, actor: 'p-1', correlationId: 'r-1', stream: 'sample.tally-acme.t-1' };

/** Another writer appends just before the first append of ours. */
const overtaken = (store: EventStore): EventStore => {
  let first = true;
  return {
    ...store,
    append: async (stream, expected, events) => {
      if (first) {
        first = false;
        await handle({ store, commandMetrics: noCommandMetrics, clock }, tally, {
          ...who,
          command: add(1),
          commandId: 'other',
        });
      }
      return store.append(stream, expected, events);
    },
  };
};

describe('figures of commands', () => {
  it('count outcomes, rejections by code, conflicts and what was decided again', async () => {
    const metrics = openMetrics('test');
    const store = overtaken(tracedEventStore(openMemoryEventStore(), { metrics }));
    const deps = { store, clock, commandMetrics: createCommandMetrics(metrics) };
    const request = { ...who, command: add(2), commandId: 'ours' };
    assert.ok(!isLeft(await handle(deps, tally, request)));
    assert.ok(!isLeft(await handle(deps, tally, request)));
    assert.ok(isLeft(await handle(deps, tally, { ...request, command: add(3) })));
    const text = await metrics.text();
    const labels = 'context="sample",command="Add"';
    for (const line of [
      `commands_total{${labels},outcome="recorded",service="test"} 1`,
      `commands_total{${labels},outcome="repeated",service="test"} 1`,
      `commands_total{${labels},outcome="rejected",service="test"} 1`,
      `command_rejections_total{${labels},code="idempotency-key-reused",service="test"} 1`,
      `command_conflicts_total{${labels},service="test"} 1`,
      `command_retries_total{${labels},reason="conflict",service="test"} 1`,
      'event_store_call_seconds_count{service="test",call="append",outcome="wrong-revision"} 1',
      'event_store_events_total{call="append",service="test"} 2',
    ])
      assert.ok(text.includes(line), `${line} is not in\n${text}`);
  });

  it('leave the trace in the event, and never the same event twice for it', async () => {
    const { trace, spans } = recordedTracer();
    const store = openMemoryEventStore();
    const request = { ...who, command: add(2), commandId: 'ours' };
    for (const attempt of ['first', 'second'])
      await trace.traceCall({ name: attempt }, () =>
        handle({ store, commandMetrics: noCommandMetrics, clock, trace }, tally, request),
      );
    const read = await store.read(who.stream);
    assert.ok(!isLeft(read));
    const [stored, ...more] = read.right;
    assert.ok(stored !== undefined && more.length === 0);
    const handled = spans()
      .find(({ name }) => name === 'handle sample.Add')
      ?.spanContext();
    const parent = `00-${handled?.traceId}-${handled?.spanId}-01`;
    assert.equal((stored.metadata as { traceparent: string }).traceparent, parent);
  });
});
