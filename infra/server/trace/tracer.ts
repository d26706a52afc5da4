/** The tracing port over OpenTelemetry's SDK. Node tracks the active span across promises, from the first span on. */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Tracer as ApiTracer,
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { ActiveSpan, Span, SpanSpec, Tracer } from '../../ports/runtime/trace';
import { readTraceparent, traceparentOf, writeTraceparent } from './traceparent';

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

interface ContextValue extends ActiveSpan {
  readonly context: Context;
  /** Work that continues after the span's end is no longer part of it. */
  ended: boolean;
}

const under = (parent: string | undefined): Context => {
  const context = readTraceparent(parent);
  return context === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, context);
};

const contextOf = ({ under: place }: SpanSpec, current: ContextValue | undefined): Context => {
  if (place === undefined) return current?.context ?? ROOT_CONTEXT;
  return 'parent' in place ? under(place.parent) : ROOT_CONTEXT;
};

const optionsOf = ({ kind = 'internal', under: place, attributes = {}, at }: SpanSpec): SpanOptions => {
  const link = place !== undefined && 'link' in place ? readTraceparent(place.link) : undefined;
  return {
    kind: kinds[kind],
    attributes: { ...attributes },
    ...(link === undefined ? {} : { links: [{ context: link }] }),
    ...(at === undefined ? {} : { startTime: at }),
  };
};

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

export const tracerOver = (tracer: ApiTracer): Tracer => {
  const running = new AsyncLocalStorage<ContextValue>();
  const current = (): ContextValue | undefined => {
    const stored = running.getStore();
    return stored?.ended === true ? undefined : stored;
  };
  const begin = (spec: SpanSpec): Span => {
    const outer = current();
    const before = contextOf(spec, outer);
    const span = tracer.startSpan(spec.name, optionsOf(spec), before);
    const { requestId = spec.under === undefined ? outer?.requestId : undefined } = spec;
    const [context, traceparent] = [trace.setSpan(before, span), writeTraceparent(span.spanContext())];
    const value = { context, traceparent, traceId: span.spanContext().traceId, requestId, ended: false };
    return {
      traceparent,
      run: (call) => running.run(value, call),
      end: ({ failed, attributes, name } = {}) => {
        if (attributes !== undefined) span.setAttributes({ ...attributes });
        if (name !== undefined) span.updateName(name);
        if (failed !== undefined) span.setAttribute('error.type', failed).setStatus({ code: SpanStatusCode.ERROR });
        value.ended = true;
        span.end();
      },
    };
  };
  return {
    begin,
    traceCall: async (spec, call, endOf = () => ({})) => {
      const span = begin(spec);
      try {
        const value = await span.run(call);
        span.end(endOf(value));
        return value;
      } catch (error) {
        span.end({ failed: nameOf(error) });
        throw error;
      }
    },
    current,
    traceparentOf,
    runDetached: (call) => running.exit(call),
  };
};
