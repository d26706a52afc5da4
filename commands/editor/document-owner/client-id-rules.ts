/** Decides which client ids a principal may use in a document. */
import type { ClientId, DocumentKey } from '../../../domain/editor/ids';
import { evictClients } from '../../../domain/editor/operation-log/client-eviction';
import type { ClientHolder, ClientIdRejection } from './client-ids';
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
const isEvicted = ({ content }: ClientIdScope, { principalId }: ClientHolder, issuedOn: number): boolean => {
  const day = content.clients.forgotten.get(principalId);
  return day !== undefined && issuedOn <= day;
};

const rejection = (code: ClientIdRejection['code'], detail: string): ClientIdRejection => ({
  kind: 'rejection',
  code,
  detail,
});

/**
 * Undefined if the principal may use the id: it used the id before, or the id proves that it was issued to the
 * principal in this document. So an id that was issued and not used yet cannot be used by others, whichever process
 * owns the document.
 */
export const checkClientId = (
  owned: ClientIdScope,
  holder: ClientHolder,
  clientId: ClientId,
): ClientIdRejection | undefined => {
  const { clientIds } = owned.deps;
  const sequence = owned.sequences.of(clientId);
  if (sequence !== undefined)
    return sequence.principalId === holder.principalId
      ? undefined
      : rejection('client-id-taken', 'Another client already uses this id.');
  if (clientIds.ofRequests(holder).includes(clientId)) return undefined;
  const issuedOn = clientIds.issuedOn(holder, clientId);
  if (issuedOn === undefined)
    return rejection(
      'client-id-not-issued',
      'The client id was not issued to you in this document; request one, or omit it.',
    );
  return isEvicted(owned, holder, issuedOn)
    ? rejection('client-id-taken', 'The client id has expired; use another one.')
    : undefined;
};

/** Of derived ids, one for each key: the one that is used already, or that of the key in use. */
export const derivedClientId = ({ sequences }: Pick<ClientIdScope, 'sequences'>, ids: readonly ClientId[]): ClientId =>
  ids.find((id) => sequences.of(id) !== undefined) ?? (ids[0] as ClientId);

/** Called before the client table is written to a snapshot. */
export const limitClients = ({
  content,
  deps: { settings, clientIds },
  documentKey,
}: Omit<ClientIdScope, 'sequences'>): void =>
  evictClients(content.clients, {
    maxClients: settings.maxClients,
    issuedOn: (principalId, clientId) => clientIds.issuedOn({ documentKey, principalId }, clientId),
    isProtected: (principalId, clientId) => clientIds.ofRequests({ documentKey, principalId }).includes(clientId),
  });
