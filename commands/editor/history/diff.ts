/** GET /v1/documents/{documentId}/diff: what was at one version, and what is at another. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { DocumentId, type NodeId } from '../../../domain/editor/ids';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import type { DocumentKey } from '../../../domain/editor/streams';
import { record } from '../../../domain/kernel/codec';
import { type Problem, problemOf } from '../../../infra/http/problem';
import { route } from '../../../infra/http/route';
import { shownBounds } from '../snapshots/shown-difference';
import { allowed, type HistoryDeps, historyProblems } from './common';
import { DiffQuery, usualLimit, VersionDiff } from './diff-shape';

const description = [
  'Nodes in the order of their ids, whatever became of them. One that was created or deleted is told by its type, its parent and its name',
  `(the first ${shownBounds.nameLength} characters of its property \`name\`); one that changed as it became, with each property, its text and`,
  'its place `before` and `after`, absent where there was none. A value whose JSON is longer than',
  `${shownBounds.valueBytes.toLocaleString('en')} bytes, or a text of more than ${shownBounds.textLength.toLocaleString('en')} characters, is left out, and its side`,
  'stands in `omitted`. A text that reads the same on both sides has other formats. A page may be shorter than `limit`, where its nodes are',
  'large: the last one is that without `next_cursor`.',
].join(' ');

interface Asked {
  readonly from: number;
  readonly to: number;
}

const snapshotFor = async (
  { snapshots }: Pick<HistoryDeps, 'snapshots'>,
  place: DocumentKey,
  [side, version]: readonly [keyof Asked, number],
): Promise<Either<Problem, Snapshot>> => {
  const found = await snapshots.at(place, version, 'temporary');
  if (!isLeft(found)) return found;
  if (found.left.code !== 'version-unknown') return left(problemOf(found.left, historyProblems));
  const detail = `The document never had the version that \`${side}\` names.`;
  return left(problemOf({ ...found.left, detail }, historyProblems));
};

const both = async (deps: HistoryDeps, place: DocumentKey, { from, to }: Asked) => {
  const earlier = await snapshotFor(deps, place, ['from', from]);
  if (isLeft(earlier)) return earlier;
  const later = await snapshotFor(deps, place, ['to', to]);
  return isLeft(later) ? later : right({ from: earlier.right, to: later.right });
};

export const diffRoute = route<HistoryDeps>()({
  method: 'get',
  path: '/v1/documents/:documentId/diff',
  operation: 'compareVersions',
  summary: 'What changed from one version to another.',
  description,
  access: { scopes: ['documents:read'] },
  params: record('DocumentPath', { documentId: DocumentId }),
  query: DiffQuery,
  answers: { 200: { description: 'A page of what changed; `next_cursor` is null on the last.', body: VersionDiff } },
  problems: historyProblems,
  handle: async (deps, { identity, params: { documentId }, query }) => {
    const { limit = usualLimit, cursor } = query;
    const found = await allowed(deps, { identity, documentId }, 'see');
    if (isLeft(found)) return found.left;
    const { place } = found.right;
    const asked = { from: Number(query.from), to: Number(query.to) };
    const snapshots = await both(deps, place, asked);
    if (isLeft(snapshots)) return snapshots.left;
    const begin = cursor === undefined ? {} : { after: cursor as NodeId };
    const comparing = { ...snapshots.right, ...begin, limit };
    const compared = await deps.desk.ask(place.tenant, { kind: 'compare', comparing });
    if (isLeft(compared)) return problemOf(compared.left, historyProblems);
    const { items, counts, next = null } = compared.right;
    return { status: 200, body: { ...asked, items, counts, next_cursor: next } };
  },
});
