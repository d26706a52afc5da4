/** Decides which client ids a principal may use in a document. */
import type { ClientId } from '../../../domain/editor/ids';
import { evictClients } from '../../../domain/editor/operation-log/client-eviction';
import type { DocumentKey } from '../../../domain/editor/streams';
import type { ClientHolder } from './client-ids';
import type { ClientSequences } from './client-sequences';
import type { OwnerDeps } from './dependencies';
import type { DocumentContent } from './document-content';

interface ClientIdScope {
  readonly documentKey: DocumentKey;
  readonly content: Pick<DocumentContent, 'clients'>;
  readonly sequences: ClientSequences;
  readonly deps: Pick<OwnerDeps, 'settings' | 'clientIds'>;
}

/** The client table evicted this client. Its operations may be committed already, so the id is refused. */
export const isEvicted = (
  { content, deps }: Pick<ClientIdScope, 'content' | 'deps'>,
  holder: ClientHolder,
  clientId: ClientId,
): boolean => {
  const day = content.clients.forgotten.get(holder.principalId);
  if (day === undefined) return false;
  const issued = deps.clientIds.issuedOn(holder, clientId);
  return issued !== undefined && issued <= day;
};

/** Issued to the principal, or used by it before: HTTP callers may choose an id. */
export const mayUseClientId = (owned: ClientIdScope, holder: ClientHolder, clientId: ClientId): boolean => {
  const { clientIds } = owned.deps;
  const sequence = owned.sequences.of(clientId);
  if (sequence !== undefined) return sequence.principalId === holder.principalId;
  if (clientId === clientIds.ofRequests(holder)) return true;
  return clientIds.issuedOn(holder, clientId) !== undefined && !isEvicted(owned, holder, clientId);
};

/** Called before the client table is written to a snapshot. */
export const limitClients = ({
  content,
  deps: { settings, clientIds },
  documentKey,
}: Omit<ClientIdScope, 'sequences'>): void =>
  evictClients(content.clients, {
    maxClients: settings.maxClients,
    issuedOn: (principalId, clientId) => clientIds.issuedOn({ documentKey, principalId }, clientId),
    isProtected: (principalId, clientId) => clientId === clientIds.ofRequests({ documentKey, principalId }),
  });
