/**
 * Last sequence number per client: committed ones from the client table, and in memory the ones that were settled
 * without a commit.
 */
import type { ClientId } from '../../../domain/editor/ids';
import type { ClientTable } from '../../../domain/editor/operation-log/client-table';

interface ClientSequence {
  readonly principalId: string;
  readonly lastClientSeq: number;
}

export interface ClientSequences {
  /** Undefined if no principal has used the id. */
  readonly of: (clientId: ClientId) => ClientSequence | undefined;
  readonly settle: (clientId: ClientId, sequence: ClientSequence) => void;
}

/**
 * Bounds the in-memory entries, mostly of clients that never committed. The principal with the most entries loses its
 * oldest, so one principal cannot evict another's. An evicted client reports its settled sequence when it joins
 * again.
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
