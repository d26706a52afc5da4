/**
 * Clients' places in their sequences as this owner sees them: what is in the log, and beyond it what was settled without being
 * committed, which only the owner and the client know.
 */
import type { ClientId } from '../../../domain/editor/ids';
import type { Clients } from '../../../domain/editor/log/clients';

interface Seat {
  readonly principalId: string;
  readonly lastClientSeq: number;
}

export interface Seats {
  /** Undefined: nobody's yet. */
  readonly of: (clientId: ClientId) => Seat | undefined;
  readonly settle: (clientId: ClientId, seat: Seat) => void;
}

/** Of clients that never committed anything, mostly; who is forgotten says what it knows to be settled when it joins again. */
const mostSeats = 20_000;

export const openSeats = (clients: () => Clients): Seats => {
  const settled = new Map<ClientId, Seat>();
  const of = (clientId: ClientId): Seat | undefined => {
    const [known, seat] = [clients().known.get(clientId), settled.get(clientId)];
    if (known === undefined || seat === undefined) return known ?? seat;
    return known.lastClientSeq >= seat.lastClientSeq ? known : seat;
  };
  return {
    of,
    settle: (clientId, seat) => {
      const before = of(clientId);
      settled.delete(clientId);
      settled.set(clientId, { ...seat, lastClientSeq: Math.max(seat.lastClientSeq, before?.lastClientSeq ?? 0) });
      if (settled.size <= mostSeats) return;
      const [oldest] = settled.keys();
      if (oldest !== undefined) settled.delete(oldest);
    },
  };
};
