/** Shows a fresh ticket on an open line before what it was opened with ends. */
import type { Platform } from '../ports/platform';
import type { Transport } from '../ports/transport';

const earlyMilliseconds = 20_000;
const minDelayMilliseconds = 1_000;
/** Timers take no more. */
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
  /** As the owner has it, where nobody here knows. */
  readonly setExpiry: (expiresAt: number | undefined) => void;
  readonly stop: () => void;
}

/** One that fails shows when the owner ends the line. */
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
    cancel = platform.later(dueIn(expiresAt, platform.now()), () => void renew().catch(() => undefined));
  };
  const renew = async (): Promise<void> => {
    const fresh = await transport.ticket?.();
    if (fresh === undefined || isOver) return;
    show(fresh.ticket);
    // Where it does not say how long it is good for, it is as long as the one before.
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
