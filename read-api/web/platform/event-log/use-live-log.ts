/** Live events for a page: newest first, bounded, buffered while paused. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { followPlatformLog, listPlatformLog } from '../../../../packages/client/src/operations';
import { read } from '../../kernel/api-client';
import { followLive, type Liveness } from '../../kernel/event-stream';
import { signIns } from '../../kernel/session';
import { fromAddress } from '../../kernel/use-filter-input';
import type { EventRow } from '../api-types';

export const maxVisible = 500;
const visibleAtFirst = 50;

interface LiveLog {
  readonly events: readonly EventRow[];
  readonly buffered: readonly EventRow[];
  /** Also counts events beyond the buffer. */
  readonly bufferedCount: number;
}

export interface LogFilter {
  readonly context: string;
  readonly type: string;
}

const emptyLog: LiveLog = { events: [], buffered: [], bufferedCount: 0 };

/** The page and the stream may overlap; events are ordered by position. */
const added = (events: readonly EventRow[], more: readonly EventRow[]): readonly EventRow[] => {
  const known = new Set(events.map(({ position }) => position));
  const all = [...more.filter(({ position }) => !known.has(position)), ...events];
  return all.sort((one, other) => (BigInt(one.position) < BigInt(other.position) ? 1 : -1)).slice(0, maxVisible);
};

/** Batches events into one render. */
const batchMilliseconds = 80;

/** Returns the function that adds an event to the next batch. */
const batched = (show: (events: readonly EventRow[]) => void) => {
  let fresh: EventRow[] = [];
  const flush = (): void => {
    const events = fresh;
    fresh = [];
    show(events);
  };
  return (event: EventRow): void => {
    if (fresh.length === 0) setTimeout(flush, batchMilliseconds);
    fresh.push(event);
  };
};

export const useLiveLog = (wanted: LogFilter) => {
  const [log, setLog] = useState<LiveLog>(emptyLog);
  const [isPaused, setPaused] = useState(false);
  const [state, setState] = useState<Liveness>({ kind: 'connecting' });
  const [isLoaded, setLoaded] = useState(false);
  const paused = useRef(isPaused);
  paused.current = isPaused;
  const signedIn = signIns.value;
  const { context, type } = wanted;
  // Events of the filter before are not of this one.
  useEffect(() => {
    setLog(emptyLog);
    setLoaded(false);
  }, [context, type]);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const take = (more: readonly EventRow[], isNew: boolean): void =>
      setLog((before) => {
        if (signal.aborted) return before;
        if (!paused.current || !isNew) return { ...before, events: added(before.events, more) };
        return { ...before, buffered: added(before.buffered, more), bufferedCount: before.bufferedCount + more.length };
      });
    const onEvent = batched((events) => take(events, true));
    void followLive(followPlatformLog(fromAddress({ context, type })), { signal, onEvent, onState: setState });
    const newest = listPlatformLog(fromAddress({ direction: 'backwards', limit: visibleAtFirst, context, type }));
    read(newest, signal)
      .then(
        (answer) => answer.ok && take(answer.content.items, false),
        () => undefined,
      )
      .finally(() => !signal.aborted && setLoaded(true));
    return () => leaving.abort();
  }, [context, type, signedIn]);
  const toggle = (): void => {
    setPaused(!isPaused);
    if (isPaused)
      setLog(({ events, buffered }) => ({ events: added(events, buffered), buffered: [], bufferedCount: 0 }));
  };
  const clear = (): void => setLog(emptyLog);
  return { events: log.events, isLoaded, bufferedCount: log.bufferedCount, isPaused, state, toggle, clear };
};
