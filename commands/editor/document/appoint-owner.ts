/** POST /v1/documents/:documentId/owners: appoints an owner for a document whose owners are all inactive. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { document } from '../../../domain/editor/document/decider';
import { documentStream } from '../../../domain/editor/document/events';
import type { DocumentState } from '../../../domain/editor/document/state';
import type { DocumentId } from '../../../domain/editor/ids';
import { record } from '../../../domain/kernel/codec';
import { PrincipalId, type TenantId } from '../../../domain/kernel/ids';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { commandRoute } from '../../kernel/command-route';
import { loadStream } from '../../kernel/load-stream';
import { principalStatus } from '../../kernel/principal-status';
import { requireActivePrincipal } from './active-principal';
import { commandSubject, type DocumentDeps, DocumentPath, documentRouteDefaults, scopes } from './document-route';
import { principalProblems } from './problems';

const ownersIn = (state: DocumentState): readonly PrincipalId[] =>
  'members' in state ? state.members.flatMap(({ principalId, role }) => (role === 'owner' ? [principalId] : [])) : [];

/** Stops at the first active owner: then the appointment is rejected. */
const inactiveOwners = async (
  deps: DocumentDeps,
  tenantId: TenantId,
  documentId: DocumentId,
): Promise<Either<Problem, readonly PrincipalId[]>> => {
  const state = await loadStream(deps, document, documentStream(tenantId, documentId));
  if (isLeft(state)) return left(problemOf(state.left, {}));
  const inactive: PrincipalId[] = [];
  for (const owner of ownersIn(state.right)) {
    const status = await principalStatus(deps, tenantId, owner);
    if (isLeft(status)) return status;
    if (status.right === 'active') break;
    inactive.push(owner);
  }
  return right(inactive);
};

export const appointOwnerRoute = commandRoute<DocumentDeps>()({
  ...documentRouteDefaults,
  method: 'post',
  path: '/v1/documents/:documentId/owners',
  operation: 'appointDocumentOwner',
  summary: 'Appoint a new owner of a document whose owners are all inactive',
  description:
    'For administrators of the tenant, who need not be members. Only if all owners are suspended, compromised or unknown; otherwise the owners decide. They remain owners.',
  scopes: scopes.admin,
  params: DocumentPath,
  body: record('NewOwner', { principalId: PrincipalId }),
  problems: principalProblems,
  prepare: async ({ body: { principalId }, ...request }, deps) => {
    const subject = commandSubject(request);
    if (isLeft(subject)) return subject;
    const active = await requireActivePrincipal(deps, request.tenantId, principalId);
    if (isLeft(active)) return active;
    const { stream, documentId, by } = subject.right;
    const inactive = await inactiveOwners(deps, request.tenantId, documentId);
    if (isLeft(inactive)) return inactive;
    return right({
      stream,
      command: { type: 'AppointOwner' as const, documentId, by, principalId, inactive: inactive.right },
      answer: { documentId },
    });
  },
});
