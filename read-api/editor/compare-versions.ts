/** GET /v1/documents/{documentId}/diff: compares two versions, page by page. */

import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { DocumentId, type DocumentKey, NodeId } from '../../domain/editor/ids';
import { PropertyName, StoredNodeType } from '../../domain/editor/operation';
import type { Snapshot } from '../../domain/editor/snapshot/snapshot';
import { integer, nullable, oneOf, record, text } from '../../domain/kernel/codec';
import { authorizeDocument, contentAccessProblems } from '../../infra/server/documents/authorize-document';
import { diffViewLimits, type NodeDiffView } from '../../infra/server/documents/snapshots/diff-presentation';
import { type Problem, problemOf } from '../../infra/server/http/problem';
import { integerParameter } from '../../infra/server/http/routing/integer-parameter';
import { route } from '../../infra/server/http/routing/route';
import { VersionNumber, type VersionReading } from './version-reading';

const defaultLimit = 200;
const maxLimit = 1_000;

const Limit = integerParameter(`a whole number from 1 to ${maxLimit}`, {
  minimum: 1,
  maximum: maxLimit,
  fallback: defaultLimit,
  maxDigits: 4,
});

/** Not signed: versions never change, so a page may start after any node. */
const Cursor = text('VersionDiffCursor', {
  examples: ['a1b2c3d4e5:7'],
  maxLength: 27,
  pattern: '[0-9A-Za-z]{10}:[1-9][0-9]{0,15}',
  description: 'The `next_cursor` of the page before.',
});

const DiffQuery = record('VersionsQuery', { from: VersionNumber, to: VersionNumber }, { limit: Limit, cursor: Cursor });

const Omitted = t.readonlyArray(oneOf('DiffSide', ['before', 'after']), 'DiffSides');

const PropertyDiff = record(
  'PropertyDiff',
  { name: PropertyName },
  { before: t.unknown, after: t.unknown, omitted: Omitted },
);
const Plain = text('DiffText', { examples: ['Hello'], minLength: 0, maxLength: diffViewLimits.textLength });
const TextDiff = record('TextDiff', {}, { before: Plain, after: Plain, omitted: Omitted });

const NodePlace = record('NodePlace', {
  parentId: nullable(NodeId),
  orderKey: text('PlaceKey', { examples: ['a1b2c3d4e5'], maxLength: 128 }),
});

const NodeDiff = record(
  'NodeDiff',
  {
    kind: oneOf('NodeDiffKind', ['created', 'deleted', 'changed']),
    id: NodeId,
    type: StoredNodeType,
    parentId: nullable(NodeId),
  },
  {
    name: text('NodeName', { examples: ['Header'], minLength: 0, maxLength: diffViewLimits.nameLength }),
    properties: t.readonlyArray(PropertyDiff, 'PropertyDiffs'),
    moved: record('NodeMoved', { before: NodePlace, after: NodePlace }),
    text: TextDiff,
    retyped: record('NodeRetyped', { before: StoredNodeType, after: StoredNodeType }),
  },
);

/** Does not compile if the codec and `NodeDiffView` differ. */
const items: t.Type<readonly NodeDiffView[], unknown> = t.readonlyArray(NodeDiff);

const VersionDiff = record('VersionDiff', {
  from: integer(0),
  to: integer(0),
  items,
  /** Of all pages. */
  counts: record('VersionDiffCounts', { created: integer(0), deleted: integer(0), changed: integer(0) }),
  next_cursor: nullable(Cursor),
});

const description = [
  'Nodes that differ, ordered by id. One that was created or deleted has its type, its parent and its name',
  `(the first ${diffViewLimits.nameLength} characters of its property \`name\`); one that changed as it became, with each property, its text and`,
  'its place `before` and `after`, absent where there was none. A value whose JSON is longer than',
  `${diffViewLimits.valueBytes.toLocaleString('en')} bytes, or a text of more than ${diffViewLimits.textLength.toLocaleString('en')} characters, is left out, and its side`,
  'stands in `omitted`. A text that reads the same on both sides has other formats. A page may be shorter than `limit`, where its nodes are',
  'large: the last one is that without `next_cursor`.',
].join(' ');

interface VersionPair {
  readonly from: number;
  readonly to: number;
}

const snapshotFor = async (
  { atVersion }: Pick<VersionReading, 'atVersion'>,
  documentKey: DocumentKey,
  { side, version }: { readonly side: keyof VersionPair; readonly version: number },
): Promise<Either<Problem, Snapshot>> => {
  const authorized = await atVersion(documentKey, version, 'temporary');
  if (!isLeft(authorized)) return authorized;
  if (authorized.left.code !== 'version-unknown') return left(problemOf(authorized.left, contentAccessProblems));
  const detail = `The document has no version \`${side}\`.`;
  return left(problemOf({ ...authorized.left, detail }, contentAccessProblems));
};

const snapshotPair = async (reading: VersionReading, documentKey: DocumentKey, { from, to }: VersionPair) => {
  const earlier = await snapshotFor(reading, documentKey, { side: 'from', version: from });
  if (isLeft(earlier)) return earlier;
  const later = await snapshotFor(reading, documentKey, { side: 'to', version: to });
  return isLeft(later) ? later : right({ from: earlier.right, to: later.right });
};

export const compareVersions = route<VersionReading>()({
  method: 'get',
  path: '/v1/documents/:documentId/diff',
  operation: 'compareVersions',
  summary: 'Compare two versions of a document',
  description,
  access: { scopes: ['documents:read'] },
  params: record('DocumentPath', { documentId: DocumentId }),
  query: DiffQuery,
  answers: { 200: { description: 'A page of what changed; `next_cursor` is null on the last.', body: VersionDiff } },
  problems: contentAccessProblems,
  handle: async (reading, { identity, params: { documentId }, query }) => {
    const { limit = defaultLimit, cursor } = query;
    const authorized = await authorizeDocument(reading.access, { identity, documentId }, 'see');
    if (isLeft(authorized)) return authorized.left;
    const { documentKey } = authorized.right;
    const versions = { from: Number(query.from), to: Number(query.to) };
    const snapshots = await snapshotPair(reading, documentKey, versions);
    if (isLeft(snapshots)) return snapshots.left;
    const begin = cursor === undefined ? {} : { after: cursor as NodeId };
    const compared = await reading.snapshotWorker.run(documentKey.tenant, {
      kind: 'compare',
      request: { ...snapshots.right, ...begin, limit },
    });
    if (isLeft(compared)) return problemOf(compared.left, contentAccessProblems);
    const { items, counts, next = null } = compared.right;
    return { status: 200, body: { ...versions, items, counts, next_cursor: next } };
  },
});
