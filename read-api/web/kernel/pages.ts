/** A list that comes in pages: the first with the page itself, more when asked for. */
import { useEffect, useState } from 'preact/hooks';
import { ask } from './api';
import type { Problem } from './problem';
import { useResource } from './resource';

interface Page<Item> {
  readonly items: readonly Item[];
  /** Not there on the last page, or null. */
  readonly next?: string | number | null;
  readonly next_cursor?: string | null;
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
  readonly next: string | undefined;
  readonly problem: Problem | undefined;
}

const nextOf = <Item>({ next, next_cursor: cursor }: Page<Item>): string | undefined => {
  const after = next ?? cursor ?? undefined;
  return after === undefined ? undefined : String(after);
};

/** `at` names the path of the page after one, or of the first. */
export const usePages = <Item>(at: (after: string | undefined) => string): Pages<Item> => {
  const first = useResource<Page<Item>>(at(undefined));
  const [rest, setRest] = useState<Rest<Item>>({ of: undefined, items: [], next: undefined, problem: undefined });
  const [isLoading, setLoading] = useState(false);
  const page = first.content;
  useEffect(() => {
    setRest({ of: page, items: [], next: page === undefined ? undefined : nextOf(page), problem: undefined });
  }, [page]);
  const known = rest.of === page ? rest : { items: [], next: undefined, problem: undefined };
  const more = async (after: string): Promise<void> => {
    setLoading(true);
    const answer = await ask<Page<Item>>(at(after));
    setLoading(false);
    setRest((before) => {
      if (before.of !== page || before.next !== after) return before;
      if (!answer.ok) return { ...before, problem: answer.problem };
      const items = [...before.items, ...answer.content.items];
      return { of: page, items, next: nextOf(answer.content), problem: undefined };
    });
  };
  const { next } = known;
  return {
    items: page === undefined ? undefined : [...page.items, ...known.items],
    problem: first.problem ?? known.problem,
    reload: first.reload,
    more: next === undefined || first.isOld ? undefined : () => void more(next),
    isLoading,
  };
};
