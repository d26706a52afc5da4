/** One request to a service and its answer, handed on piece by piece and no faster than it is taken. */
import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';

export type ResponseHeaders = Record<string, string | string[]>;

export interface UpstreamCall {
  readonly request: Dispatcher.DispatchOptions;
  readonly response: ServerResponse;
  /** Writes the head of the response. */
  readonly begin: (status: number, headers: ResponseHeaders) => void;
  /** Sees what passes. */
  readonly passed?: (chunk: Buffer) => void;
}

/** How the exchange is cut off when the client goes, also before it has begun. */
export interface CallAbort {
  cut?: () => void;
  gone: boolean;
}

const responseHandler = (
  { begin, passed, response }: UpstreamCall,
  cutting: CallAbort,
  done: (error?: Error) => void,
) => ({
  onRequestStart: (controller: Dispatcher.DispatchController): void => {
    cutting.cut = () => controller.abort(new Error('the client is gone'));
    if (cutting.gone) cutting.cut();
  },
  onResponseStart: (_controller: Dispatcher.DispatchController, status: number, headers: object): void => {
    if (status >= 200) begin(status, headers as ResponseHeaders);
  },
  onResponseData: (controller: Dispatcher.DispatchController, chunk: Buffer): void => {
    passed?.(chunk);
    // A stream that we have ended ourselves is cut off in a moment.
    if (response.writableEnded || response.destroyed || response.write(chunk)) return;
    controller.pause();
    response.once('drain', () => controller.resume());
  },
  onResponseEnd: (): void => done(),
  onResponseError: (_controller: Dispatcher.DispatchController, error: Error): void => done(error),
});

/** Resolves when the service has answered in full, of which the end of the response is not yet told; rejects when it has not. */
export const streamUpstreamResponse = (pool: Dispatcher, exchanged: UpstreamCall, cutting: CallAbort): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = (error?: Error): void => (error === undefined ? resolve() : reject(error));
    pool.dispatch(exchanged.request, responseHandler(exchanged, cutting, done));
  });
