/** Routes of members: change a role, remove a member, leave. */
import { isLeft, right } from 'fp-ts/Either';
import { DocumentId } from '../../../domain/editor/ids';
import { Role } from '../../../domain/editor/roles';
import { record } from '../../../domain/kernel/codec';
import { PrincipalId } from '../../../domain/kernel/ids';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { commandSubject, documentRouteDefaults, scopes } from './document-route';

const MemberPath = record('MemberPath', { documentId: DocumentId, principalId: PrincipalId });
const MemberAnswer = record('MemberAnswer', { documentId: DocumentId, principalId: PrincipalId });

export const changeRoleRoute = commandRoute<CommandDeps>()({
  ...documentRouteDefaults,
  method: 'put',
  path: '/v1/documents/:documentId/members/:principalId',
  operation: 'changeDocumentRole',
  summary: 'Change the role of a member in a document',
  description:
    'Owners only. A member who joined by the link gets a role of their own. Invitations to the member are withdrawn, and secrets of earlier ones do not change the role. There is always an owner: to hand a document over, make another one first.',
  params: MemberPath,
  body: record('NewRole', { role: Role }),
  answer: MemberAnswer,
  prepare: ({ body: { role }, ...request }) => {
    const subject = commandSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, documentId, by } = subject.right;
    const { principalId } = request.params;
    return right({
      stream,
      command: { type: 'ChangeRole' as const, documentId, by, principalId, role },
      answer: { documentId, principalId },
    });
  },
});

export const removeMemberRoute = commandRoute<CommandDeps>()({
  ...documentRouteDefaults,
  method: 'delete',
  path: '/v1/documents/:documentId/members/:principalId',
  operation: 'removeDocumentMember',
  summary: 'Remove a member from a document, or leave it',
  description:
    'Owners only, but for oneself. Invitations to a removed member are withdrawn; the member cannot join again by an earlier link or an earlier secret of an invitation.',
  scopes: scopes.own,
  params: MemberPath,
  answer: MemberAnswer,
  prepare: (request) => {
    const subject = commandSubject(request);
    if (isLeft(subject)) return subject;
    const { stream, documentId, by } = subject.right;
    const { principalId } = request.params;
    return right({
      stream,
      command: { type: 'RemoveMember' as const, documentId, by, principalId },
      answer: { documentId, principalId },
    });
  },
});
