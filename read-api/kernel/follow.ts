/** One client's way through the log: everything of its tenant once and in order, however slowly it reads. */
import { isLeft } from 'fp-ts/Either';
import type { ServerSentEvent } from '../../infra/http/route';
import type { EventStoreFault } from '../../infra/ports/event-store';
import type { Live } from './hub';
import type { Told } from './told';

export interface Follower {
  readonly tenantId: string;
  /** Exclusive. */
  readonly after: bigint;
  readonly signal: AbortSignal;
  /** Everything of the tenant when it is absent. */
  readonly wanted?: (told: Told) => boolean;
  /** The aggregate that is wanted, where it is only one: the past of others is not read. */
  readonly key?: string | undefined;
}

type Step = { readonly kind: 'told'; readonly told: Told } | { readonly kind: 'caught-up'; readonly position: bigint };

/** Foreign events that go by before a quiet client is told where it stands, so that it need not resume from far back. */
const checkpointEvery = 500;

const wants = ({ tenantId, wanted = () => true }: Follower, told: Told): boolean =>
  told.tenantId === tenantId && wanted(told);

/** The ring's next event that is wanted; passes those of others. */
const nextOf = (live: Live, follower: Follower, after: bigint): Told | undefined => {
  let next = live.next(after);
  while (next !== undefined && !wants(follower, next)) next = live.next(next.position);
  return next;
};

const later = (one: bigint, other: bigint): bigint => (one > other ? one : other);

async function* steps(live: Live, follower: Follower): AsyncGenerator<Step, EventStoreFault | undefined> {
  const { tenantId, signal, key } = follower;
  let caughtUp = false;
  for (let position = follower.after; !signal.aborted; ) {
    if (position < live.floor()) {
      if (caughtUp) live.figures.fellBack(live.name);
      caughtUp = false;
      const page = await live.older(tenantId, position, key);
      if (isLeft(page)) return page.left;
      for (const told of page.right.told) if (wants(follower, told)) yield { kind: 'told', told };
      position = page.right.through;
      continue;
    }
    const told = nextOf(live, follower, position);
    // A page of older events may end further on than the subscription has come.
    position = told?.position ?? later(position, live.last());
    caughtUp ||= told === undefined;
    if (told !== undefined) live.figures.delivered(live.name, performance.now() - told.heardAt);
    yield told === undefined ? { kind: 'caught-up', position } : { kind: 'told', told };
    if (told === undefined && live.last() <= position) await live.heard(tenantId, signal);
  }
  return undefined;
}

/** Nothing to resume after while the log is empty. */
const mark = (event: 'ready' | 'checkpoint', id: string | undefined): ServerSentEvent => ({
  ...(id === undefined ? {} : { id }),
  event,
  data: JSON.stringify({ position: id ?? null }),
});

/** Returns a fault when the log cannot be read; the client then resumes with a new request. */
export async function* follow(
  live: Live,
  follower: Follower,
): AsyncGenerator<ServerSentEvent, EventStoreFault | undefined> {
  const walk = steps(live, follower);
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
      else yield mark(ready ? 'checkpoint' : 'ready', idAt(step.value.position));
      ready ||= quiet;
    }
  } finally {
    await walk.return(undefined);
  }
}
