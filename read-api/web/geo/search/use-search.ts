/** Answers of a search: the first page at once, further pages on demand. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { searchPlaces } from '../../../../packages/client/src/operations';
import type { PlaceSearchAnswer, PlaceSearchResult } from '../../../../packages/client/src/schemas';
import { read } from '../../kernel/api-client';
import type { Problem } from '../../kernel/problem';
import { fromAddress } from '../../kernel/use-filter-input';
import { useResource } from '../../kernel/use-resource';
import { type SearchFields, searchParameters } from './search-fields';

export interface Search {
  readonly places: readonly PlaceSearchResult[] | undefined;
  readonly warnings: readonly string[];
  /** Of the first page. */
  readonly problem: Problem | undefined;
  readonly reload: () => void;
  /** Undefined: there are no more. */
  readonly more: (() => void) | undefined;
  /** Of a further page. */
  readonly moreProblem: Problem | undefined;
  readonly isLoading: boolean;
}

interface Rest {
  readonly of: PlaceSearchAnswer | undefined;
  readonly pages: readonly PlaceSearchAnswer[];
  readonly problem: Problem | undefined;
}

/** Places may move between pages while they change; a place is listed once. */
const distinct = (places: readonly PlaceSearchResult[]): readonly PlaceSearchResult[] => [
  ...new Map(places.map((place) => [place.entity_id, place])).values(),
];

const nothingMore = { pages: [], problem: undefined };

/** Without fields nothing is searched: the point is not known yet. */
export const useSearch = (fields: SearchFields | undefined): Search => {
  const request = fields === undefined ? undefined : searchPlaces(fromAddress(searchParameters(fields)));
  const { content: first, problem, isOld, reload } = useResource(request);
  const [rest, setRest] = useState<Rest>({ of: undefined, pages: [], problem: undefined });
  const [isLoading, setLoading] = useState(false);
  useEffect(() => setRest({ of: first, pages: [], problem: undefined }), [first]);
  const { pages, problem: moreProblem } = rest.of === first ? rest : nothingMore;
  const cursor = (pages.at(-1) ?? first)?.next_cursor ?? null;
  const more = async (after: string): Promise<void> => {
    if (request === undefined) return;
    setLoading(true);
    const answer = await read(searchPlaces({ ...request.input, cursor: after }));
    setLoading(false);
    setRest((before) => {
      if (before.of !== first) return before;
      if (!answer.ok) return { ...before, problem: answer.problem };
      return { of: first, pages: [...before.pages, answer.content], problem: undefined };
    });
  };
  const loadedPages = useMemo(() => (first === undefined ? [] : [first, ...pages]), [first, pages]);
  const places = useMemo(() => distinct(loadedPages.flatMap(({ results }) => results)), [loadedPages]);
  // The pages' point in time is over, so they begin again.
  const isOver = moreProblem?.status === 410;
  const next = cursor === null || isOld ? undefined : () => void more(cursor);
  return {
    places: first === undefined || request === undefined ? undefined : places,
    warnings: [...new Set(loadedPages.flatMap(({ warnings }) => warnings))],
    problem,
    reload,
    more: isOver ? reload : next,
    moreProblem,
    isLoading,
  };
};
