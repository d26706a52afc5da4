/** The link of a document: a role for whoever of the tenant has it. */
import { isLeft, left, right } from 'fp-ts/Either';
import { LinkId } from '../../../domain/editor/ids';
import { LinkRole } from '../../../domain/editor/roles';
import { record } from '../../../domain/kernel/codec';
import { problemOf } from '../../../infra/http/problem';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { about, common, type DocumentDeps, DocumentPath, scopes } from './common';
import { deriveSecret, hashOfSecret, SharingSecret } from './secret';

const path = '/v1/documents/:documentId/link';
const WithLinkRole = record('WithLinkRole', { role: LinkRole });

export const shareLinkRoute = commandRoute<DocumentDeps>()({
  ...common,
  method: 'post',
  path,
  operation: 'shareDocumentLink',
  summary: 'Make a link to a document for whoever of the tenant has it',
  description:
    'Owners only. It takes the place of the one before, which is worth nothing any more, and neither is what people came by it for. The secret is shown here only, and by a retry under the same `Idempotency-Key`.',
  params: DocumentPath,
  body: WithLinkRole,
  created: true,
  answer: record('LinkAnswer', { linkId: LinkId, secret: SharingSecret }),
  prepare: async (asked, { kms }) => {
    const named = about(asked);
    if (isLeft(named)) return named;
    const { stream, documentId, by } = named.right;
    const { tenantId, commandId } = asked;
    const secret = await deriveSecret(kms, { kind: 'link', tenantId, documentId, commandId });
    if (isLeft(secret)) return left(problemOf(secret.left, {}));
    const linkId = asked.derivedId('link') as LinkId;
    const said = { linkId, role: asked.body.role, secretHash: hashOfSecret(secret.right) };
    return right({
      stream,
      command: { type: 'ShareLink' as const, documentId, by, ...said },
      answer: { linkId, secret: secret.right },
    });
  },
});

export const changeLinkRoleRoute = commandRoute<CommandDeps>()({
  ...common,
  method: 'put',
  path,
  operation: 'changeDocumentLinkRole',
  summary: 'Change what the link to a document allows, also those who came by it. Owners only',
  params: DocumentPath,
  body: WithLinkRole,
  prepare: ({ body: { role }, ...asked }) => {
    const named = about(asked);
    if (isLeft(named)) return named;
    const { stream, documentId, by } = named.right;
    return right({
      stream,
      command: { type: 'ChangeLinkRole' as const, documentId, by, role },
      answer: { documentId },
    });
  },
});

export const closeLinkRoute = commandRoute<CommandDeps>()({
  ...common,
  method: 'delete',
  path,
  operation: 'closeDocumentLink',
  summary: 'End the link to a document, and the access of all who came by it. Owners only',
  params: DocumentPath,
  prepare: (asked) => {
    const named = about(asked);
    if (isLeft(named)) return named;
    const { stream, documentId, by } = named.right;
    return right({ stream, command: { type: 'CloseLink' as const, documentId, by }, answer: { documentId } });
  },
});

export const openLinkRoute = commandRoute<CommandDeps>()({
  ...common,
  method: 'post',
  path: `${path}/open`,
  operation: 'openDocumentLink',
  summary: 'Come to a document by its link',
  description: 'Whoever has a role by name keeps it.',
  scopes: scopes.own,
  params: DocumentPath,
  body: record('OpenedLink', { secret: SharingSecret }),
  prepare: ({ body: { secret }, ...asked }) => {
    const named = about(asked);
    if (isLeft(named)) return named;
    const { stream, documentId, by } = named.right;
    const secretHash = hashOfSecret(secret);
    return right({
      stream,
      command: { type: 'OpenLink' as const, documentId, by, secretHash },
      answer: { documentId },
    });
  },
});
