/** Folded state of the streams used last, and one command at a time per stream; see docs/decisions/0005-warm-state.md. */
import type { Loaded } from './loaded';

interface Entry {
  readonly decider: object;
  readonly loaded: Loaded<unknown>;
  readonly size: number;
}

export interface WarmLimits {
  readonly streams: number;
  /** Of all streams together: memory grows with events, not with streams. */
  readonly events: number;
  /** A longer stream is read anew each time. */
  readonly longest: number;
}

export interface Warm {
  /** Undefined when nothing is kept, or it was folded by another decider. */
  readonly find: <State>(decider: { readonly initial: State }, stream: string) => Loaded<State> | undefined;
  readonly keep: <State>(decider: { readonly initial: State }, stream: string, loaded: Loaded<State>) => void;
  readonly forget: (stream: string) => void;
  /** Lets go of all of it: state may hold what was personal and is forgotten now. */
  readonly clear: () => void;
  /** Runs tasks of one stream one after another: commands of one process never conflict with each other. */
  readonly inTurn: <Result>(stream: string, task: () => Promise<Result>) => Promise<Result>;
}

const openTurns = (): Warm['inTurn'] => {
  const last = new Map<string, Promise<unknown>>();
  return (stream, task) => {
    const before = last.get(stream);
    const next = (): ReturnType<typeof task> => task();
    const run = before === undefined ? task() : before.then(next, next);
    const over = (): void => {
      if (last.get(stream) === run) last.delete(stream);
    };
    last.set(stream, run);
    run.then(over, over);
    return run;
  };
};

const usual: WarmLimits = { streams: 20_000, events: 200_000, longest: 20_000 };

export const openWarm = (given: Partial<WarmLimits> = {}): Warm => {
  const limits = { ...usual, ...given };
  // The order of insertion is the order of use.
  const entries = new Map<string, Entry>();
  let events = 0;
  const forget = (stream: string): void => {
    events -= entries.get(stream)?.size ?? 0;
    entries.delete(stream);
  };
  const add = (stream: string, entry: Entry): void => {
    forget(stream);
    events += entry.size;
    entries.set(stream, entry);
  };
  const shrink = (): void => {
    for (const stream of entries.keys()) {
      if (entries.size <= limits.streams && events <= limits.events) return;
      forget(stream);
    }
  };
  return {
    find: <State>(decider: { readonly initial: State }, stream: string) => {
      const entry = entries.get(stream);
      if (entry?.decider !== decider) return undefined;
      add(stream, entry);
      return entry.loaded as Loaded<State>;
    },
    keep: (decider, stream, loaded) => {
      const size = loaded.revision + 1;
      // Nothing is not kept either: asking for what is not there must not push out what is.
      if (size === 0 || size > limits.longest) return forget(stream);
      add(stream, { decider, loaded, size });
      shrink();
    },
    forget,
    clear: () => {
      entries.clear();
      events = 0;
    },
    inTurn: openTurns(),
  };
};
