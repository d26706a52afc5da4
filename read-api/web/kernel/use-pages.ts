/** A paged list: loads the first page at once, further pages on demand. */
import { useEffect, useState } from 'preact/hooks';
import { nextPage, type PageRequest } from '../../../packages/client/src/operations';
import { read } from './api-client';
import type { Problem } from './problem';
import { type ResourceOptions, useResource } from './use-resource';

interface Page<Item> {
  readonly items: readonly Item[];
}

export interface Pages<Item> {
  readonly items: readonly Item[] | undefined;
  readonly problem: Problem | undefined;
  readonly reload: () => void;
  /** Undefined: there are no more. */
  readonly more: (() => void) | undefined;
  readonly isLoading: boolean;
}

interface Rest<Item> {
  readonly of: Page<Item> | undefined;
  readonly items: readonly Item[];
  readonly next: PageRequest<Page<Item>> | undefined;
  readonly problem: Problem | undefined;
}

/** With an interval, the first page is loaded again; further ones are shown again on demand. Without a request, nothing is loaded yet. */
export const usePages = <Item>(
  request: PageRequest<Page<Item>> | undefined,
  options: ResourceOptions = {},
): Pages<Item> => {
  const first = useResource(request, options);
  const page = request === undefined ? undefined : first.content;
  const none = { of: page, items: [], next: undefined, problem: undefined };
  const [rest, setRest] = useState<Rest<Item>>(none);
  const [isLoading, setLoading] = useState(false);
  useEffect(() => {
    setRest(page === undefined || request === undefined ? none : { ...none, next: nextPage(request, page) });
  }, [page]);
  const known = rest.of === page ? rest : none;
  const { next } = known;
  const more = async (wanted: PageRequest<Page<Item>>): Promise<void> => {
    setLoading(true);
    const answer = await read(wanted);
    setLoading(false);
    setRest((before) => {
      if (before.of !== page || before.next !== wanted) return before;
      if (!answer.ok) return { ...before, problem: answer.problem };
      const { content } = answer;
      return { ...none, items: [...before.items, ...content.items], next: nextPage(wanted, content) };
    });
  };
  return {
    items: page === undefined ? undefined : [...page.items, ...known.items],
    problem: request === undefined ? undefined : (first.problem ?? known.problem),
    reload: first.reload,
    more: next === undefined || first.isOld ? undefined : () => void more(next),
    isLoading,
  };
};
