/** What becomes of an invitation: accepted, declined, withdrawn. */
import { isLeft, right } from 'fp-ts/Either';
import { DocumentId, InvitationId } from '../../../domain/editor/ids';
import { record } from '../../../domain/kernel/codec';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { about, common, scopes } from './common';
import { hashOfSecret, SharingSecret } from './secret';

const InvitationPath = record('InvitationPath', { documentId: DocumentId, invitationId: InvitationId });

export const acceptInvitationRoute = commandRoute<CommandDeps>()({
  ...common,
  method: 'post',
  path: '/v1/documents/:documentId/invitations/:invitationId/accept',
  operation: 'acceptDocumentInvitation',
  summary: 'Accept an invitation to a document',
  description: 'With its secret, where it names nobody.',
  scopes: scopes.own,
  params: InvitationPath,
  body: record('AcceptedInvitation', {}, { secret: SharingSecret }),
  prepare: ({ body: { secret }, ...asked }) => {
    const named = about(asked);
    if (isLeft(named)) return named;
    const { stream, documentId, by } = named.right;
    const { invitationId } = asked.params;
    const secretHash = secret === undefined ? null : hashOfSecret(secret);
    return right({
      stream,
      command: { type: 'AcceptInvitation' as const, documentId, by, invitationId, secretHash, at: asked.at },
      answer: { documentId },
    });
  },
});

const endRoute = (type: 'DeclineInvitation' | 'WithdrawInvitation', said: EndRoute) =>
  commandRoute<CommandDeps>()({
    ...common,
    ...said,
    params: InvitationPath,
    prepare: (asked) => {
      const named = about(asked);
      if (isLeft(named)) return named;
      const { stream, documentId, by } = named.right;
      const { invitationId } = asked.params;
      return right({ stream, command: { type, documentId, by, invitationId }, answer: { documentId } });
    },
  });

interface EndRoute {
  readonly method: 'post' | 'delete';
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  readonly scopes: readonly string[];
}

export const declineInvitationRoute = endRoute('DeclineInvitation', {
  method: 'post',
  path: '/v1/documents/:documentId/invitations/:invitationId/decline',
  operation: 'declineDocumentInvitation',
  summary: 'Decline an invitation to a document',
  scopes: scopes.own,
});

export const withdrawInvitationRoute = endRoute('WithdrawInvitation', {
  method: 'delete',
  path: '/v1/documents/:documentId/invitations/:invitationId',
  operation: 'withdrawDocumentInvitation',
  summary: 'Withdraw an invitation to a document. Owners only',
  scopes: scopes.write,
});
