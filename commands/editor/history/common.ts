/** What the routes about earlier versions share. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Act, mayDo, rolesFor } from '../../../domain/editor/document/rights';
import type { DocumentId } from '../../../domain/editor/ids';
import type { DocumentKey } from '../../../domain/editor/streams';
import { text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import type { DocumentAccess } from '../../../infra/documents/document-access';
import type { PieceUrls } from '../../../infra/documents/piece-urls';
import { type Problem, problem, problemOf } from '../../../infra/http/problem';
import type { Identity } from '../../../infra/http/route';
import { documentProblems } from '../documents/problems';
import type { Access, SnapshotStore } from '../owner/needs';
import type { Desk } from '../snapshots/desk';

export interface HistoryDeps {
  readonly access: Pick<Access, 'about'>;
  readonly snapshots: Pick<SnapshotStore, 'at'>;
  readonly shown: PieceUrls;
  readonly desk: Pick<Desk, 'ask'>;
}

/** As it stands in a path or a query. */
export const VersionNumber = text('VersionNumber', { maxLength: 15, pattern: '0|[1-9][0-9]*', examples: ['17'] });

export const historyProblems = {
  'document-unknown': documentProblems['document-unknown'],
  'document-trashed': documentProblems['document-trashed'],
  'document-deleted': documentProblems['document-deleted'],
  'role-too-low': documentProblems['role-too-low'],
  'version-unknown': documentProblems['version-unknown'],
  'snapshot-damaged': { status: 500, title: 'What was stored of the document cannot be read' },
  'snapshots-unavailable': { status: 503, title: 'What is stored of documents cannot be reached' },
} as const;

const refusal = (code: keyof typeof historyProblems, detail: string): Problem =>
  problemOf<keyof typeof historyProblems>({ kind: 'rejection', code, detail }, historyProblems);

const unknown = refusal('document-unknown', 'There is no such document, or it is not shared with the caller.');

const refusalOf = ({ state, roleOf }: DocumentAccess, principalId: string, act: Act): Problem | undefined => {
  const role = roleOf(principalId);
  if (state === 'none' || role === undefined) return unknown;
  if (state === 'deleted') return refusal('document-deleted', 'The document was deleted.');
  if (state === 'trashed') return refusal('document-trashed', 'The document is in the trash.');
  return mayDo(role, act) ? undefined : refusal('role-too-low', `${rolesFor(act)} may do this.`);
};

export interface Allowed {
  readonly place: DocumentKey;
  readonly standing: DocumentAccess;
}

/** The document, as its own stream says now that the caller may see or change it. */
export const allowed = async (
  { access }: Pick<HistoryDeps, 'access'>,
  { identity, documentId }: { readonly identity: Identity; readonly documentId: DocumentId },
  act: Act,
): Promise<Either<Problem, Allowed>> => {
  const { tenantId: tenant, principalId } = identity;
  if (!TenantId.is(tenant)) return left(problem('forbidden', 'The token is of no known tenant.'));
  const place = { tenant, documentId };
  const standing = await access.about(place);
  if (isLeft(standing)) return left(problemOf(standing.left, {}));
  const refused = refusalOf(standing.right, principalId, act);
  return refused === undefined ? right({ place, standing: standing.right }) : left(refused);
};
