/** GET /v1/tenant/documents and what belongs to it: every document of the tenant for its administrators, without content. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Role } from '../../domain/editor/roles';
import { nullable, oneOf, record } from '../../domain/kernel/codec';
import { PrincipalId } from '../../domain/kernel/ids';
import { problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { DocumentRow, documentsView } from '../../projections/editor/documents/view';
import { documentMembersView } from '../../projections/editor/members/view';
import { definedFields } from '../kernel/defined-fields';
import { IdList, idsIn } from '../kernel/id-list';
import { oneRoute, pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import type { QueryDeps } from '../kernel/row-queries';
import { searched } from '../platform/schemas';
import { DocumentParams, noDocument } from './access-guard';
import { membersSpec } from './members';
import { versionsSpec } from './versions';

const scopes = ['documents:admin'];

const fields = answerFields(DocumentRow, 'plainTitle', 'snapshot', 'linkRole', 'copiedFrom');
const TenantDocument = record('TenantDocument', fields);
type TenantDocument = t.TypeOf<typeof TenantDocument>;
const ListedDocument = record('ListedTenantDocument', { ...fields, owners: t.array(PrincipalId, 'DocumentOwners') });

/** With the caller's role, without which its content is closed. */
const OneDocument = record('TenantDocumentForCaller', { ...fields, role: nullable(Role) });

const show = toResponseOf(TenantDocument);

const page = pageRoute({
  path: '/v1/tenant/documents',
  operation: 'listTenantDocuments',
  summary: 'List the documents of the tenant that are not deleted, latest changed first',
  description: 'For administrators of the tenant. Opening a document needs a role in it.',
  scopes,
  params: record('NoParams', {}),
  item: ListedDocument,
  view: documentsView,
  filters: {
    search: searched('TenantDocumentsSearch', {
      maxLength: 200,
      description: 'A part of the title. Case is ignored.',
    }),
    status: oneOf('TenantDocumentStatus', ['active', 'trashed']),
    documentIds: IdList,
  },
  order: [
    { field: 'updatedAt', direction: 'desc' },
    { field: 'documentId', direction: 'desc' },
  ],
  rows: (_params, { search, status, documentIds }) => ({
    where: definedFields({ status, documentId: idsIn(documentIds) }),
    ...(search === undefined ? {} : { contains: { field: 'plainTitle' as const, text: search.toLowerCase() } }),
  }),
  show,
});

/** Owners of a page of documents; beyond this number some are left out. */
const maxOwners = 1_000;

const ownersOf = ({ views }: QueryDeps, tenantId: string, documents: readonly TenantDocument[]) =>
  views.page(documentMembersView, tenantId, {
    where: { documentId: documents.map(({ documentId }) => documentId), role: 'owner' },
    order: [
      { field: 'documentId', direction: 'asc' },
      { field: 'principalId', direction: 'asc' },
    ],
    limit: maxOwners,
  });

export const listTenantDocuments = route<QueryDeps>()({
  ...page,
  handle: async (reading, request) => {
    const answer = await page.handle(reading, request);
    if (!('body' in answer)) return answer;
    const body = answer.body as { readonly items: readonly TenantDocument[] };
    const owners = await ownersOf(reading, request.identity.tenantId, body.items);
    if (isLeft(owners)) return problemOf(owners.left, {});
    const items = body.items.map((item) => ({
      ...item,
      owners: owners.right.filter(({ documentId }) => documentId === item.documentId).map((owner) => owner.principalId),
    }));
    return { ...answer, body: { ...body, items } };
  },
});

const one = oneRoute({
  path: '/v1/tenant/documents/:documentId',
  operation: 'getTenantDocument',
  summary: 'Get a document of the tenant, as an administrator',
  scopes,
  params: DocumentParams,
  item: OneDocument,
  query: ({ documentId }) => ({
    view: documentsView,
    key: { documentId },
    show,
    missing: noDocument.problem.detail,
    // `headVersion` changes without the revision.
    isTagged: () => false,
  }),
});

export const getTenantDocument = route<QueryDeps>()({
  ...one,
  handle: async (reading, request) => {
    const answer = await one.handle(reading, request);
    if (!('body' in answer)) return answer;
    const { identity, params } = request;
    const key = { documentId: params.documentId, principalId: identity.principalId as PrincipalId };
    const own = await reading.views.find(documentMembersView, identity.tenantId, key);
    if (isLeft(own)) return problemOf(own.left, {});
    return { ...answer, body: { ...(answer.body as TenantDocument), role: own.right?.role ?? null } };
  },
});

export const listTenantDocumentMembers = pageRoute({
  ...membersSpec,
  path: '/v1/tenant/documents/:documentId/members',
  operation: 'listTenantDocumentMembers',
  summary: 'List the members of a document of the tenant, earliest first, as an administrator',
  scopes,
});

/** Who changed it and when, without content. */
export const listTenantDocumentVersions = pageRoute({
  ...versionsSpec,
  path: '/v1/tenant/documents/:documentId/versions',
  operation: 'listTenantDocumentVersions',
  summary: 'List the versions of a document of the tenant, newest first, as an administrator',
  scopes,
});
