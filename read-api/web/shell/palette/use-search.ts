/** Results of a text: pages at once, the rest from the server after a pause in typing. */
import { useEffect, useState } from 'preact/hooks';
import type { Who } from '../../kernel/session';
import { findPages, type Hit, type Source, sourcesFor } from './sources';

const debounceMilliseconds = 180;
/** Below it, nearly everything would match. */
const minTextLength = 2;

export interface HitGroup {
  readonly title: string;
  readonly hits: readonly Hit[];
}

export interface SearchResults {
  readonly groups: readonly HitGroup[];
  readonly isSearching: boolean;
  /** Kinds that could not be searched. */
  readonly failed: readonly string[];
}

interface Found {
  readonly text: string;
  readonly groups: readonly HitGroup[];
  readonly failed: readonly string[];
}

interface Search {
  readonly text: string;
  readonly signal: AbortSignal;
}

const searchAll = async (sources: readonly Source[], { text, signal }: Search): Promise<Found> => {
  const settled = await Promise.allSettled(sources.map(({ find }) => find(text, signal)));
  signal.throwIfAborted();
  const groups = sources.map(({ title }, index) => {
    const outcome = settled[index];
    return { title, hits: outcome?.status === 'fulfilled' ? outcome.value : [] };
  });
  const failed = sources.filter((_, index) => settled[index]?.status === 'rejected').map(({ title }) => title);
  return { text, groups, failed };
};

export const useSearch = (who: Who, typed: string): SearchResults => {
  const text = typed.trim();
  const [found, setFound] = useState<Found>({ text: '', groups: [], failed: [] });
  const isLongEnough = text.length >= minTextLength;
  useEffect(() => {
    if (!isLongEnough) return undefined;
    const leaving = new AbortController();
    const { signal } = leaving;
    const timer = setTimeout(() => {
      searchAll(sourcesFor(who), { text, signal }).then(setFound, () => undefined);
    }, debounceMilliseconds);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [text, isLongEnough, who]);
  const isCurrent = isLongEnough && found.text === text;
  const groups = [{ title: 'Pages', hits: findPages(who, text) }, ...(isCurrent ? found.groups : [])];
  return {
    groups: groups.filter(({ hits }) => hits.length > 0),
    isSearching: isLongEnough && !isCurrent,
    failed: isCurrent ? found.failed : [],
  };
};
