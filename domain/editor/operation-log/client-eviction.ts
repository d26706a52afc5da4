/** Bounds the client table: a program that uses a new client id per run would add entries for ever. */
import type { ClientId } from '../ids';
import type { ClientTable } from './client-table';

export interface EvictionRules {
  readonly maxClients: number;
  /** Day on which the id was issued to the principal; undefined if the principal chose it. */
  readonly issuedOn: (principalId: string, clientId: ClientId) => number | undefined;
  /** At most one client per principal is never evicted. */
  readonly isProtected: (principalId: string, clientId: ClientId) => boolean;
}

/** The oldest last. */
const clientsByPrincipal = ({ known }: ClientTable): Map<string, ClientId[]> => {
  const ids = new Map<string, ClientId[]>();
  for (const [clientId, { principalId }] of known) {
    const own = ids.get(principalId) ?? [];
    own.push(clientId);
    ids.set(principalId, own);
  }
  for (const own of ids.values()) own.reverse();
  return ids;
};

const principalWithMost = (ids: ReadonlyMap<string, ClientId[]>): [string, ClientId[]] | undefined => {
  let found: [string, ClientId[]] | undefined;
  for (const one of ids) if (one[1].length > (found?.[1].length ?? 0)) found = one;
  return found;
};

/**
 * Evicts the longest inactive client of the principal with the most clients, so one principal cannot evict another's.
 */
export const evictClients = (clients: ClientTable, { maxClients, issuedOn, isProtected }: EvictionRules): void => {
  const { known, forgotten } = clients;
  if (known.size <= maxClients) return;
  const ids = clientsByPrincipal(clients);
  while (known.size > maxClients) {
    const [principalId = '', own = []] = principalWithMost(ids) ?? [];
    let clientId = own.pop();
    if (clientId !== undefined && isProtected(principalId, clientId)) clientId = own.pop();
    if (clientId === undefined) return;
    known.delete(clientId);
    const day = issuedOn(principalId, clientId);
    if (day !== undefined) forgotten.set(principalId, Math.max(day, forgotten.get(principalId) ?? 0));
  }
};
