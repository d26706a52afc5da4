/** All streams of a client that share WebSockets. */
import type { Session } from '../session';
import type { Followed } from './by-sse';
import type { Connect } from './message';

export interface Sockets {
  readonly connect: (followed: Followed) => Connect;
  readonly close: () => void;
}

export const openSockets = (_session: Session): Sockets => ({
  connect: () => {
    throw new TypeError('WebSockets come soon.');
  },
  close: () => undefined,
});
