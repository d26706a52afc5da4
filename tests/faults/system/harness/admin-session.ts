/** The first admin over HTTP as a careful client: every answer in time, every refusal clear, its token fresh. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../../support/waiting/eventually';

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** What was refused by code, how long the longest answer took, and what must never be seen. */
export interface Seen {
  readonly refused: Record<string, number>;
  longestMilliseconds: number;
  readonly wrong: string[];
}

export interface Session {
  readonly principalId: string;
  readonly token: () => string;
  readonly seen: () => Seen;
  /** Resets the counts. */
  readonly fresh: () => void;
  /** Connections may break while gateways are killed. */
  readonly mayBreak: (may: boolean) => void;
  /** Undefined when there was no answer, or a 5xx. */
  readonly send: (method: string, path: string, more?: More) => Promise<TestResponse | undefined>;
  readonly close: () => Promise<void>;
}

export interface More {
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** The index of the address to use; any when left out. */
  readonly at?: number;
}

/** No answer may take longer, whatever has become of the stores. */
const deadlineMilliseconds = 20_000;

const nothingSeen = (): Seen => ({ refused: {}, longestMilliseconds: 0, wrong: [] });

const look = (seen: Seen, line: string, { status, headers, body }: TestResponse): void => {
  if (status < 400) return;
  const code = String(body.code ?? body.error ?? 'no code');
  seen.refused[`${status} ${code}`] = (seen.refused[`${status} ${code}`] ?? 0) + 1;
  if (headers.get('content-type')?.startsWith('application/problem+json') !== true && body.error === undefined)
    seen.wrong.push(`${line}: ${status} is no problem document`);
  if (status >= 500 && status !== 503) seen.wrong.push(`${line}: ${status} ${code} ${String(body.detail)}`);
  if (status === 503 && headers.get('retry-after') === null) seen.wrong.push(`${line}: ${code} without Retry-After`);
};

const request = async (url: string, init: RequestInit): Promise<TestResponse> => {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(deadlineMilliseconds) });
  const text = await response.text();
  const body = text.startsWith('{') ? (JSON.parse(text) as TestResponse['body']) : {};
  return { status: response.status, headers: response.headers, body };
};

const jsonBody = (body: object | undefined) =>
  body === undefined ? {} : { body: body instanceof URLSearchParams ? body : JSON.stringify(body) };

const typeOf = (body: object | undefined): Record<string, string> =>
  body === undefined || body instanceof URLSearchParams ? {} : { 'content-type': 'application/json' };

const opened = (addresses: readonly string[]) => {
  let breaks = false;
  let seen = nothingSeen();
  let turn = 0;
  const send = async (
    method: string,
    path: string,
    { body, headers, at }: More = {},
  ): Promise<TestResponse | undefined> => {
    turn += 1;
    const address = addresses[(at ?? turn) % addresses.length];
    const began = performance.now();
    try {
      const init = { method, headers: { ...typeOf(body), ...headers }, ...jsonBody(body) };
      const answered = await request(`${address}${path}`, init);
      look(seen, `${method} ${path}`, answered);
      return answered.status >= 500 ? undefined : answered;
    } catch (error) {
      const late = error instanceof Error && error.name === 'TimeoutError';
      if (late || !breaks) seen.wrong.push(`${method} ${path}: ${String(error)} ${String((error as Error).cause)}`);
      return undefined;
    } finally {
      seen.longestMilliseconds = Math.max(seen.longestMilliseconds, performance.now() - began);
    }
  };
  const fresh = (): void => {
    seen = nothingSeen();
  };
  const mayBreak = (may: boolean): void => {
    breaks = may;
  };
  return { send, fresh, mayBreak, seen: () => seen };
};

const renewMilliseconds = 1_000;

const subjectOf = (token: string): string => {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()) as { sub: string };
  return claims.sub;
};

/** Spends the one-time code, as soon as there is room for that; answers the form of a token request. */
const firstCredential = async ({ send, seen }: ReturnType<typeof opened>, code: string): Promise<URLSearchParams> => {
  const answers: TestResponse[] = [];
  await eventually(async () => {
    const first = await send('POST', '/v1/bootstrap', { body: { code } });
    assert.ok(first?.status === 201, JSON.stringify([first, seen()]));
    answers.push(first);
  });
  const { clientId, clientSecret } = (answers[0] as TestResponse).body;
  const fields = { client_id: String(clientId), client_secret: String(clientSecret) };
  return new URLSearchParams({ grant_type: 'client_credentials', ...fields });
};

/** Takes a new token every second: that is a command and a read of keys. */
export const openSession = async (addresses: readonly string[], code: string): Promise<Session> => {
  const requester = opened(addresses);
  const { send, fresh, mayBreak, seen } = requester;
  const body = await firstCredential(requester, code);
  let token = '';
  const renew = async (): Promise<void> => {
    const issued = await send('POST', '/oauth/token', { body });
    if (issued?.status === 200) token = String(issued.body.access_token);
  };
  await renew();
  assert.notEqual(token, '');
  const closing = new AbortController();
  const keepRenewing = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await sleep(renewMilliseconds, undefined, { signal: closing.signal }).catch(() => undefined);
      await renew();
    }
  };
  const renewing = keepRenewing();
  return {
    principalId: subjectOf(token),
    token: () => token,
    fresh,
    mayBreak,
    seen,
    send: (method, path, more = {}) =>
      send(method, path, { ...more, headers: { authorization: `Bearer ${token}`, ...more.headers } }),
    close: async () => {
      closing.abort();
      await renewing;
    },
  };
};
