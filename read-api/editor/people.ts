/** GET /v1/document-people: names of people that share documents with the caller. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { fieldsOf, nullable, record, text } from '../../domain/kernel/codec';
import type { ViewFault } from '../../infra/ports/views/view-store';
import { commonProblems, problemOf } from '../../infra/server/http/problem';
import { type Identity, route } from '../../infra/server/http/routing/route';
import { documentInvitationsView } from '../../projections/editor/invitations/view';
import { documentMembersView } from '../../projections/editor/members/view';
import { PrincipalRow, principalsView } from '../../projections/identity/principals/view';
import { IdList, idsIn } from '../kernel/id-list';
import type { QueryDeps } from '../kernel/row-queries';
import { scopes } from './access-guard';

const { principalId, principalType } = fieldsOf(PrincipalRow);

const DocumentPerson = record('DocumentPerson', {
  principalId,
  principalType,
  name: nullable(
    text('DocumentPersonName', { maxLength: 120, description: 'A name, or the label of a program. Null: none.' }),
  ),
});

/** The latest documents and invitations of the caller. */
const maxDocuments = 200;
const maxRoles = 2_000;

interface Wanted {
  readonly caller: Identity;
  readonly ids: readonly string[];
}

type Ids = Either<ViewFault, readonly string[]>;

const coMembers = async ({ views }: QueryDeps, { caller, ids }: Wanted): Promise<Ids> => {
  const { tenantId, principalId } = caller;
  const own = await views.page(documentMembersView, tenantId, {
    where: { principalId },
    order: [
      { field: 'joinedAt', direction: 'desc' },
      { field: 'documentId', direction: 'desc' },
    ],
    limit: maxDocuments,
  });
  if (isLeft(own)) return own;
  const documentId = own.right.map((role) => role.documentId);
  if (documentId.length === 0) return right([]);
  const roles = await views.page(documentMembersView, tenantId, {
    where: { documentId, principalId: ids },
    order: [
      { field: 'principalId', direction: 'asc' },
      { field: 'documentId', direction: 'asc' },
    ],
    limit: maxRoles,
  });
  if (isLeft(roles)) return roles;
  const invitations = await views.page(documentInvitationsView, tenantId, {
    where: {
      documentId: own.right.filter(({ role }) => role === 'owner').map((role) => role.documentId),
      principalId: ids,
    },
    order: [
      { field: 'createdAt', direction: 'desc' },
      { field: 'invitationId', direction: 'desc' },
    ],
    limit: maxDocuments,
  });
  if (isLeft(invitations)) return invitations;
  return right([...roles.right, ...invitations.right].flatMap((one) => one.principalId ?? []));
};

const inviters = async ({ views }: QueryDeps, { caller: { tenantId, principalId } }: Wanted): Promise<Ids> => {
  const invitations = await views.page(documentInvitationsView, tenantId, {
    where: { principalId, status: 'open' },
    order: [
      { field: 'createdAt', direction: 'desc' },
      { field: 'invitationId', direction: 'desc' },
    ],
    limit: maxDocuments,
  });
  return isLeft(invitations) ? invitations : right(invitations.right.map(({ invitedBy }) => invitedBy));
};

export const listDocumentPeople = route<QueryDeps>()({
  method: 'get',
  path: '/v1/document-people',
  operation: 'listDocumentPeople',
  summary: 'Get the names of people that the caller shares documents with',
  description:
    'Of the caller itself, of members of its latest 200 documents, of whom it invited to them, and of who invited it. Other ids are left out.',
  access: { scopes },
  query: record('DocumentPeopleQuery', { principalIds: IdList }),
  answers: {
    200: { description: 'Those that are known.', body: record('DocumentPeople', { items: t.array(DocumentPerson) }) },
  },
  problems: { 'view-store-unavailable': commonProblems['view-store-unavailable'] },
  handle: async (reading, { identity: caller, query }) => {
    const wanted = { caller, ids: idsIn(query.principalIds) ?? [] };
    const members = await coMembers(reading, wanted);
    if (isLeft(members)) return problemOf(members.left, {});
    const others = await inviters(reading, wanted);
    if (isLeft(others)) return problemOf(others.left, {});
    const met = new Set([caller.principalId, ...members.right, ...others.right]);
    const keys = wanted.ids
      .filter((id) => met.has(id))
      .map((id) => ({ principalId: id as PrincipalRow['principalId'] }));
    const rows = await reading.views.findMany(principalsView, caller.tenantId, keys);
    if (isLeft(rows)) return problemOf(rows.left, {});
    const items = rows.right.flatMap((row) =>
      row === undefined ? [] : [{ principalId: row.principalId, principalType: row.principalType, name: row.name }],
    );
    return { status: 200, body: { items } };
  },
});
