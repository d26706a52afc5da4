/** A tracer that records all spans or none. */
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  ParentBasedSampler,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { tracerOver } from '../../../../infra/server/trace/tracer';

export const recordedTracer = ({ sampled = true } = {}) => {
  const exporter = new InMemorySpanExporter();
  const root = sampled ? new AlwaysOnSampler() : new AlwaysOffSampler();
  const provider = new BasicTracerProvider({
    sampler: new ParentBasedSampler({ root }),
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  return { trace: tracerOver(provider.getTracer('test')), spans: () => exporter.getFinishedSpans() };
};
