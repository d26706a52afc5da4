/** Asks our own server. The cookie says who asks; the header, that it is this page and no other site. */
import { type Problem, problemIn, unreachable } from './problem';
import { pauseBeforeVisible, seeing, wrote } from './written';

export type Answer<Content> =
  | { readonly ok: true; readonly content: Content }
  | { readonly ok: false; readonly problem: Problem };

export interface Question {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly body?: object;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

type Listener = (problem: Problem) => void;
const listeners = new Set<Listener>();

/** Told of every answer that says that nobody is signed in (any longer). */
export const onSignedOut = (listener: Listener): void => void listeners.add(listener);

export const heard = (problem: Problem): Problem => {
  // What asks for a fresh sign-in ends no session.
  if (problem.status === 401 && problem.code !== 'insufficient-user-authentication')
    for (const listener of listeners) listener(problem);
  return problem;
};

export const sent = ({ method = 'GET', body, signal, headers }: Question): RequestInit => ({
  method,
  headers: {
    'Septet-Console': '1',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...headers,
  },
  credentials: 'same-origin',
  cache: 'no-store',
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  ...(signal === undefined ? {} : { signal }),
});

export const contentOf = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const once = async <Content>(path: string, question: Question): Promise<Answer<Content>> => {
  const isRead = question.method === undefined || question.method === 'GET';
  const headers = isRead ? { ...seeing(path), ...question.headers } : question.headers;
  const response = await fetch(path, sent(headers === undefined ? question : { ...question, headers }));
  const content = await contentOf(response);
  if (!isRead && response.ok) wrote(response.headers.get('position'));
  if (response.ok) return { ok: true, content: content as Content };
  return { ok: false, problem: heard(problemIn(response, content)) };
};

/** Rejects only when it was aborted. */
export const ask = async <Content>(path: string, question: Question = {}): Promise<Answer<Content>> => {
  try {
    for (;;) {
      const answer = await once<Content>(path, question);
      if (answer.ok || answer.problem.code !== 'not-yet-visible' || !(await pauseBeforeVisible(path))) return answer;
    }
  } catch (error) {
    if (question.signal?.aborted === true) throw error;
    return { ok: false, problem: unreachable };
  }
};

type Value = string | number | undefined;

/** A path with a query of what is given. */
export const withQuery = (path: string, query: Readonly<Record<string, Value>>): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
};

export const segment = encodeURIComponent;
