import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLeft } from 'fp-ts/Either';
import { loadConfig } from '../../../../infra/server/runtime/config';
import { openMetrics } from '../../../../infra/server/runtime/metrics';
import { collectorOf, headersOf, type TraceConfig, traceVariables } from '../../../../infra/server/trace/config';
import { openTracer } from '../../../../infra/server/trace/open-tracer';
import { startCollector } from '../../../faults/trace/collector';
import { recordingLog } from '../../../support/waiting/recording-log';

const configOf = (env: Record<string, string>): TraceConfig => {
  const config = loadConfig(traceVariables, env);
  assert.ok(!isLeft(config));
  return config.right;
};

const endpoint = 'http://collector:4318/';

/** What a test waits for comes by itself; only what never comes is waited for no longer than `flush`. */
const patient = 30_000;

const open = (url: string, env: Record<string, string> = {}, flushMilliseconds = patient) => {
  const [log, metrics] = [recordingLog(), openMetrics('test')];
  const config = configOf({ OTEL_EXPORTER_OTLP_ENDPOINT: url, ...env });
  const opened = openTracer({ name: 'test', version: '1', config, log, metrics, flushMilliseconds });
  assert.ok(opened !== undefined);
  return { trace: opened, log, metrics };
};

describe('tracing by the environment', () => {
  it('is off until a collector is named, and where it is switched off', () => {
    const named = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
    for (const env of [
      {},
      { ...named, OTEL_SDK_DISABLED: 'TRUE' },
      { ...named, OTEL_TRACES_EXPORTER: 'none' },
    ] as Record<string, string>[])
      assert.equal(
        openTracer({
          name: 'test',
          version: '1',
          config: configOf(env),
          log: recordingLog(),
          metrics: openMetrics('t'),
        }),
        undefined,
      );
  });

  it('sends to the path of traces, or exactly where the more exact variable says', () => {
    const all = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
    assert.equal(collectorOf(configOf(all)), 'http://collector:4318/v1/traces');
    const exact = { ...all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other/take' };
    assert.equal(collectorOf(configOf(exact)), 'http://other/take');
  });

  it('reads headers as they are encoded', () => {
    const config = configOf({ OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b, x=y=z,,bad' });
    assert.deepEqual(headersOf(config), { 'api-key': 'a b', x: 'y=z' });
  });

  it('sends what was ended before it is closed, with the headers given', async () => {
    const collector = await startCollector();
    const env = { OTEL_EXPORTER_OTLP_HEADERS: 'api-key=k', OTEL_SERVICE_NAME: 'shop' };
    const { trace, metrics } = open(collector.url, env);
    trace.begin({ name: 'one', attributes: { 'septet.view': 'v' } }).end();
    trace.begin({ name: 'never ended' });
    await trace.close();
    assert.deepEqual(
      collector.spans().map(({ name, service, attributes }) => [name, service, attributes['septet.view']]),
      [['one', 'shop', 'v']],
    );
    assert.equal(collector.headers()?.['api-key'], 'k');
    assert.match(await metrics.text(), /trace_spans_total\{outcome="sent",service="test"\} 1/);
    await collector.close();
  });

  it('neither waits for nor keeps what a collector that hangs does not take', async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { trace, metrics } = open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {}, 50);
    for (let count = 0; count < 10_000; count += 1) trace.begin({ name: 'one' }).end();
    assert.equal(await trace.traceCall({ name: 'work' }, async () => 'done'), 'done');
    await trace.close();
    assert.match(await metrics.text(), /trace_spans_total\{outcome="ended",service="test"\} 10001/);
    server.closeAllConnections();
    server.close();
  });

  it('says once that a collector refuses, and counts what is lost', async () => {
    const server = createServer((_, response) => response.writeHead(400).end('hunter2'));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { trace, log, metrics } = open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    for (let count = 0; count < 1_000; count += 1) trace.begin({ name: 'one' }).end();
    await trace.close();
    assert.match(await metrics.text(), /trace_spans_total\{outcome="failed",service="test"\} 1000/);
    assert.equal(log.lines.length, 1);
    assert.doesNotMatch(JSON.stringify(log.lines), /hunter2/);
    server.closeAllConnections();
    server.close();
  });
});
