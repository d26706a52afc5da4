/** Requests of the page for people without sign-in: without cookies, also where the browser has a session of the console. */
import {
  type CommandRequest,
  execute,
  openSession,
  type QueryRequest,
  query,
} from '../../../../packages/client/src/operations';
import type { Answer } from '../../kernel/api-client';
import { problemOf } from '../../kernel/problem';

const session = openSession({
  credentials: 'omit',
  attempts: 1,
  // A report may be sent as the page goes.
  fetch: (url, init) => fetch(url, { ...init, keepalive: init.method === 'POST' }),
});

const answerOf = async <Content>(answered: Promise<{ readonly body: Content }>): Promise<Answer<Content>> => {
  try {
    return { ok: true, content: (await answered).body };
  } catch (error) {
    return { ok: false, problem: problemOf(error) };
  }
};

export const readAsGuest = <Content>(request: QueryRequest<Content>): Promise<Answer<Content>> =>
  answerOf(query(session, request));

export const sendAsGuest = <Content>(request: CommandRequest<Content>): Promise<Answer<Content>> =>
  answerOf(execute(session, request));
