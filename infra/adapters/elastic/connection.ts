/**
 * Requests to Elasticsearch without what the library's own connection adds to each: a stream per answer, and signals that are combined to
 * one. For short queries that was as much work as all the rest of the client's.
 */
import {
  type ConnectionRequestOptions,
  type ConnectionRequestOptionsAsStream,
  type ConnectionRequestParams,
  type ConnectionRequestResponse,
  errors,
  UndiciConnection,
} from '@elastic/elasticsearch';

const timeoutCodes = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && timeoutCodes.includes(String(error.code));

const timedOut = (): Error => new errors.TimeoutError('The request timed out.');

const faultOf = (error: unknown): Error => {
  if (isTimeout(error)) return timedOut();
  return new errors.ConnectionError(error instanceof Error ? error.message : 'The connection failed.');
};

type Headers = ConnectionRequestResponse['headers'];

/** Names and values in turn, as they were received. */
const headersOf = (raw: readonly (Buffer | string)[] | null): Headers => {
  const headers: Record<string, string | string[]> = {};
  for (let at = 0; at < (raw?.length ?? 0); at += 2) {
    const [name, value] = [String(raw?.[at]).toLowerCase(), String(raw?.[at + 1])];
    const before = headers[name];
    headers[name] = before === undefined ? value : [before, value].flat();
  }
  return headers;
};

interface RequestBounds {
  readonly signal: AbortSignal | undefined;
  /** Undefined: the pool's own limits are enough. They do not cover the time until there is a connection. */
  readonly milliseconds: number | undefined;
}

type Pool = UndiciConnection['pool'];

const receiveText = (
  pool: Pool,
  request: Parameters<Pool['dispatch']>[0],
  { signal, milliseconds }: RequestBounds,
): Promise<ConnectionRequestResponse> =>
  new Promise((resolve, reject) => {
    let statusCode = 0;
    let headers: Headers = {};
    const chunks: Buffer[] = [];
    let cancel: ((reason: Error) => void) | undefined;
    let ended: Error | undefined;
    const release = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    const fail = (reason: Error): void => {
      release();
      ended = reason;
      reject(reason);
    };
    const cancelWith = (reason: Error): void => {
      fail(reason);
      cancel?.(reason);
    };
    const abort = (): void => cancelWith(new errors.RequestAbortedError('The request was aborted.'));
    const timer = milliseconds === undefined ? undefined : setTimeout(() => cancelWith(timedOut()), milliseconds);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted === true) return abort();
    pool.dispatch(request, {
      // What was given up before it had a connection is not sent.
      onConnect: (abortRequest) => {
        cancel = abortRequest;
        if (ended !== undefined) abortRequest(ended);
      },
      onHeaders: (status, raw) => {
        statusCode = status;
        headers = headersOf(raw);
        return true;
      },
      onData: (chunk) => {
        chunks.push(chunk);
        return true;
      },
      onComplete: () => {
        release();
        resolve({ statusCode, headers, body: Buffer.concat(chunks).toString() });
      },
      onError: (error) => fail(faultOf(error)),
    });
  });

export class ElasticConnection extends UndiciConnection {
  // The library's declaration has both forms in one method.
  override async request(
    params: ConnectionRequestParams,
    options: ConnectionRequestOptions | ConnectionRequestOptionsAsStream,
  ): Promise<never> {
    if ('asStream' in options) return super.request(params, options) as Promise<never>;
    return (await this.#requestText(params, options)) as never;
  }

  #requestText(
    { method, path, querystring = '', headers, body }: ConnectionRequestParams,
    { signal, timeout = this.timeout }: ConnectionRequestOptions,
  ): Promise<ConnectionRequestResponse> {
    const request = {
      method: method as 'GET',
      path: `${this.url.pathname.replace(/\/$/, '')}${path}${querystring === '' ? '' : `?${querystring}`}`,
      headers: { ...this.headers, ...headers },
      body: body ?? null,
    };
    return receiveText(this.pool, request, { signal, milliseconds: timeout === this.timeout ? undefined : timeout });
  }
}
