/**
 * Guards queries of a document: reads access from the document's stream, and requires rows that are at least as new.
 */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { DocumentId, type DocumentKey } from '../../domain/editor/ids';
import { hasAtLeastRole, type Role } from '../../domain/editor/roles';
import { record } from '../../domain/kernel/codec';
import type { TenantId } from '../../domain/kernel/ids';
import { contentAccessProblems } from '../../infra/server/documents/authorize-document';
import type { AccessReader, DocumentAccess } from '../../infra/server/documents/document-access';
import { commonProblems, type Problem, type ProblemTable, problem, problemOf } from '../../infra/server/http/problem';
import type { Answer, Route, RouteRequest } from '../../infra/server/http/routing/route';
import { parsePosition } from '../kernel/read-your-writes';
import type { QueryDeps } from '../kernel/row-queries';

export interface DocumentReading extends QueryDeps {
  readonly access: AccessReader;
}

export const accessProblems = {
  'document-deleted': contentAccessProblems['document-deleted'],
  'document-trashed': contentAccessProblems['document-trashed'],
  'event-store-unavailable': commonProblems['event-store-unavailable'],
  'not-found': commonProblems['not-found'],
  'role-too-low': contentAccessProblems['role-too-low'],
} as const satisfies ProblemTable;

const accessProblem = (code: keyof typeof accessProblems, detail: string): Problem =>
  problemOf({ kind: 'rejection', code, detail }, accessProblems);

export const noDocument: Problem = problem('not-found', 'No such document is known here.');

export interface AuthorizedReader extends DocumentAccess {
  readonly role: Role;
}

type DocumentRequest = Pick<RouteRequest<{ readonly documentId: DocumentId }, unknown, unknown>, 'identity' | 'params'>;

/** The gateway verified the caller's tenant. */
export const keyOf = ({ identity, params }: DocumentRequest): DocumentKey => ({
  tenant: identity.tenantId as TenantId,
  documentId: params.documentId,
});

/** Without a role, the answer does not reveal whether the document exists. */
export const requireAccess = async (
  { access }: Pick<DocumentReading, 'access'>,
  request: DocumentRequest,
): Promise<Either<Problem, AuthorizedReader>> => {
  const found = await access(keyOf(request));
  if (isLeft(found)) return left(problemOf(found.left, {}));
  const role = found.right.roleOf(request.identity.principalId);
  if (role === undefined) return left(noDocument);
  if (found.right.state === 'deleted') return left(accessProblem('document-deleted', 'The document was deleted.'));
  if (found.right.state === 'trashed' && role !== 'owner')
    return left(accessProblem('document-trashed', 'The document is in the trash; only its owners see it.'));
  return right({ ...found.right, role });
};

type Headers = RouteRequest<unknown, unknown, unknown>['headers'];

/** Rows must include the event that granted or withdrew the caller's access. */
const pageHeaders = (headers: Headers, { position }: AuthorizedReader): Headers => {
  const header = headers['min-position'];
  const requested = header === undefined ? -1n : parsePosition(header);
  // The route rejects malformed headers.
  return requested === undefined || requested >= position ? headers : { ...headers, 'min-position': String(position) };
};

const rowHeaders = (headers: Headers, { revision }: AuthorizedReader): Headers => {
  const [, requested] = /^(?:W\/)?"?(\d{1,15})"?$/.exec(headers['if-min-revision'] ?? '-1') ?? [];
  const isEnough =
    headers['if-min-revision'] !== undefined && (requested === undefined || Number(requested) >= revision);
  return isEnough ? headers : { ...headers, 'if-min-revision': String(revision) };
};

interface AccessRequirement {
  /** `row`: one row with the document's revision. `rows`: rows without one. */
  readonly of: 'row' | 'rows';
  readonly role?: Role;
}

/** Guards a route of a document: the caller must have a role in it. `adapt` changes the answer for that role. */
export const withDocumentAccess = <Params extends { readonly documentId: DocumentId }, Query, Body>(
  { of, role = 'viewer' }: AccessRequirement,
  unguarded: Route<QueryDeps, Params, Query, Body>,
  adapt: (answer: Answer, reader: AuthorizedReader) => Answer = (answer) => answer,
): Route<DocumentReading, Params, Query, Body> => ({
  ...unguarded,
  problems: { ...unguarded.problems, ...accessProblems },
  handle: async (reading, request) => {
    const reader = await requireAccess(reading, request);
    if (isLeft(reader)) return reader.left;
    const { right: found } = reader;
    if (!hasAtLeastRole(found.role, role))
      return accessProblem('role-too-low', 'Only owners of the document see this.');
    const headers = of === 'row' ? rowHeaders(request.headers, found) : pageHeaders(request.headers, found);
    return adapt(await unguarded.handle(reading, { ...request, headers }), found);
  },
});

export const scopes = ['documents:read'];

export const DocumentParams = record('DocumentParams', { documentId: DocumentId });
