/** Subscribes to new events of the log and resumes after connection failures. */
import { isLeft } from 'fp-ts/Either';
import type { EventFilter, EventStore, StoredEvent } from '../../infra/ports/event-store';
import type { Log } from '../../infra/ports/runtime/log';
import { pause, resumeUntilAborted } from '../../infra/server/runtime/backoff';
import { logOutage } from '../../infra/server/runtime/outage';

export interface LogSubscription {
  readonly store: Pick<EventStore, 'head' | 'subscribeAll'>;
  readonly filter: EventFilter;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export interface LogSubscriber {
  /** Every event after this position is delivered; earlier ones may have been missed. */
  readonly onStart?: (head: bigint | null) => void;
  readonly onEvent: (event: StoredEvent) => void;
  /** No event before this position is still to be delivered. */
  readonly onCheckpoint?: (position: bigint) => void;
}

const pauseMilliseconds = 200;

/** Undefined if the signal was aborted first. */
const readHead = async ({
  store,
  signal,
}: Pick<LogSubscription, 'store' | 'signal'>): Promise<bigint | null | undefined> => {
  while (!signal.aborted) {
    const head = await store.head();
    if (!isLeft(head)) return head.right;
    await pause(pauseMilliseconds, signal);
  }
  return undefined;
};

/** Resolves after the signal. */
export const subscribeToLog = async (
  following: LogSubscription,
  { onStart, onEvent, onCheckpoint }: LogSubscriber,
): Promise<void> => {
  const { store, filter, log, signal } = following;
  const from = await readHead(following);
  if (from === undefined) return;
  onStart?.(from);
  let after = from;
  const follow = async (progress: () => void): Promise<void> => {
    for await (const item of store.subscribeAll({ after, filter, signal })) {
      progress();
      if (item.kind === 'caught-up') continue;
      if (item.kind === 'event') onEvent(item.event);
      else onCheckpoint?.(item.position);
      after = item.kind === 'event' ? item.event.position : item.position;
    }
  };
  await resumeUntilAborted(follow, {
    signal,
    ...logOutage(
      log,
      { failing: 'a subscription to the log broke; it is resumed', recovered: 'the subscription to the log is back' },
      { filter },
    ),
  });
};
