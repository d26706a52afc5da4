/** Traces across all processes. A process without a configured collector has no tracer. */

export type SpanKind = 'server' | 'client' | 'consumer' | 'internal';

/** Never personal or secret, and of few values; at most an opaque id. */
export type Attributes = { readonly [name: string]: string | number | boolean };

/** What a span belongs to, as W3C Trace Context writes it; what is malformed counts as absent. */
export type SpanParent =
  | { readonly parent: string | undefined }
  /** A trace of its own, with a link to its origin. */
  | { readonly link: string | undefined };

export interface SpanSpec {
  /** Of few values, as attributes. */
  readonly name: string;
  readonly kind?: SpanKind;
  /** What runs now, when left out. */
  readonly under?: SpanParent;
  readonly attributes?: Attributes;
  /** For the log lines of what runs in it. */
  readonly requestId?: string;
  /** Milliseconds since 1970; now when left out. */
  readonly at?: number;
}

export interface SpanEnd {
  /** A code, never a message: that could hold anything. */
  readonly failed?: string | undefined;
  readonly attributes?: Attributes;
  readonly name?: string;
}

export interface Span {
  /** Passed on to continue the trace: `00-<trace>-<span>-<flags>`. */
  readonly traceparent: string;
  /** Spans and log lines of what is called belong to this one. */
  readonly run: <A>(call: () => A) => A;
  readonly end: (how?: SpanEnd) => void;
}

export interface ActiveSpan {
  readonly traceparent: string;
  readonly traceId: string;
  readonly requestId: string | undefined;
}

export interface Tracer {
  readonly begin: (spec: SpanSpec) => Span;
  /** A span until the promise settles; `endOf` maps the value to the span's end. An exception ends it as failed. */
  readonly traceCall: <A>(spec: SpanSpec, call: () => Promise<A>, endOf?: (value: A) => SpanEnd) => Promise<A>;
  readonly current: () => ActiveSpan | undefined;
  /** The sampled span in an event's metadata, if there is one. */
  readonly traceparentOf: (metadata: unknown) => string | undefined;
  /** Runs outside the active span, for work that outlives its caller. */
  readonly runDetached: <A>(call: () => A) => A;
}
