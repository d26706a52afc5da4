/** The span of a request: from its arrival until its answer is complete, or its client is gone. */
import type { RequestListener, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { Attributes, Span, SpanParent, Tracer } from '../../../ports/runtime/trace';

interface ArrivedRequest {
  readonly under: SpanParent;
  readonly requestId?: string;
  /** Known once it is answered. */
  readonly route?: () => string | undefined;
}

const attributesOf = ({ statusCode, req: { method = '' } }: ServerResponse, route: string | undefined): Attributes => ({
  'http.request.method': method,
  'http.response.status_code': statusCode,
  ...(route === undefined ? {} : { 'http.route': route }),
});

const begin = (trace: Tracer, response: ServerResponse, { under, requestId, route }: ArrivedRequest): Span => {
  const { method = '' } = response.req;
  const span = trace.begin({ name: method, kind: 'server', under, ...(requestId === undefined ? {} : { requestId }) });
  response.once('close', () => {
    const [template, id] = [route?.(), response.getHeader('X-Request-Id')];
    const attributes = { ...attributesOf(response, template), ...(typeof id === 'string' ? { requestId: id } : {}) };
    const broken = response.statusCode >= 500 ? String(response.statusCode) : undefined;
    const failed = response.writableFinished ? broken : 'aborted';
    span.end({ attributes, failed, ...(template === undefined ? {} : { name: `${method} ${template}` }) });
  });
  return span;
};

/** Runs after the identity check, so the header comes from the gateway. */
export const traceRequests =
  (trace: Tracer): RequestHandler =>
  (request, response, next) => {
    const { caller, route: _ } = response.locals as { caller?: { readonly requestId: string }; route?: string };
    const parent = request.headers.traceparent as string | undefined;
    const span = begin(trace, response, {
      under: { parent },
      ...(caller === undefined ? {} : { requestId: caller.requestId }),
      route: () => response.locals.route as string | undefined,
    });
    span.run(next);
  };

/** Polled every few seconds; spans of these would only be noise. */
const operational = /^\/(healthz|readyz|livez|metrics)$/;

/**
 * Untrusted requests begin a trace of their own with a link to the caller's. Otherwise strangers could force sampling, or put
 * every request under one trace id.
 */
export const tracePublicListener = (
  trace: Tracer | undefined,
  trusted: boolean,
  listener: RequestListener,
): RequestListener => {
  if (trace === undefined) return listener;
  return (request, response) => {
    if (operational.test(request.url ?? '')) return listener(request, response);
    const traceparent = request.headers.traceparent as string | undefined;
    const span = begin(trace, response, { under: trusted ? { parent: traceparent } : { link: traceparent } });
    span.run(() => listener(request, response));
  };
};
