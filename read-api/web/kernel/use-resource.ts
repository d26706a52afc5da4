/** Content of a page: loads it when the page opens, reloads it on demand and, optionally, at an interval. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { QueryRequest } from '../../../packages/client/src/operations';
import { keyOf, read } from './api-client';
import type { Problem } from './problem';
import { session, signIns } from './session';

export interface Resource<Content> {
  /** The latest content; stays during a reload. */
  readonly content: Content | undefined;
  readonly problem: Problem | undefined;
  /** The content belongs to the previous request. */
  readonly isOld: boolean;
  readonly reload: () => void;
}

interface State<Content> {
  readonly key: string;
  readonly content: Content | undefined;
  readonly problem: Problem | undefined;
}

/** After a 401 the content stays until the person signs in again; otherwise content of another request is dropped. */
const failed = <Content>(before: State<Content>, key: string, problem: Problem): State<Content> => {
  if (problem.status === 401) return { ...before, problem };
  return { key, content: before.key === key ? before.content : undefined, problem };
};

export interface ResourceOptions {
  /** Reload interval while the page is visible and a person is signed in. */
  readonly everyMilliseconds?: number;
}

const wait = (milliseconds: number, then: () => void): (() => void) => {
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible' && session.peek().kind === 'in') then();
  }, milliseconds);
  return () => clearInterval(timer);
};

/** Without a request nothing is loaded, and earlier content is that of the previous request. */
export const useResource = <Content>(
  request: QueryRequest<Content> | undefined,
  { everyMilliseconds }: ResourceOptions = {},
): Resource<Content> => {
  const key = request === undefined ? '' : keyOf(request);
  const [state, show] = useState<State<Content>>({ key, content: undefined, problem: undefined });
  const [reloads, setReloads] = useState(0);
  const reload = useCallback(() => setReloads((count) => count + 1), []);
  const signedIn = signIns.value;
  const busy = useRef(false);
  useEffect(() => {
    if (request === undefined) return undefined;
    const leaving = new AbortController();
    busy.current = true;
    read(request, leaving.signal).then(
      (answer) => {
        busy.current = false;
        if (answer.ok) show({ key, content: answer.content, problem: undefined });
        else show((before) => failed(before, key, answer.problem));
      },
      () => undefined,
    );
    return () => leaving.abort();
  }, [key, reloads, signedIn]);
  useEffect(() => {
    if (everyMilliseconds === undefined) return undefined;
    return wait(everyMilliseconds, () => {
      if (!busy.current) reload();
    });
  }, [everyMilliseconds, reload]);
  return { content: state.content, problem: state.problem, isOld: state.key !== key, reload };
};
