/** Content of a page: loads it when the page opens, reloads it on demand and, optionally, at an interval. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { QueryRequest } from '../../../packages/client/src/operations';
import { keyOf, readTagged, type Tagged } from './api-client';
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
  /** Of the content. */
  readonly etag?: string | undefined;
}

/** What a request with the key was answered. */
const taggedOf = <Content>(state: State<Content>, key: string): Tagged<Content> | undefined =>
  state.key === key && state.content !== undefined ? { content: state.content, etag: state.etag } : undefined;

/** Unchanged content renders nothing. */
const loaded = <Content>(before: State<Content>, key: string, { content, etag }: Tagged<Content>): State<Content> =>
  before.key === key && before.content === content && before.problem === undefined
    ? before
    : { key, content, etag, problem: undefined };

/** After a 401 the content stays until the person signs in again; otherwise content of another request is dropped. */
const failed = <Content>(before: State<Content>, key: string, problem: Problem): State<Content> => {
  if (problem.status === 401) return { ...before, problem };
  return { key, content: undefined, ...taggedOf(before, key), problem };
};

export interface ResourceOptions {
  /** Reload interval while the page is visible and a person is signed in. */
  readonly everyMilliseconds?: number;
}

/** A page that was hidden is up to date as soon as it is visible again. */
const wait = (milliseconds: number, then: () => void): (() => void) => {
  const tick = (): void => {
    if (document.visibilityState === 'visible' && session.peek().kind === 'in') then();
  };
  const timer = setInterval(tick, milliseconds);
  document.addEventListener('visibilitychange', tick);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
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
  const latest = useRef(state);
  latest.current = state;
  useEffect(() => {
    if (request === undefined) return undefined;
    const leaving = new AbortController();
    busy.current = true;
    readTagged(request, { before: taggedOf(latest.current, key), signal: leaving.signal }).then(
      (answer) => {
        busy.current = false;
        if (answer.ok) show((before) => loaded(before, key, answer.content));
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
