/** Sends requests to our own server. The cookie identifies the session; the header proves that the request comes from this page. */
import {
  type CommandRequest,
  execute,
  openSession,
  type QueryRequest,
  query,
} from '../../../packages/client/src/operations';
import { type Problem, problemOf } from './problem';

/** No automatic retries: the user decides whether to repeat a failed request. */
export const septet = openSession({ credentials: 'same-origin', headers: { 'Septet-Console': '1' }, attempts: 1 });

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
const patienceMilliseconds = 5_000;
const pauseMilliseconds = 200;
let waitsUntil = 0;

/** Pages of the platform read the log itself or views that may lag, so they do not wait. */
const isWaiting = ({ row }: QueryRequest<unknown>): boolean =>
  !row.path.startsWith('/v1/platform/') && performance.now() < waitsUntil;

/** Rejects only after an abort. */
export const read = async <Content>(request: QueryRequest<Content>, signal?: AbortSignal): Promise<Answer<Content>> => {
  for (;;) {
    const minPosition = isWaiting(request) ? undefined : 'none';
    const answer = await answerOf(query(septet, request, { signal, minPosition }).then(({ body }) => body));
    signal?.throwIfAborted();
    if (answer.ok || answer.problem.code !== 'not-yet-visible' || !isWaiting(request)) return answer;
    await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
  }
};

export const send = <Content>(request: CommandRequest<Content>, idempotencyKey?: string): Promise<Answer<Content>> =>
  answerOf(
    execute(septet, request, { idempotencyKey }).then(({ body, position }) => {
      if (position !== undefined) waitsUntil = performance.now() + patienceMilliseconds;
      return body;
    }),
  );

/** The same for requests of one operation with equal input. */
export const keyOf = ({ row, input }: QueryRequest<unknown> | CommandRequest<unknown>): string =>
  JSON.stringify([row.operation, input]);
