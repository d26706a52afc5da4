/** Routes of the document's link, which gives a role to every principal of the tenant that has it. */
import { isLeft, left, right } from 'fp-ts/Either';
import { LinkId } from '../../../domain/editor/ids';
import { LinkRole } from '../../../domain/editor/roles';
import { record } from '../../../domain/kernel/codec';
import { problemOf } from '../../../infra/server/http/problem';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { commandSubject, type DocumentDeps, DocumentPath, documentRouteDefaults, scopes } from './document-route';
import { deriveSecret, hashSecret, SharingSecret } from './sharing-secret';

const path = '/v1/documents/:documentId/link';
const WithLinkRole = record('WithLinkRole', { role: LinkRole });

export const shareLinkRoute = commandRoute<DocumentDeps>()({
  ...documentRouteDefaults,
  method: 'post',
  path,
  operation: 'shareDocumentLink',
  summary: 'Create a link to a document for everyone in the tenant',
  description:
    'Owners only. The new link replaces the earlier one, which no longer grants access, not even to members who used it. Only this answer and retries under the same `Idempotency-Key` return the secret.',
  params: DocumentPath,
  body: WithLinkRole,
  created: true,
  answer: record('LinkAnswer', { linkId: LinkId, secret: SharingSecret }),
  prepare: async (request, { kms }) => {
    const subject = commandSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, documentId, by } = subject.right;
    const { tenantId, commandId } = request;
    const secret = await deriveSecret(kms, { kind: 'link', tenantId, documentId, commandId });
    if (isLeft(secret)) return left(problemOf(secret.left, {}));
    const linkId = request.derivedId('link') as LinkId;
    const fields = { linkId, role: request.body.role, secretHash: hashSecret(secret.right) };
    return right({
      stream,
      command: { type: 'ShareLink' as const, documentId, by, ...fields },
      answer: { linkId, secret: secret.right },
    });
  },
});

export const changeLinkRoleRoute = commandRoute<CommandDeps>()({
  ...documentRouteDefaults,
  method: 'put',
  path,
  operation: 'changeDocumentLinkRole',
  summary: 'Change the role that the link to a document grants, also for members who joined by it. Owners only',
  params: DocumentPath,
  body: WithLinkRole,
  prepare: ({ body: { role }, ...request }) => {
    const subject = commandSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, documentId, by } = subject.right;
    return right({
      stream,
      command: { type: 'ChangeLinkRole' as const, documentId, by, role },
      answer: { documentId },
    });
  },
});

export const closeLinkRoute = commandRoute<CommandDeps>()({
  ...documentRouteDefaults,
  method: 'delete',
  path,
  operation: 'closeDocumentLink',
  summary: 'Remove the link to a document, and the access of all who joined by it. Owners only',
  params: DocumentPath,
  prepare: (request) => {
    const subject = commandSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, documentId, by } = subject.right;
    return right({ stream, command: { type: 'CloseLink' as const, documentId, by }, answer: { documentId } });
  },
});

export const openLinkRoute = commandRoute<CommandDeps>()({
  ...documentRouteDefaults,
  method: 'post',
  path: `${path}/open`,
  operation: 'openDocumentLink',
  summary: 'Join a document by its link',
  description: 'Members with a role of their own keep it.',
  scopes: scopes.own,
  params: DocumentPath,
  body: record('OpenedLink', { secret: SharingSecret }),
  prepare: ({ body: { secret }, ...request }) => {
    const subject = commandSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, documentId, by } = subject.right;
    const secretHash = hashSecret(secret);
    return right({
      stream,
      command: { type: 'OpenLink' as const, documentId, by, secretHash },
      answer: { documentId },
    });
  },
});
