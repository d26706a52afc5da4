/** OpenTelemetry's SDK with its exporter over HTTP. Loaded only where traces are on: it takes its time and memory. */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Tracer } from '../../ports/runtime/trace';
import { withinMilliseconds } from '../runtime/within-milliseconds';
import { headersOf, type TraceConfig } from './config';
import { countSpans, type ExportReporting, reportingExporter } from './span-export';
import { tracerOver } from './tracer';

export interface OtlpOptions extends ExportReporting {
  /** Of our process. */
  readonly name: string;
  readonly version: string;
  readonly url: string;
  readonly config: TraceConfig;
  readonly flushMilliseconds?: number;
}

export interface OpenTracer extends Tracer {
  /** Sends what waits, as far as it goes within the time there is. */
  readonly close: () => Promise<void>;
}

/** A collector that hangs must not take the time in which everything else is closed. */
const usualFlushMilliseconds = 2_000;

const resourceOf = ({ name, version, config: { OTEL_SERVICE_NAME } }: OtlpOptions) =>
  resourceFromAttributes({
    'service.name': OTEL_SERVICE_NAME ?? `septet-${name}`,
    'service.namespace': 'septet',
    'service.version': version,
    'service.instance.id': `${name}-${process.pid}`,
    'septet.process': name,
  });

const processorsOf = (options: OtlpOptions): SpanProcessor[] => {
  const headers = headersOf(options.config);
  const exporter = new OTLPTraceExporter({ url: options.url, headers });
  return [countSpans(options.metrics), new BatchSpanProcessor(reportingExporter(exporter, options))];
};

/** @public Loaded by `open.ts` at run time, where traces are on. */
export const openOtlp = (options: OtlpOptions): OpenTracer => {
  const provider = new BasicTracerProvider({
    resource: resourceOf(options),
    // Bounds attributes that contain values from clients.
    spanLimits: { attributeValueLengthLimit: 256, attributeCountLimit: 32, linkCountLimit: 8 },
    spanProcessors: processorsOf(options),
  });
  const close = async (): Promise<void> => {
    // Failed exports are counted and logged already.
    const flushed = provider.shutdown().catch(() => undefined);
    await withinMilliseconds(flushed, options.flushMilliseconds ?? usualFlushMilliseconds);
  };
  return { ...tracerOver(provider.getTracer('septet', options.version)), close };
};
