/** Sends one subscriber the events of its tenant, each once and in order, at the speed at which the client reads. */
import { isLeft } from 'fp-ts/Either';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import type { ServerSentEvent } from '../../../infra/server/http/routing/route';
import type { LiveLog } from './live-log';
import type { StreamEvent } from './stream-event';

export interface Subscriber {
  readonly tenantId: string;
  /** Exclusive. */
  readonly after: bigint;
  readonly signal: AbortSignal;
  /** Absent: the subscriber receives every event of the tenant. */
  readonly wanted?: (event: StreamEvent) => boolean;
  /** Set when the subscriber follows one aggregate: past events of others are not read. */
  readonly key?: string | undefined;
}

type Step =
  | { readonly kind: 'event'; readonly event: StreamEvent }
  | { readonly kind: 'caught-up'; readonly position: bigint };

/** Number of other events after which a quiet client gets a checkpoint, so that it resumes near the head. */
const checkpointEvery = 500;

const wants = ({ tenantId, wanted = () => true }: Subscriber, event: StreamEvent): boolean =>
  event.tenantId === tenantId && wanted(event);

/** The ring's next matching event. */
const nextFromRing = (live: LiveLog, follower: Subscriber, after: bigint): StreamEvent | undefined => {
  let next = live.next(after);
  while (next !== undefined && !wants(follower, next)) next = live.next(next.position);
  return next;
};

const later = (one: bigint, other: bigint): bigint => (one > other ? one : other);

async function* readSteps(live: LiveLog, follower: Subscriber): AsyncGenerator<Step, EventStoreFault | undefined> {
  const { tenantId, signal, key } = follower;
  let caughtUp = false;
  for (let position = follower.after; !signal.aborted; ) {
    if (position < live.floor()) {
      if (caughtUp) live.streamMetrics.fellBack(live.name);
      caughtUp = false;
      const page = await live.older(tenantId, position, key);
      if (isLeft(page)) return page.left;
      for (const event of page.right.events) if (wants(follower, event)) yield { kind: 'event', event };
      position = page.right.through;
      continue;
    }
    const event = nextFromRing(live, follower, position);
    // The last page of older events may end beyond the last event that the hub has received.
    position = event?.position ?? later(position, live.last());
    caughtUp ||= event === undefined;
    if (event !== undefined) live.streamMetrics.delivered(live.name, performance.now() - event.receivedAt);
    yield event === undefined ? { kind: 'caught-up', position } : { kind: 'event', event };
    if (event === undefined && live.last() <= position) await live.waitFor(tenantId, signal);
  }
  return undefined;
}

/** Without an id while the log is empty: there is no position to resume after. */
const checkpointEvent = (event: 'ready' | 'checkpoint', id: string | undefined): ServerSentEvent => ({
  ...(id === undefined ? {} : { id }),
  event,
  data: JSON.stringify({ position: id ?? null }),
});

/** Returns a fault when the log cannot be read; the client then resumes with a new request. */
export async function* followStream(
  live: LiveLog,
  follower: Subscriber,
): AsyncGenerator<ServerSentEvent, EventStoreFault | undefined> {
  const walk = readSteps(live, follower);
  const idAt = (position: bigint) => (position < 0n ? undefined : live.idOf(follower.tenantId, position));
  let ready = false;
  let counted = live.seen();
  try {
    for (let step = await walk.next(); ; step = await walk.next()) {
      if (step.done === true) return step.value;
      const quiet = step.value.kind === 'caught-up';
      if (quiet && ready && live.seen() - counted < checkpointEvery) continue;
      counted = live.seen();
      if (step.value.kind === 'event') yield step.value.event.sent;
      else yield checkpointEvent(ready ? 'checkpoint' : 'ready', idAt(step.value.position));
      ready ||= quiet;
    }
  } finally {
    await walk.return(undefined);
  }
}
