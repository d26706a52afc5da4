/** One client's changes of the security state: those it missed, those that come, and signs that it misses none. */
import { endEvent, ends } from '../../infra/http/ends';
import type { ServerSentEvent } from '../../infra/http/route';
import type { SecurityChange, SecurityKnowledge, SecuritySignal } from '../../infra/ports/security-state';
import { writeChange } from '../../infra/security-state/wire';

export interface Tail {
  readonly mayKnow: (change: SecurityChange) => boolean;
  /** Exclusive; null: everything that is remembered. */
  readonly after: bigint | null;
  readonly heartbeatMilliseconds: number;
  readonly signal: AbortSignal;
}

/** A client that is further behind than that comes back and is told the rest at once. */
const mostWaiting = 20_000;

/** The id says up to where nothing is missing, which what comes ahead of the log's own word does not change. */
const eventOf = (security: SecurityKnowledge, event: string, content: unknown): ServerSentEvent => {
  const sequence = security.sequence();
  return { ...(sequence === null ? {} : { id: String(sequence) }), event, data: JSON.stringify(content) };
};

const changed = (security: SecurityKnowledge, change: SecurityChange): ServerSentEvent =>
  eventOf(security, 'security_state_changed', writeChange(change));

const heartbeat = (security: SecurityKnowledge): ServerSentEvent => {
  const sequence = security.sequence();
  return eventOf(security, 'heartbeat', { sequence: sequence === null ? null : String(sequence) });
};

/** A sequence that is not reached here may be of another log, or of one that was set back: it says nothing. */
const missed = (security: SecurityKnowledge, after: bigint | null): readonly SecurityChange[] => {
  const known = security.sequence();
  return security.changesAfter(after !== null && known !== null && after <= known ? after : null);
};

/** Of what is heard, what is told: every change that may be known, and a sign of life now and then. */
const telling = (security: SecurityKnowledge, { mayKnow, heartbeatMilliseconds }: Tail) => {
  let beatAt = Number.NEGATIVE_INFINITY;
  return (signal: SecuritySignal): readonly ServerSentEvent[] => {
    if (signal.kind !== 'heartbeat') return mayKnow(signal) ? [changed(security, signal)] : [];
    const now = performance.now();
    // Heard more often than told, and never quite on time.
    if (now - beatAt < heartbeatMilliseconds * 0.9) return [];
    beatAt = now;
    return [heartbeat(security)];
  };
};

export async function* tailSecurity(security: SecurityKnowledge, tail: Tail): AsyncGenerator<ServerSentEvent, void> {
  const { mayKnow, after, signal } = tail;
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
    for (const change of missed(security, after).filter(mayKnow)) yield changed(security, change);
    yield heartbeat(security);
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
