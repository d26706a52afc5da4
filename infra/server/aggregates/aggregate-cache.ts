/** A bounded cache of loaded aggregates, least recently used out first; see docs/decisions/0005-aggregate-cache.md. */
import type { LoadedAggregate } from './loaded-aggregate';

interface Entry {
  readonly decider: object;
  readonly loaded: LoadedAggregate<unknown>;
  readonly size: number;
}

export interface AggregateCacheLimits {
  readonly streams: number;
  /** Of all cached streams together: memory grows with events, not with streams. */
  readonly events: number;
  /** In events. A longer stream is not cached. */
  readonly longest: number;
}

type Key<State> = { readonly initial: State };

export interface AggregateCache {
  /** Undefined when nothing is cached, or it was folded by another decider. */
  readonly find: <State>(decider: Key<State>, stream: string) => LoadedAggregate<State> | undefined;
  readonly set: <State>(decider: Key<State>, stream: string, loaded: LoadedAggregate<State>) => void;
  readonly delete: (stream: string) => void;
  /** For erasures: cached state may contain personal data that was erased since. */
  readonly clear: () => void;
}

const defaultLimits: AggregateCacheLimits = { streams: 20_000, events: 200_000, longest: 20_000 };

export const createAggregateCache = (overrides: Partial<AggregateCacheLimits> = {}): AggregateCache => {
  const limits = { ...defaultLimits, ...overrides };
  // The order of insertion is the order of use.
  const entries = new Map<string, Entry>();
  let events = 0;
  const remove = (stream: string): void => {
    events -= entries.get(stream)?.size ?? 0;
    entries.delete(stream);
  };
  const add = (stream: string, entry: Entry): void => {
    remove(stream);
    events += entry.size;
    entries.set(stream, entry);
  };
  const shrink = (): void => {
    for (const stream of entries.keys()) {
      if (entries.size <= limits.streams && events <= limits.events) return;
      remove(stream);
    }
  };
  return {
    find: <State>(decider: Key<State>, stream: string) => {
      const entry = entries.get(stream);
      if (entry?.decider !== decider) return undefined;
      add(stream, entry);
      return entry.loaded as LoadedAggregate<State>;
    },
    set: (decider, stream, loaded) => {
      const size = loaded.revision + 1;
      // A stream without events is not cached: lookups of unknown names must not evict what exists.
      if (size === 0 || size > limits.longest) return remove(stream);
      add(stream, { decider, loaded, size });
      shrink();
    },
    delete: remove,
    clear: () => {
      entries.clear();
      events = 0;
    },
  };
};
