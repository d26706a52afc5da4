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

/**
 * Of clients that never committed anything, mostly. The principal with the most of them loses its oldest, so that no principal's clients
 * are forgotten for another's; a client that is forgotten says what it knows to be settled when it joins again.
 */
const mostSeats = 20_000;

export const openSeats = (clients: () => Clients): Seats => {
  const settled = new Map<ClientId, Seat>();
  /** The oldest first. */
  const byPrincipal = new Map<string, Set<ClientId>>();
  const of = (clientId: ClientId): Seat | undefined => {
    const [known, seat] = [clients().known.get(clientId), settled.get(clientId)];
    if (known === undefined || seat === undefined) return known ?? seat;
    return known.lastClientSeq >= seat.lastClientSeq ? known : seat;
  };
  const remember = (clientId: ClientId, seat: Seat): void => {
    const own = byPrincipal.get(seat.principalId) ?? new Set();
    own.delete(clientId);
    byPrincipal.set(seat.principalId, own.add(clientId));
    settled.set(clientId, seat);
  };
  const forgetOne = (): void => {
    const [most] = [...byPrincipal.values()].sort((one, other) => other.size - one.size);
    const [oldest] = most ?? [];
    if (oldest === undefined) return;
    most?.delete(oldest);
    settled.delete(oldest);
  };
  return {
    of,
    settle: (clientId, seat) => {
      const before = of(clientId);
      remember(clientId, { ...seat, lastClientSeq: Math.max(seat.lastClientSeq, before?.lastClientSeq ?? 0) });
      if (settled.size > mostSeats) forgetOne();
    },
  };
};
