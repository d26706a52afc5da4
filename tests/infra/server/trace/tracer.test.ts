import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLog } from '../../../../infra/server/runtime/log';
import { readTraceparent } from '../../../../infra/server/trace/traceparent';
import { recordedTracer } from './recorded-tracer';

const remote = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const remoteUnsampled = remote.replace(/1$/, '0');

describe('tracer', () => {
  it('makes spans of what runs in a span its children, also after waits', async () => {
    const { trace, spans } = recordedTracer();
    await trace.traceCall({ name: 'outer' }, async () => {
      await sleep(1);
      await Promise.all([
        trace.traceCall({ name: 'one' }, () => sleep(1)),
        trace.traceCall({ name: 'two' }, () => sleep(1)),
      ]);
    });
    const [one, two, outer] = spans();
    assert.deepEqual([one?.name, two?.name, outer?.name], ['one', 'two', 'outer']);
    for (const inner of [one, two]) assert.equal(inner?.parentSpanContext?.spanId, outer?.spanContext().spanId);
    assert.equal(outer?.parentSpanContext, undefined);
    assert.equal(trace.current(), undefined);
  });

  it('goes on with a trace from elsewhere, and leaves out what was not sampled there', () => {
    const { trace, spans } = recordedTracer();
    const span = trace.begin({ name: 'a', under: { parent: remote } });
    assert.equal(readTraceparent(span.traceparent)?.traceId, 'a'.repeat(32));
    span.end();
    const unsampled = trace.begin({ name: 'b', under: { parent: remoteUnsampled } });
    assert.match(unsampled.traceparent, /-00$/);
    unsampled.end();
    assert.deepEqual(
      spans().map(({ name }) => name),
      ['a'],
    );
  });

  it('begins a trace of its own where it may only name another, whatever that says of sampling', () => {
    const { trace, spans } = recordedTracer({ sampled: false });
    const stranger = trace.begin({ name: 'a', under: { link: remote } });
    assert.match(stranger.traceparent, /-00$/);
    assert.notEqual(readTraceparent(stranger.traceparent)?.traceId, 'a'.repeat(32));
    stranger.end();
    assert.equal(spans().length, 0);
    const { trace: all, spans: recordedSpans } = recordedTracer();
    all.begin({ name: 'b', under: { link: remote } }).end();
    assert.equal(recordedSpans()[0]?.links[0]?.context.traceId, 'a'.repeat(32));
    assert.equal(recordedSpans()[0]?.parentSpanContext, undefined);
  });

  it('takes a malformed parent or link for none', () => {
    const { trace, spans } = recordedTracer();
    trace.begin({ name: 'a', under: { parent: 'hostile' } }).end();
    trace.begin({ name: 'b', under: { link: 'hostile' } }).end();
    for (const span of spans()) assert.deepEqual([span.parentSpanContext, span.links], [undefined, []]);
  });

  it('is done with what goes on after its end, and with what was begun apart', async () => {
    const { trace } = recordedTracer();
    const span = trace.begin({ name: 'request' });
    const seen: boolean[] = [];
    const later = span.run(async () => {
      seen.push(trace.current() !== undefined, trace.runDetached(() => trace.current()) !== undefined);
      await sleep(1);
      seen.push(trace.current() !== undefined);
    });
    span.end();
    await later;
    assert.deepEqual(seen, [true, false, false]);
  });

  it('ends a span by the name of what is thrown, never by its message', async () => {
    const { trace, spans } = recordedTracer();
    const failing = trace.traceCall({ name: 'a' }, () => Promise.reject(new TypeError('hunter2')));
    await assert.rejects(failing, TypeError);
    assert.equal(spans()[0]?.attributes['error.type'], 'TypeError');
    assert.doesNotMatch(JSON.stringify([spans()[0]?.attributes, spans()[0]?.status, spans()[0]?.events]), /hunter2/);
  });

  it('puts its trace and request into log lines', async () => {
    const { trace } = recordedTracer();
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const log = openLog({ service: 'test', level: 'info', destination, about: trace.current });
    await trace.traceCall({ name: 'a', requestId: 'r-1', under: { parent: remote } }, async () => {
      await trace.traceCall({ name: 'b' }, async () => log.info({ count: 1 }, 'within'));
      log.info({ requestId: 'r-2' }, 'its own');
    });
    log.info({}, 'outside');
    const [within, own, outside] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual([within?.traceId, within?.requestId, within?.count], ['a'.repeat(32), 'r-1', 1]);
    assert.equal(own?.requestId, 'r-2');
    assert.deepEqual([outside?.traceId, outside?.requestId], [undefined, undefined]);
  });
});
