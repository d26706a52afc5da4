/**
 * Concurrent readers of one stream share reads of the log. No reader gets the result of a read that began before its request: a reader
 * that comes while a read is under way waits for the next one, which all such readers share.
 */
import type { EventStore } from '../../../ports/event-store';

type Reading = ReturnType<EventStore['read']>;

interface Turn {
  readonly now: Reading;
  next: Reading | undefined;
}

export const coalesceReads = <Store extends EventStore>(store: Store): Store => {
  const turns = new Map<string, Turn>();
  const begin = (key: string, request: () => Reading): Reading => {
    const turn: Turn = { now: request(), next: undefined };
    turns.set(key, turn);
    const over = (): void => {
      if (turn.next === undefined) turns.delete(key);
    };
    turn.now.then(over, over);
    return turn.now;
  };
  const read: EventStore['read'] = (stream, from = 0) => {
    const key = `${from} ${stream}`;
    const request = () => store.read(stream, from);
    const turn = turns.get(key);
    if (turn === undefined) return begin(key, request);
    const again = () => begin(key, request);
    turn.next ??= turn.now.then(again, again);
    return turn.next;
  };
  return { ...store, read };
};
