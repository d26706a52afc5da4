/** What a page shows of the server: asked when the page comes, again when something changed, and in between if it wishes. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ask } from './api';
import type { Problem } from './problem';
import { session, signIns } from './session';

export interface Resource<Content> {
  /** What was answered last, also while it is asked again. */
  readonly content: Content | undefined;
  readonly problem: Problem | undefined;
  /** The content is still that of the path before. */
  readonly isOld: boolean;
  readonly reload: () => void;
}

interface State<Content> {
  readonly path: string | undefined;
  readonly content: Content | undefined;
  readonly problem: Problem | undefined;
}

/** A page waits as it is for whoever must sign in again; what is of another path says nothing otherwise. */
const failed = <Content>(before: State<Content>, path: string, problem: Problem): State<Content> => {
  if (problem.status === 401) return { ...before, problem };
  return { path, content: before.path === path ? before.content : undefined, problem };
};

interface Options {
  /** Asked again so often, while the page is looked at by somebody who is signed in. */
  readonly everyMilliseconds?: number;
}

const wait = (milliseconds: number, then: () => void): (() => void) => {
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible' && session.peek().kind === 'in') then();
  }, milliseconds);
  return () => clearInterval(timer);
};

/** Undefined: there is nothing to ask yet. */
export const useResource = <Content>(
  path: string | undefined,
  { everyMilliseconds }: Options = {},
): Resource<Content> => {
  const [state, show] = useState<State<Content>>({ path, content: undefined, problem: undefined });
  const [asked, askAgain] = useState(0);
  const reload = useCallback(() => askAgain((count) => count + 1), []);
  const signedIn = signIns.value;
  const busy = useRef(false);
  useEffect(() => {
    if (path === undefined) return undefined;
    const leaving = new AbortController();
    busy.current = true;
    ask<Content>(path, { signal: leaving.signal }).then(
      (answer) => {
        busy.current = false;
        if (answer.ok) show({ path, content: answer.content, problem: undefined });
        else show((before) => failed(before, path, answer.problem));
      },
      () => undefined,
    );
    return () => leaving.abort();
  }, [path, asked, signedIn]);
  useEffect(() => {
    if (everyMilliseconds === undefined) return undefined;
    return wait(everyMilliseconds, () => {
      if (!busy.current) reload();
    });
  }, [everyMilliseconds, reload]);
  return { content: state.content, problem: state.problem, isOld: state.path !== path, reload };
};
