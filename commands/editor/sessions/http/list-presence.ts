/** GET /v1/documents/:documentId/presence: who has the document open now, as its owner knows. Opens no document. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { DocumentId, type DocumentKey } from '../../../../domain/editor/ids';
import { logStream } from '../../../../domain/editor/operation-log/events';
import { integer, record } from '../../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import type { DocumentLeases } from '../../../../infra/ports/editor/document-leases';
import { authorizeDocument, contentAccessProblems } from '../../../../infra/server/documents/authorize-document';
import { type Problem, problem } from '../../../../infra/server/http/problem';
import { type Answer, type Identity, route } from '../../../../infra/server/http/routing/route';
import { proxiedHeader } from '../../../../infra/server/ws/socket-proxy';
import { type DocumentRequest, forwardToOwner, type OwnerRoutingDeps } from '../owner-routing';
import type { RoomSession, Rooms } from '../rooms';

export interface PresenceDeps extends Pick<OwnerRoutingDeps, 'access' | 'documents'> {
  readonly rooms: Pick<Rooms, 'sessionsOf'>;
  readonly leases: Pick<DocumentLeases, 'holderAddress'>;
}

const PresentPrincipal = record('PresentPrincipal', {
  principalId: PrincipalId,
  /** Connections with the document open: windows, tabs and programs. */
  connections: integer(1),
});
const DocumentPresence = record('DocumentPresence', { items: t.readonlyArray(PresentPrincipal) });

const presentIn = (sessions: readonly RoomSession[]): t.TypeOf<typeof DocumentPresence> => {
  const counts = new Map<string, number>();
  for (const { principalId } of sessions) counts.set(principalId, (counts.get(principalId) ?? 0) + 1);
  return {
    items: [...counts].map(([principalId, connections]) => ({ principalId: principalId as PrincipalId, connections })),
  };
};

/** Administrators see who is there without a role; content takes one. */
const isAdministrator = ({ scopes }: Identity): boolean => scopes.includes('documents:admin');

const refusalOf = async (
  { access }: Pick<PresenceDeps, 'access'>,
  { identity, params: { documentId } }: DocumentRequest,
): Promise<Problem | undefined> => {
  if (isAdministrator(identity)) return undefined;
  const authorized = await authorizeDocument(access.read, { identity, documentId }, 'see');
  return isLeft(authorized) ? authorized.left : undefined;
};

const answerFor = async (deps: PresenceDeps, request: DocumentRequest, documentKey: DocumentKey): Promise<Answer> => {
  const here = deps.rooms.sessionsOf(documentKey);
  const isForwarded = request.headers[proxiedHeader] !== undefined;
  if (here.length > 0 || isForwarded || deps.documents.find(documentKey) !== undefined)
    return { status: 200, body: presentIn(here) };
  const holder = await deps.leases.holderAddress(logStream(documentKey.tenant, documentKey.documentId));
  if (isLeft(holder)) return problem('service-unavailable', 'The owner of the document is not known right now.');
  const { right: address } = holder;
  if (address === undefined) return { status: 200, body: presentIn([]) };
  return forwardToOwner(deps, request, { owner: { documentKey, address }, body: undefined, method: 'GET' });
};

export const listPresence = route<PresenceDeps>()({
  method: 'get',
  path: '/v1/documents/:documentId/presence',
  operation: 'listDocumentPresence',
  summary: 'List who has a document open now, as a member or an administrator of the tenant',
  access: { scopes: ['documents:read'] },
  params: record('PresencePath', { documentId: DocumentId }),
  answers: { 200: { description: 'All of them.', body: DocumentPresence } },
  problems: contentAccessProblems,
  handle: async (deps, request) => {
    const refused = await refusalOf(deps, request);
    if (refused !== undefined) return refused;
    const { tenantId: tenant } = request.identity;
    if (!TenantId.is(tenant)) return problem('forbidden', 'The tenant of the token is unknown.');
    return answerFor(deps, request, { tenant, documentId: request.params.documentId });
  },
});
