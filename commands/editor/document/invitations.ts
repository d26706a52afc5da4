/** Routes of invitations: invite, accept, decline, withdraw. */
import { isLeft, left, right } from 'fp-ts/Either';
import { DocumentId, InvitationId } from '../../../domain/editor/ids';
import { Role } from '../../../domain/editor/roles';
import { integer, record } from '../../../domain/kernel/codec';
import { PrincipalId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { problemOf } from '../../../infra/server/http/problem';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { requireActivePrincipal } from './active-principal';
import { commandSubject, type DocumentDeps, DocumentPath, documentRouteDefaults, scopes } from './document-route';
import { principalProblems } from './problems';
import { deriveSecret, hashSecret, SharingSecret } from './sharing-secret';

const weekSeconds = 7 * 86_400;
const quarterSeconds = 90 * 86_400;

const NewInvitation = record(
  'NewInvitation',
  { role: Role },
  {
    /** If omitted, the first principal of the tenant with the answer's secret may accept. */
    principalId: PrincipalId,
    expiresInSeconds: integer(60, quarterSeconds),
  },
);

export const inviteRoute = commandRoute<DocumentDeps>()({
  ...documentRouteDefaults,
  method: 'post',
  path: '/v1/documents/:documentId/invitations',
  operation: 'inviteToDocument',
  example: { role: 'editor', expiresInSeconds: 604_800 },
  summary: 'Invite a person to a document',
  description:
    'Owners only. Without `principalId` the answer has a secret, with which the first member of the tenant to present it accepts. Only this answer and retries under the same `Idempotency-Key` return the secret. An invitation replaces an earlier one to the same principal. It expires after a week, or after `expiresInSeconds`.',
  params: DocumentPath,
  body: NewInvitation,
  created: true,
  answer: record('InvitationAnswer', { invitationId: InvitationId }, { secret: SharingSecret }),
  problems: principalProblems,
  prepare: async (request, deps) => {
    const subject = commandSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, documentId, by } = subject.right;
    const { tenantId, commandId, at } = request;
    const { role, principalId = null, expiresInSeconds = weekSeconds } = request.body;
    const active = principalId === null ? right(undefined) : await requireActivePrincipal(deps, tenantId, principalId);
    if (isLeft(active)) return active;
    const secret = await deriveSecret(deps.kms, { kind: 'invitation', tenantId, documentId, commandId });
    if (isLeft(secret)) return left(problemOf(secret.left, {}));
    const invitationId = request.derivedId('invitation') as InvitationId;
    const secretField = principalId === null ? { secret: secret.right } : {};
    const secretHash = principalId === null ? hashSecret(secret.right) : null;
    const fields = { invitationId, role, principalId, secretHash, at, expiresAt: plusSeconds(at, expiresInSeconds) };
    return right({
      stream,
      command: { type: 'InviteMember' as const, documentId, by, ...fields },
      answer: { invitationId, ...secretField },
    });
  },
});

const InvitationPath = record('InvitationPath', { documentId: DocumentId, invitationId: InvitationId });

export const acceptInvitationRoute = commandRoute<CommandDeps>()({
  ...documentRouteDefaults,
  method: 'post',
  path: '/v1/documents/:documentId/invitations/:invitationId/accept',
  operation: 'acceptDocumentInvitation',
  summary: 'Accept an invitation to a document',
  description: 'The secret is required if the invitation names no principal.',
  scopes: scopes.own,
  params: InvitationPath,
  body: record('AcceptedInvitation', {}, { secret: SharingSecret }),
  prepare: ({ body: { secret }, ...request }) => {
    const subject = commandSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, documentId, by } = subject.right;
    const { invitationId } = request.params;
    const secretHash = secret === undefined ? null : hashSecret(secret);
    return right({
      stream,
      command: { type: 'AcceptInvitation' as const, documentId, by, invitationId, secretHash, at: request.at },
      answer: { documentId },
    });
  },
});

const closeInvitationRoute = (type: 'DeclineInvitation' | 'WithdrawInvitation', route: CloseInvitationRoute) =>
  commandRoute<CommandDeps>()({
    ...documentRouteDefaults,
    ...route,
    params: InvitationPath,
    prepare: (request) => {
      const subject = commandSubject(request);
      if (isLeft(subject)) return subject;
      const { stream, documentId, by } = subject.right;
      const { invitationId } = request.params;
      return right({ stream, command: { type, documentId, by, invitationId }, answer: { documentId } });
    },
  });

interface CloseInvitationRoute {
  readonly method: 'post' | 'delete';
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  readonly scopes: readonly string[];
}

export const declineInvitationRoute = closeInvitationRoute('DeclineInvitation', {
  method: 'post',
  path: '/v1/documents/:documentId/invitations/:invitationId/decline',
  operation: 'declineDocumentInvitation',
  summary: 'Decline an invitation to a document',
  scopes: scopes.own,
});

export const withdrawInvitationRoute = closeInvitationRoute('WithdrawInvitation', {
  method: 'delete',
  path: '/v1/documents/:documentId/invitations/:invitationId',
  operation: 'withdrawDocumentInvitation',
  summary: 'Withdraw an invitation to a document. Owners only',
  scopes: scopes.write,
});
