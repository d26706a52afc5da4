/** Sends a ping on a quiet socket and reports a missing answer. */
import type { Platform } from '../ports/platform';

export interface Heartbeat {
  readonly reset: () => void;
  readonly stop: () => void;
}

const quietMilliseconds = 5_000;
/** Ten seconds in all after the last message. */
const pongTimeoutMilliseconds = 5_000;

export const heartbeat = (platform: Platform, ping: () => void, dead: () => void): Heartbeat => {
  let receivedAt = platform.now();
  let pingedAt: number | undefined;
  let cancel: () => void;
  const look = (): void => {
    const now = platform.now();
    // Measured from the ping, not from the last message: timers of hidden pages run minutes late.
    if (pingedAt !== undefined && now - pingedAt >= pongTimeoutMilliseconds) {
      dead();
      return;
    }
    if (pingedAt === undefined && now - receivedAt >= quietMilliseconds) {
      pingedAt = now;
      ping();
    }
    again();
  };
  const again = (): void => {
    cancel = platform.schedule(quietMilliseconds / 2, look);
  };
  again();
  return {
    reset: () => {
      receivedAt = platform.now();
      pingedAt = undefined;
    },
    stop: () => cancel(),
  };
};
