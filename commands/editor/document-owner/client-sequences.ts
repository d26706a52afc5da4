/**
 * Clients' places in their sequences as this owner sees them: what is in the log, and beyond it what was settled without being
 * committed, which only the owner and the client know.
 */
import type { ClientId } from '../../../domain/editor/ids';
import type { ClientTable } from '../../../domain/editor/operation-log/client-table';

interface ClientSequence {
  readonly principalId: string;
  readonly lastClientSeq: number;
}

export interface ClientSequences {
  /** Undefined: nobody's yet. */
  readonly of: (clientId: ClientId) => ClientSequence | undefined;
  readonly settle: (clientId: ClientId, sequence: ClientSequence) => void;
}

/**
 * Of clients that never committed anything, mostly. The principal with the most of them loses its oldest, so that no principal's clients
 * are forgotten for another's; a client that is forgotten says what it knows to be settled when it joins again.
 */
const maxClientSequences = 20_000;

export const createClientSequences = (clients: () => ClientTable): ClientSequences => {
  const settled = new Map<ClientId, ClientSequence>();
  /** The oldest first. */
  const byPrincipal = new Map<string, Set<ClientId>>();
  const of = (clientId: ClientId): ClientSequence | undefined => {
    const [known, sequence] = [clients().known.get(clientId), settled.get(clientId)];
    if (known === undefined || sequence === undefined) return known ?? sequence;
    return known.lastClientSeq >= sequence.lastClientSeq ? known : sequence;
  };
  const remember = (clientId: ClientId, sequence: ClientSequence): void => {
    const own = byPrincipal.get(sequence.principalId) ?? new Set();
    own.delete(clientId);
    byPrincipal.set(sequence.principalId, own.add(clientId));
    settled.set(clientId, sequence);
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
    settle: (clientId, sequence) => {
      const before = of(clientId);
      remember(clientId, { ...sequence, lastClientSeq: Math.max(sequence.lastClientSeq, before?.lastClientSeq ?? 0) });
      if (settled.size > maxClientSequences) forgetOne();
    },
  };
};
