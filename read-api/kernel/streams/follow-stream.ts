/** One client's way through the log: everything of its tenant once and in order, however slowly it reads. */
import { isLeft } from 'fp-ts/Either';
import type { ServerSentEvent } from '../../../infra/http/routing/route';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import type { LiveLog } from './live-log';
import type { StreamEvent } from './stream-event';

export interface Subscriber {
  readonly tenantId: string;
  /** Exclusive. */
  readonly after: bigint;
  readonly signal: AbortSignal;
  /** Everything of the tenant when it is absent. */
  readonly wanted?: (told: StreamEvent) => boolean;
  /** The aggregate that is wanted, where it is only one: the past of others is not read. */
  readonly key?: string | undefined;
}

type Step =
  | { readonly kind: 'told'; readonly told: StreamEvent }
  | { readonly kind: 'caught-up'; readonly position: bigint };

/** Number of other events after which a quiet client gets a checkpoint, so that it resumes near the head. */
const checkpointEvery = 500;

const wants = ({ tenantId, wanted = () => true }: Subscriber, told: StreamEvent): boolean =>
  told.tenantId === tenantId && wanted(told);

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
      for (const told of page.right.told) if (wants(follower, told)) yield { kind: 'told', told };
      position = page.right.through;
      continue;
    }
    const told = nextFromRing(live, follower, position);
    // A page of older events may end further on than the subscription has come.
    position = told?.position ?? later(position, live.last());
    caughtUp ||= told === undefined;
    if (told !== undefined) live.streamMetrics.delivered(live.name, performance.now() - told.receivedAt);
    yield told === undefined ? { kind: 'caught-up', position } : { kind: 'told', told };
    if (told === undefined && live.last() <= position) await live.waitFor(tenantId, signal);
  }
  return undefined;
}

/** Nothing to resume after while the log is empty. */
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
      if (step.value.kind === 'told') yield step.value.told.sent;
      else yield checkpointEvent(ready ? 'checkpoint' : 'ready', idAt(step.value.position));
      ready ||= quiet;
    }
  } finally {
    await walk.return(undefined);
  }
}
