/** Proxies one call to the model service and meters its response. */
import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { ModelCall, ResponseEnd } from '../../../packages/ratelimit/src/index';
import { type Problem, problem } from '../../server/http/problem';
import { type StreamEnd, streamEnds } from '../../server/http/streaming/stream-end';
import { type CallAbort, type ResponseHeaders, streamUpstreamResponse } from '../proxy/stream-response';
import type { ModelRoute } from './routes';
import { isOurFault, type ModelUpstream, modelRequestHeaders, modelResponseHeaders } from './upstream';

export interface ProxyCall {
  readonly upstream: ModelUpstream;
  readonly route: ModelRoute;
  readonly requestId: string;
  readonly body: Buffer | undefined;
  /** Undefined: nothing to settle. */
  readonly call: ModelCall | undefined;
  /** Called when a stream starts, with a function that ends it; returns what to call after the stream. */
  readonly opened: (end: (why: StreamEnd) => void) => () => void;
}

export interface ProxyResult {
  readonly how: ResponseEnd;
  /** What is still to be answered. */
  readonly refused?: Problem;
  /** Status with which the model service refused the installation's account. */
  readonly fault?: number;
}

interface ProxyState extends CallAbort {
  fault?: number;
  leave?: () => void;
}

const meterResponse = (status: number, headers: ResponseHeaders) => {
  const encoding = headers['content-encoding'] ?? 'identity';
  // A compressed response cannot be metered.
  const contentType = encoding === 'identity' ? String(headers['content-type']) : undefined;
  return { status, contentType };
};

const responseStarter = (response: ServerResponse, { call: modelCall, opened }: ProxyCall, flow: ProxyState) => {
  return (status: number, headers: ResponseHeaders): void => {
    if (isOurFault(status)) {
      flow.fault = status;
      flow.cut?.();
      return;
    }
    modelCall?.answered(meterResponse(status, headers));
    response.writeHead(status, { 'cache-control': 'no-store', ...modelResponseHeaders(headers) });
    if (!String(headers['content-type']).startsWith('text/event-stream')) return;
    response.flushHeaders();
    // Draining waits for the response: the client cannot resume it elsewhere.
    flow.leave = opened((why) => void (why === streamEnds.draining || response.destroy()));
  };
};

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

const problemFor = (error: unknown): Problem =>
  codeOf(error) === 'UND_ERR_HEADERS_TIMEOUT'
    ? problem('timeout', 'The model service did not answer in time.')
    : problem('service-unavailable', 'The model service cannot be reached; try again.');

const failedResult = (error: unknown, response: ServerResponse, flow: ProxyState): ProxyResult => {
  if (flow.gone) return { how: 'left' };
  if (flow.fault !== undefined) {
    const refused = problem('service-unavailable', 'The model service does not take requests from here at the moment.');
    return { how: 'broken', refused, fault: flow.fault };
  }
  if (!response.headersSent) return { how: 'broken', refused: problemFor(error) };
  // Destroys the connection, so that the client does not take a partial response for a complete one.
  response.destroy();
  return { how: 'broken' };
};

export const proxyModelCall = async (response: ServerResponse, proxyCall: ProxyCall): Promise<ProxyResult> => {
  const { upstream, route, body, requestId, call: modelCall } = proxyCall;
  const flow: ProxyState = { gone: false };
  let over = false;
  response.once('close', () => {
    if (over) return;
    flow.gone = true;
    flow.cut?.();
  });
  if (response.destroyed) return { how: 'broken' };
  const path = `${upstream.base}${route.path}`;
  const options = { method: route.method, path, headers: modelRequestHeaders(response.req, upstream, requestId) };
  const request: Dispatcher.DispatchOptions = body === undefined ? options : { ...options, body };
  const begin = responseStarter(response, proxyCall, flow);
  try {
    await streamUpstreamResponse(
      upstream.pool,
      { request, response, begin, passed: (chunk) => modelCall?.received(chunk) },
      flow,
    );
  } catch (error) {
    return failedResult(error, response, flow);
  } finally {
    over = true;
    flow.leave?.();
  }
  response.end();
  return { how: 'whole' };
};
