/** The header `traceparent` (W3C Trace Context, section 3.2). Untrusted input. */
import type { SpanContext } from '@opentelemetry/api';

const shape = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const maxLength = 512;
const nothing = /^0+$/;
const sampledFlag = 1;

/** Undefined: as if there were none. */
export const readTraceparent = (text: string | undefined): SpanContext | undefined => {
  if (text === undefined || text.length > maxLength) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = shape.exec(text) ?? [];
  // Later versions may have more fields, version 00 may not; `ff` is no version.
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (nothing.test(traceId) || nothing.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & sampledFlag, isRemote: true };
};

/** Undefined when the span is not sampled: its trace is discarded. */
export const traceparentOf = (metadata: unknown): string | undefined => {
  const parent = (metadata as { readonly traceparent?: unknown } | null | undefined)?.traceparent;
  if (typeof parent !== 'string') return undefined;
  return readTraceparent(parent)?.traceFlags === sampledFlag ? parent : undefined;
};

export const writeTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags & sampledFlag}`;
