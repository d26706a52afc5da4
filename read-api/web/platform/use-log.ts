/** Events of a stream for a page: the newest first, no more than can be read, held back while paused. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { follow, type Liveness } from '../kernel/live';
import { signIns } from '../kernel/session';
import type { EventRow } from './wire';

export const mostShown = 500;

interface Log {
  readonly events: readonly EventRow[];
  readonly held: readonly EventRow[];
  /** Counted on where no more are held. */
  readonly heldCount: number;
}

const nothing: Log = { events: [], held: [], heldCount: 0 };

const added = (events: readonly EventRow[], more: readonly EventRow[]): readonly EventRow[] =>
  [...more, ...events].slice(0, mostShown);

/** Many at once are shown at once. */
const batchMilliseconds = 80;

export const useLog = (path: string) => {
  const [log, setLog] = useState<Log>(nothing);
  const [isPaused, setPaused] = useState(false);
  const [state, setState] = useState<Liveness>({ kind: 'connecting' });
  const paused = useRef(isPaused);
  paused.current = isPaused;
  const signedIn = signIns.value;
  useEffect(() => {
    const leaving = new AbortController();
    let fresh: EventRow[] = [];
    const show = (): void => {
      const more = fresh.toReversed();
      fresh = [];
      setLog((before) => {
        if (!paused.current) return { ...before, events: added(before.events, more) };
        return { ...before, held: added(before.held, more), heldCount: before.heldCount + more.length };
      });
    };
    const onEvent = (data: unknown): void => {
      if (fresh.length === 0) setTimeout(show, batchMilliseconds);
      fresh.push(data as EventRow);
    };
    void follow({ path, signal: leaving.signal, onEvent, onState: setState });
    return () => leaving.abort();
  }, [path, signedIn]);
  const toggle = (): void => {
    setPaused(!isPaused);
    if (isPaused) setLog(({ events, held }) => ({ events: added(events, held), held: [], heldCount: 0 }));
  };
  const clear = (): void => setLog(nothing);
  return { events: log.events, held: log.heldCount, isPaused, state, toggle, clear };
};
