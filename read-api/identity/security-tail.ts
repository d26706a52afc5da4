/** One client's changes of the security state: those it missed, those that come, and signs that it misses none. */
import { endEvent, ends } from '../../infra/http/ends';
import type { ServerSentEvent } from '../../infra/http/route';
import type { SecurityChange, SecurityKnowledge, SecuritySignal } from '../../infra/ports/security-state';
import { writeChange } from '../../infra/security-state/wire';

export interface Tail {
  readonly mayKnow: (change: SecurityChange) => boolean;
  /** Whose changes these are, beside those of everybody; null: all tenants'. */
  readonly tenantId: string | null;
  /** Exclusive; null: everything that is remembered. */
  readonly after: bigint | null;
  readonly heartbeatMilliseconds: number;
  readonly signal: AbortSignal;
}

/** A client that is further behind than that comes back and is told the rest at once. */
const mostWaiting = 20_000;

/** `upTo` says up to where nothing is missing, which what comes ahead of the log's own word does not change. */
const eventOf = (upTo: bigint | null, event: string, content: unknown): ServerSentEvent => ({
  ...(upTo === null ? {} : { id: String(upTo) }),
  event,
  data: JSON.stringify(content),
});

const changed = (upTo: bigint | null, change: SecurityChange): ServerSentEvent =>
  eventOf(upTo, 'security_state_changed', writeChange(change));

const heartbeat = (upTo: bigint | null, { tenantId }: Tail): ServerSentEvent =>
  eventOf(upTo, 'heartbeat', { sequence: upTo === null ? null : String(upTo), tenantId });

/**
 * Everything that was missed, under the id that it is missed from: who is cut off in the middle is told all of it again. A
 * sequence that is not reached here may be of another log, or of one that was set back: it says nothing.
 */
function* missed(security: SecurityKnowledge, tail: Tail) {
  const { mayKnow, after, heartbeatMilliseconds } = tail;
  const known = security.sequence();
  const from = after !== null && known !== null && after <= known ? after : null;
  // Old knowledge does not become young by being asked for again.
  const isFresh = security.stalenessMilliseconds() <= 2 * heartbeatMilliseconds;
  for (const change of security.changesAfter(from).filter(mayKnow)) yield changed(from ?? 0n, change);
  if (isFresh) yield heartbeat(known, tail);
}

/** Of what is heard, what is told: every change that may be known, and a sign of life now and then. */
const telling = (security: SecurityKnowledge, tail: Tail) => {
  const { mayKnow, heartbeatMilliseconds } = tail;
  let beatAt = Number.NEGATIVE_INFINITY;
  return (signal: SecuritySignal): readonly ServerSentEvent[] => {
    if (signal.kind !== 'heartbeat') return mayKnow(signal) ? [changed(security.sequence(), signal)] : [];
    const now = performance.now();
    // Heard more often than told, and never quite on time.
    if (now - beatAt < heartbeatMilliseconds * 0.9) return [];
    beatAt = now;
    return [heartbeat(security.sequence(), tail)];
  };
};

export async function* tailSecurity(security: SecurityKnowledge, tail: Tail): AsyncGenerator<ServerSentEvent, void> {
  const { signal } = tail;
  const waiting: ServerSentEvent[] = [];
  let wake = (): void => undefined;
  const wakeUp = (): void => wake();
  const tell = telling(security, tail);
  const stop = security.watch((heard) => {
    waiting.push(...tell(heard));
    wakeUp();
  });
  signal.addEventListener('abort', wakeUp, { once: true });
  try {
    yield* missed(security, tail);
    while (!signal.aborted && waiting.length < mostWaiting) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    if (!signal.aborted) yield endEvent(ends.unavailable);
  } finally {
    stop();
    signal.removeEventListener('abort', wakeUp);
  }
}
