/**
 * Requests to Elasticsearch without what the library's own connection adds to each: a signal that is never aborted, and a loop over the
 * pieces of the answer. That was a tenth of a short query.
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

export class ElasticConnection extends UndiciConnection {
  // The library's declaration has both forms in one method.
  override async request(
    params: ConnectionRequestParams,
    options: ConnectionRequestOptions | ConnectionRequestOptionsAsStream,
  ): Promise<never> {
    if ('asStream' in options) return super.request(params, options) as Promise<never>;
    return (await this.#requestText(params, options)) as never;
  }

  async #requestText(
    { method, path, querystring = '', headers, body }: ConnectionRequestParams,
    { signal, timeout = this.timeout }: ConnectionRequestOptions,
  ): Promise<ConnectionRequestResponse> {
    // The pool's own limits are those of the client; they do not cover the time until there is a connection.
    const expiry = timeout === this.timeout ? undefined : AbortSignal.timeout(timeout);
    const signals = [signal, expiry].filter((one) => one !== undefined);
    try {
      const answer = await this.pool.request({
        method: method as 'GET',
        path: `${this.url.pathname.replace(/\/$/, '')}${path}${querystring === '' ? '' : `?${querystring}`}`,
        headers: { ...this.headers, ...headers },
        body: body ?? null,
        ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
      });
      return { statusCode: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
    } catch (error) {
      if (expiry?.aborted === true || isTimeout(error)) throw new errors.TimeoutError('The request timed out.');
      if (signal?.aborted === true) throw new errors.RequestAbortedError('The request was aborted.');
      throw new errors.ConnectionError(error instanceof Error ? error.message : 'The connection failed.');
    }
  }
}
