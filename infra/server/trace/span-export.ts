/** Exports spans in the background, bounded, and counts lost spans in metrics and logs. */
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Log } from '../../ports/runtime/log';
import type { Metrics } from '../../ports/runtime/metrics';

const succeeded = 0;
const silentMilliseconds = 60_000;

export interface ExportReporting {
  readonly log: Log;
  readonly metrics: Metrics;
}

/** What was ended and is neither `sent` nor `failed` waits, or did not fit into the queue. */
const counter = (metrics: Metrics) =>
  metrics.counter({ name: 'trace_spans_total', help: 'Sampled spans by outcome.', labels: ['outcome'] });

/** Logs, at intervals, that the collector does not accept spans. */
export const reportingExporter = (exporter: SpanExporter, { log, metrics }: ExportReporting): SpanExporter => {
  const count = counter(metrics);
  let loggedAt = Number.NEGATIVE_INFINITY;
  const failed = (spans: number, reason: string): void => {
    count({ outcome: 'failed' }, spans);
    if (performance.now() - loggedAt < silentMilliseconds) return;
    loggedAt = performance.now();
    log.warn({ spans, reason }, 'the trace collector does not accept spans; they are dropped');
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code === succeeded) count({ outcome: 'sent' }, spans.length);
        // The message of the SDK may quote what the collector answered.
        else failed(spans.length, result.error?.name ?? 'unknown');
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
};

export const countSpans = (metrics: Metrics): SpanProcessor => {
  const count = counter(metrics);
  const isSampled = (span: ReadableSpan): boolean => (span.spanContext().traceFlags & 1) === 1;
  return {
    onStart: () => undefined,
    onEnd: (span) => {
      if (isSampled(span)) count({ outcome: 'ended' });
    },
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
};
