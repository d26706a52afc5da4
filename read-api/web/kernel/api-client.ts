/** Sends requests to our own server. The cookie identifies the session; the header proves that the request comes from this page. */
import {
  type CommandRequest,
  execute,
  openSession,
  type QueryRequest,
  query,
} from '../../../packages/client/src/operations';
import { observeServerDate } from './now';
import { type Problem, problemOf } from './problem';
import { pauseEnd, untilPause } from './query-pause';

/** No automatic retries: the user decides whether to repeat a failed request. */
export const septet = openSession({
  credentials: 'same-origin',
  headers: { 'Septet-Console': '1' },
  attempts: 1,
  fetch: async (url, init) => {
    const response = await fetch(url, init);
    observeServerDate(response.headers.get('date'));
    return response;
  },
});

export type Answer<Content> =
  | { readonly ok: true; readonly content: Content }
  | { readonly ok: false; readonly problem: Problem };

type Listener = (problem: Problem) => void;
const listeners = new Set<Listener>();

/** Calls the listener with every 401 problem, except demands for a fresh sign-in. */
export const onSignedOut = (listener: Listener): void => void listeners.add(listener);

export const problemIn = (error: unknown): Problem => {
  const problem = problemOf(error);
  // A demand for a fresh sign-in does not end the session.
  if (problem.status === 401 && problem.code !== 'insufficient-user-authentication')
    for (const listener of listeners) listener(problem);
  return problem;
};

const answerOf = async <Content>(content: Promise<Content>): Promise<Answer<Content>> => {
  try {
    return { ok: true, content: await content };
  } catch (error) {
    return { ok: false, problem: problemIn(error) };
  }
};

/** Read your writes: for a while after a command, requests wait for views that include it. */
const timeoutMilliseconds = 5_000;
const pauseMilliseconds = 200;
let waitsUntil = 0;

/** Pages of the platform read the log itself or views that may lag, so they do not wait. */
const isWaiting = ({ row }: QueryRequest<unknown>): boolean =>
  !row.path.startsWith('/v1/platform/') && performance.now() < waitsUntil;

/** For a page that is about to go. */
const signedOutMeanwhile: Problem = {
  status: 401,
  code: 'signed-out',
  title: 'You are signed out',
  detail: 'Sign in again.',
  errors: [],
  requestId: undefined,
};

/** Content with the ETag that it had. */
export interface Tagged<Content> {
  readonly content: Content;
  readonly etag: string | undefined;
}

/** Rejects only after an abort. What was read before is returned again, the same object, while its ETag is current. */
export const readTagged = async <Content>(
  request: QueryRequest<Content>,
  { before, signal }: { readonly before?: Tagged<Content> | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<Answer<Tagged<Content>>> => {
  for (;;) {
    const session = await pauseEnd();
    signal?.throwIfAborted();
    if (session === 'over') return { ok: false, problem: signedOutMeanwhile };
    const sending = untilPause(signal);
    const minPosition = isWaiting(request) ? undefined : 'none';
    const condition = before?.etag === undefined ? {} : { ifNoneMatch: before.etag };
    const answer = await answerOf(
      query(septet, request, { signal: sending, minPosition, ...condition }).then(({ status, body, etag }) =>
        before !== undefined && status === 304 ? before : { content: body, etag },
      ),
    );
    signal?.throwIfAborted();
    if (!answer.ok && sending.aborted) continue;
    if (answer.ok || answer.problem.code !== 'not-yet-visible' || !isWaiting(request)) return answer;
    await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
  }
};

/** Rejects only after an abort. */
export const read = async <Content>(request: QueryRequest<Content>, signal?: AbortSignal): Promise<Answer<Content>> => {
  const answer = await readTagged(request, { signal });
  return answer.ok ? { ok: true, content: answer.content.content } : answer;
};

/** Its requests outlive the page. */
const leavingSession = openSession({
  credentials: 'same-origin',
  headers: { 'Septet-Console': '1' },
  attempts: 1,
  fetch: (url, init) => fetch(url, { ...init, keepalive: true }),
});

/** A small report, which arrives also when the page goes. No request waits for it. */
export const sendBeforeLeaving = <Content>(request: CommandRequest<Content>): Promise<Answer<Content>> =>
  answerOf(execute(leavingSession, request).then(({ body }) => body));

export const send = <Content>(request: CommandRequest<Content>, idempotencyKey?: string): Promise<Answer<Content>> =>
  answerOf(
    execute(septet, request, { idempotencyKey }).then(({ body, position }) => {
      if (position !== undefined) waitsUntil = performance.now() + timeoutMilliseconds;
      return body;
    }),
  );

/** A question that is sent as a POST: it changes nothing, so no request waits for it. Rejects only after an abort. */
export const sendQuestion = async <Content>(
  request: CommandRequest<Content>,
  signal: AbortSignal,
): Promise<Answer<Content>> => {
  for (;;) {
    const session = await pauseEnd();
    signal.throwIfAborted();
    if (session === 'over') return { ok: false, problem: signedOutMeanwhile };
    const sending = untilPause(signal);
    const answer = await answerOf(execute(septet, request, { signal: sending }).then(({ body }) => body));
    signal.throwIfAborted();
    if (answer.ok || !sending.aborted) return answer;
  }
};

/** The same for requests of one operation with equal input. */
export const keyOf = ({ row, input }: QueryRequest<unknown> | CommandRequest<unknown>): string =>
  JSON.stringify([row.operation, input]);
