/** One upstream call whose response is streamed to the client with backpressure. */
import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';

export type ResponseHeaders = Record<string, string | string[]>;

export interface UpstreamCall {
  readonly request: Dispatcher.DispatchOptions;
  readonly response: ServerResponse;
  /** Writes the head of the response. */
  readonly begin: (status: number, headers: ResponseHeaders) => void;
  /** Observes the chunks. */
  readonly passed?: (chunk: Buffer) => void;
  /** Called when the client has taken what was waiting for it. */
  readonly drained?: () => void;
}

/** Aborts the call when the client disconnects, also before it has started. */
export interface CallAbort {
  cut?: () => void;
  gone: boolean;
}

const responseHandler = (
  { begin, passed, drained, response }: UpstreamCall,
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
    // The gateway has ended the response itself: the upstream is aborted shortly.
    if (response.writableEnded || response.destroyed || response.write(chunk)) return;
    controller.pause();
    response.once('drain', () => {
      drained?.();
      controller.resume();
    });
  },
  onResponseEnd: (): void => done(),
  onResponseError: (_controller: Dispatcher.DispatchController, error: Error): void => done(error),
});

/** Resolves when the upstream response is complete; the caller ends the client response. Rejects when it fails. */
export const streamUpstreamResponse = (pool: Dispatcher, exchanged: UpstreamCall, cutting: CallAbort): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = (error?: Error): void => (error === undefined ? resolve() : reject(error));
    pool.dispatch(exchanged.request, responseHandler(exchanged, cutting, done));
  });
