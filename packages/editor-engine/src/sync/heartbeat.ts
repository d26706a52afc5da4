/** Says something when it was quiet for a while, and tells when nobody answers. */
import type { Platform } from '../ports/platform';

export interface Heartbeat {
  readonly reset: () => void;
  readonly stop: () => void;
}

const quietMilliseconds = 5_000;
/** After the last thing that was heard and a ping it is ten seconds. */
const pongTimeoutMilliseconds = 5_000;

export const heartbeat = (platform: Platform, ping: () => void, dead: () => void): Heartbeat => {
  let heardAt = platform.now();
  let askedAt: number | undefined;
  let cancel: () => void;
  const look = (): void => {
    const now = platform.now();
    // Not by the time since something was heard: timers of hidden pages come minutes late, and no ping was sent before they do.
    if (askedAt !== undefined && now - askedAt >= pongTimeoutMilliseconds) {
      dead();
      return;
    }
    if (askedAt === undefined && now - heardAt >= quietMilliseconds) {
      askedAt = now;
      ping();
    }
    again();
  };
  const again = (): void => {
    cancel = platform.later(quietMilliseconds / 2, look);
  };
  again();
  return {
    reset: () => {
      heardAt = platform.now();
      askedAt = undefined;
    },
    stop: () => cancel(),
  };
};
