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
}

type Step = { readonly kind: 'told'; readonly told: Told } | { readonly kind: 'caught-up'; readonly position: bigint };

/** Foreign events that go by before a quiet client is told where it stands, so that it need not resume from far back. */
const checkpointEvery = 500;

/** The ring's next event of the tenant; passes those of others. */
const nextOf = (live: Live, tenantId: string, after: bigint): Told | undefined => {
  let next = live.next(after);
  while (next !== undefined && next.tenantId !== tenantId) next = live.next(next.position);
  return next;
};

const later = (one: bigint, other: bigint): bigint => (one > other ? one : other);

async function* steps(
  live: Live,
  { tenantId, after, signal }: Follower,
): AsyncGenerator<Step, EventStoreFault | undefined> {
  for (let position = after; !signal.aborted; ) {
    if (position < live.floor()) {
      const page = await live.older(tenantId, position);
      if (isLeft(page)) return page.left;
      for (const told of page.right.told) yield { kind: 'told', told };
      position = page.right.through;
      continue;
    }
    const told = nextOf(live, tenantId, position);
    // A page of older events may end further on than the subscription has come.
    position = told?.position ?? later(position, live.last());
    yield told === undefined ? { kind: 'caught-up', position } : { kind: 'told', told };
    if (told === undefined && live.last() <= position) await live.heard(signal);
  }
  return undefined;
}

const mark = (event: 'ready' | 'checkpoint', position: bigint): ServerSentEvent => ({
  ...(position < 0n ? {} : { id: String(position) }),
  event,
  data: JSON.stringify({ position: position < 0n ? null : String(position) }),
});

/** Returns a fault when the log cannot be read; the client then resumes with a new request. */
export async function* follow(
  live: Live,
  follower: Follower,
): AsyncGenerator<ServerSentEvent, EventStoreFault | undefined> {
  const walk = steps(live, follower);
  let ready = false;
  let counted = live.seen();
  try {
    for (let step = await walk.next(); ; step = await walk.next()) {
      if (step.done === true) return step.value;
      const quiet = step.value.kind === 'caught-up';
      if (quiet && ready && live.seen() - counted < checkpointEvery) continue;
      counted = live.seen();
      if (step.value.kind === 'told') yield step.value.told.sent;
      else yield mark(ready ? 'checkpoint' : 'ready', step.value.position);
      ready ||= quiet;
    }
  } finally {
    await walk.return(undefined);
  }
}
