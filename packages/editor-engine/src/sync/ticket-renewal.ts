/** Sends a fresh ticket before the current one expires. */
import type { Platform } from '../ports/platform';
import type { Transport } from '../ports/transport';

const earlyMilliseconds = 20_000;
const minDelayMilliseconds = 1_000;
/** Upper bound of timers. */
const maxTimerMilliseconds = 2_000_000_000;

const dueIn = (expiresAt: number, now: number): number => {
  const rest = expiresAt - now;
  const wanted = Math.max(rest - earlyMilliseconds, Math.min(rest / 2, earlyMilliseconds), minDelayMilliseconds);
  return Math.min(wanted, maxTimerMilliseconds);
};

interface RenewalSource {
  readonly platform: Platform;
  readonly transport: Transport;
}

export interface TicketRenewal {
  /** The expiry reported by the server, if the client does not know it. */
  readonly setExpiry: (expiresAt: number | undefined) => void;
  readonly stop: () => void;
}

/** After a failed renewal, the owner closes the socket. */
export const startTicketRenewal = (
  { platform, transport }: RenewalSource,
  show: (ticket: string) => void,
): TicketRenewal => {
  let cancel: (() => void) | undefined;
  let isOver = false;
  let lasts: number | undefined;
  const at = (expiresAt: number | undefined): void => {
    if (expiresAt === undefined || transport.ticket === undefined || isOver) return;
    lasts = expiresAt - platform.now();
    cancel?.();
    cancel = platform.schedule(dueIn(expiresAt, platform.now()), () => void renew().catch(() => undefined));
  };
  const renew = async (): Promise<void> => {
    const fresh = await transport.ticket?.();
    if (fresh === undefined || isOver) return;
    show(fresh.ticket);
    // Without an expiry, it lasts as long as the previous one.
    at(fresh.expiresAt ?? (lasts === undefined ? undefined : platform.now() + lasts));
  };
  at(transport.expiresAt?.());
  return {
    setExpiry: (expiresAt) => (cancel === undefined ? at(expiresAt) : undefined),
    stop: () => {
      isOver = true;
      cancel?.();
    },
  };
};
