/** The session. When it ends, the page stays as it is until the user signs in again. */
import { signal } from '@preact/signals';
import type { InputOf, SignedInSession } from '../../../packages/client/src';
import * as operations from '../../../packages/client/src/operations';
import { type Answer, onSignedOut, read, send } from './api-client';
import type { Problem } from './problem';
import { pauseQueries } from './query-pause';

export type Who = SignedInSession;

export type Credentials = InputOf<'signIn'>['body'];

export type Session =
  | { readonly kind: 'asking' }
  | { readonly kind: 'unknown'; readonly problem: Problem }
  /** No session when the page was opened. */
  | { readonly kind: 'absent' }
  /** The user ended the session, or left the page of one that had ended. */
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'in'; readonly who: Who }
  | { readonly kind: 'ended'; readonly who: Who; readonly why: string };

/** Signs a person in, and leads to the page of the console that `continue` names. */
export const beginSessionPath = '/console/session/begin';

export const session = signal<Session>({ kind: 'asking' });

/** Counts sign-ins, so that requests that failed without a session run again. */
export const signIns = signal(0);

/** Without a cookie the server cannot know that a session ended. */
const whyOf = ({ code, detail }: Problem): string =>
  code === 'session-ended' ? detail : 'Sign in again. The page keeps what you entered.';

onSignedOut((problem) => {
  const { value } = session;
  if (value.kind === 'in') session.value = { kind: 'ended', who: value.who, why: whyOf(problem) };
});

/** All tabs share the session: after a sign-in in one tab the others continue. */
const elsewhere = new BroadcastChannel('septet-session');

export const resume = async (): Promise<void> => {
  session.value = { kind: 'asking' };
  const answer = await read(operations.getSession());
  if (answer.ok) {
    session.value = answer.content === undefined ? { kind: 'absent' } : { kind: 'in', who: answer.content };
    elsewhere.postMessage('asked');
  } else if (answer.problem.status === 401) session.value = { kind: 'absent' };
  else session.value = { kind: 'unknown', problem: answer.problem };
};

export const signIn = (credentials: Credentials): Promise<Answer<Who>> =>
  send(operations.signIn({ body: credentials }));

export const enter = (who: Who): void => {
  signIns.value += 1;
  session.value = { kind: 'in', who };
};

elsewhere.onmessage = async () => {
  if (session.value.kind !== 'ended') return;
  const answer = await read(operations.getSession());
  if (answer.ok && answer.content !== undefined) enter(answer.content);
};

export const signOut = async (): Promise<Problem | undefined> => {
  const endPause = pauseQueries();
  const answer = await send(operations.signOut());
  if (answer.ok) session.value = { kind: 'signed-out' };
  endPause(answer.ok ? 'over' : 'go-on');
  if (answer.ok) return undefined;
  // Aborted queries are sent again.
  signIns.value += 1;
  return answer.problem;
};

/** People sign in on the account pages; programs with their credential. */
export const isPerson = ({ clientId }: Pick<Who, 'clientId'>): boolean => clientId.endsWith('~console');

export const may = (who: Who, scope: string): boolean => who.scopes.includes(scope);
