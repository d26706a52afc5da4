/** Which client ids a principal may use in a document. */
import type { ClientId } from '../../../domain/editor/ids';
import { forgetClients } from '../../../domain/editor/log/forgetting';
import type { ClientHolder } from './client-ids';
import type { Owned } from './owned';

/** It was known once, and is not any more: whatever comes under it may have been done. */
export const isForgotten = ({ content, deps }: Owned, holder: ClientHolder, clientId: ClientId): boolean => {
  const day = content.clients.forgotten.get(holder.principalId);
  if (day === undefined) return false;
  const issued = deps.clientIds.issuedOn(holder, clientId);
  return issued !== undefined && issued <= day;
};

/** Issued to the principal, or used by it before: requests may have chosen one. */
export const isTheirs = (owned: Owned, holder: ClientHolder, clientId: ClientId): boolean => {
  const { clientIds } = owned.deps;
  const seat = owned.seats.of(clientId);
  if (seat !== undefined) return seat.principalId === holder.principalId;
  if (clientId === clientIds.ofRequests(holder)) return true;
  return clientIds.issuedOn(holder, clientId) !== undefined && !isForgotten(owned, holder, clientId);
};

/** Before the table is written down. */
export const boundClients = ({ content, deps: { settings, clientIds }, place }: Owned): void =>
  forgetClients(content.clients, {
    most: settings.mostClients,
    issuedOn: (principalId, clientId) => clientIds.issuedOn({ place, principalId }, clientId),
    isKept: (principalId, clientId) => clientId === clientIds.ofRequests({ place, principalId }),
  });
