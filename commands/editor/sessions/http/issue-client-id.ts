/** POST /v1/documents/:documentId/clients: issues a client id, for programs that send batches without a socket. */
import { isLeft } from 'fp-ts/Either';
import { ClientId, DocumentId } from '../../../../domain/editor/ids';
import { record } from '../../../../domain/kernel/codec';
import { contentAccessProblems } from '../../../../infra/server/documents/authorize-document';
import { route } from '../../../../infra/server/http/routing/route';
import { findOwner, forwardToOwner, type OwnerRoutingDeps } from '../owner-routing';

const {
  'document-unknown': unknown,
  'document-trashed': trashed,
  'document-deleted': gone,
  'role-too-low': low,
} = contentAccessProblems;

export const issueClientId = route<OwnerRoutingDeps>()({
  method: 'post',
  path: '/v1/documents/:documentId/clients',
  operation: 'issueClientId',
  summary: 'Get a client id, under which the caller commits operations in this document',
  sensitive: false,
  description:
    'Owners and editors. Each answer has a new id, whose operations count from 1. It proves that it was issued to the caller in this document: no other principal can use it, in no other document. A program gets one for each run. Nothing is recorded until something is committed under it.',
  access: { scopes: ['documents:write'] },
  params: record('DocumentPath', { documentId: DocumentId }),
  answers: { 200: { description: 'The client id.', body: record('IssuedClientId', { clientId: ClientId }) } },
  problems: {
    'document-unknown': unknown,
    'document-trashed': trashed,
    'document-deleted': gone,
    'role-too-low': low,
  },
  handle: async (deps, request) => {
    const owner = await findOwner(deps, request, 'edit');
    if (isLeft(owner)) return owner.left;
    if ('address' in owner.right) return forwardToOwner(deps, request, { owner: owner.right, body: {} });
    const clientId = owner.right.issueClientId(request.identity.principalId);
    return { status: 200, body: { clientId } };
  },
});
