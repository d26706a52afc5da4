/** A client on a network, clock and chance in the test's hand. */
import { connectWithPlatform } from '../../../packages/client/src/connect';
import type { ClientOptions } from '../../../packages/client/src/options';
import type { Platform } from '../../../packages/client/src/platform';

export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

type Answer = Response | Error | ((request: RecordedRequest) => Response | Promise<Response>);

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

export const problem = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify({ type: `/problems/${code}`, title: 'Title', status, code, detail: 'It is so.' }), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });

export const registered = (position = '7'): Response =>
  json(201, { principalId: 'p-1' }, { etag: 'W/"0"', position, 'idempotency-key': 'k', 'x-request-id': 'r-1' });

export const principal = {
  principalId: 'p-1',
  principalType: 'AI_AGENT',
  tenantId: 'acme',
  status: 'ACTIVE',
  securityEpoch: 1,
  name: null,
  login: null,
  createdAt: '2026-01-31T12:00:00.000Z',
  roles: [],
};

export interface Stage {
  readonly client: ReturnType<typeof connectWithPlatform>;
  readonly requests: RecordedRequest[];
  /** Milliseconds of every pause. */
  readonly pauses: number[];
}

const recordedRequest = (url: string, { method, headers, body, signal }: RequestInit): RecordedRequest => ({
  method: String(method),
  url,
  headers: new Headers(headers),
  body: typeof body === 'string' ? body : undefined,
  signal: signal as AbortSignal,
});

/** Time passes only while the client pauses. `random` answers the middle. */
export const stage = (
  answers: readonly Answer[],
  options: ClientOptions = {},
  platform: Partial<Platform> = {},
): Stage => {
  const requests: RecordedRequest[] = [];
  const pauses: number[] = [];
  const left = [...answers];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const request = recordedRequest(url, init);
    requests.push(request);
    const answer = left.shift();
    if (answer === undefined) throw new Error('nothing is left to answer');
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? answer(request) : answer;
  };
  const sleep = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    pauses.push(milliseconds);
  };
  const now = (): number => pauses.reduce((sum, pause) => sum + pause, 0);
  const given = { fetch, sleep, now, random: () => 0.5, ...platform };
  const client = connectWithPlatform({ baseUrl: 'http://septet.test', token: 'token', ...options }, given);
  return { client, requests, pauses };
};

/** What a promise rejects with. */
export const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => new Error('It did not fail.'),
    (error: unknown) => error,
  );

/** A fetch that never answers, but obeys its signal. */
export const silence = ({ signal }: RecordedRequest): Promise<Response> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
