/**
 * POST /v1/documents/{documentId}:duplicate: creates a document with the content of another. The content is recorded
 * first. If the request fails after that, the log belongs to no document, and a retry continues from it.
 */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { Title } from '../../../domain/editor/document/events';
import type { DocumentId, DocumentKey } from '../../../domain/editor/ids';
import { logStream, type OperationLogEvent, operationLog } from '../../../domain/editor/operation-log/events';
import type { Snapshot } from '../../../domain/editor/snapshot/snapshot';
import { record } from '../../../domain/kernel/codec';
import type { EventMetadata } from '../../../domain/kernel/metadata';
import type { StreamReader } from '../../../infra/ports/stream-pages';
import { authorizeDocument, contentAccessProblems } from '../../../infra/server/documents/authorize-document';
import type { SnapshotWorker } from '../../../infra/server/documents/snapshots/snapshot-worker';
import { type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps, CommandRequest } from '../../kernel/command-spec';
import { callerOf, metadataOf } from '../../kernel/handle-request';
import type { AccessSource, SnapshotStore } from '../ports';
import { commandSubject, DocumentPath, documentRouteDefaults } from './document-route';
import { readDocumentHeadVersion } from './head-version';
import { defaultRegion } from './lifecycle';

export interface DuplicateDeps extends CommandDeps {
  readonly access: Pick<AccessSource, 'read'>;
  readonly snapshots: Pick<SnapshotStore, 'atVersion'>;
  readonly snapshotWorker: Pick<SnapshotWorker, 'run'>;
  readonly pages: StreamReader;
}

interface CopySource {
  readonly from: DocumentKey;
  readonly version: number;
  readonly documentId: DocumentId;
}

type DuplicateRequest = CommandRequest<{ readonly documentId: DocumentId }, unknown>;

/** The new document shares the pieces; its client table is empty. */
const copySnapshot = async (deps: DuplicateDeps, copying: CopySource): Promise<Either<Problem, Snapshot>> => {
  const { from, version, documentId } = copying;
  const original = await deps.snapshots.atVersion(from, version);
  if (isLeft(original)) return left(problemOf(original.left, contentAccessProblems));
  const nothing = { changed: [], removed: [], clients: { clients: [], recent: [] } };
  const input = { documentId, version, previous: original.right, ...nothing };
  const made = await deps.snapshotWorker.run(from.tenant, { kind: 'make', input });
  return isLeft(made) ? left(problemOf(made.left, contentAccessProblems)) : made;
};

const duplicateMetadata = ({ tenantId: tenant, identity, at, commandId }: DuplicateRequest): EventMetadata =>
  metadataOf({ tenant, actor: callerOf(identity), commandId, correlationId: commandId }, 'duplicate', at);

type CopiedContent = Extract<OperationLogEvent, { type: 'ContentCopied' }>['data'];

/** If the stream already has an event, an earlier attempt of this request recorded it. */
const recordContent = async (
  deps: DuplicateDeps,
  request: DuplicateRequest,
  { from, version, documentId }: CopySource,
): Promise<Either<Problem, CopiedContent | undefined>> => {
  const snapshot = await copySnapshot(deps, { from, version, documentId });
  if (isLeft(snapshot)) return snapshot;
  const data = { documentId, from: { documentId: from.documentId, version }, snapshot: snapshot.right };
  const event = { id: request.derivedId('content'), ...operationLog.encode({ type: 'ContentCopied', data }) };
  const stream = logStream(from.tenant, documentId);
  const appended = await deps.store.append(stream, 'no-stream', [{ ...event, metadata: duplicateMetadata(request) }]);
  if (!isLeft(appended)) return right(data);
  return appended.left.kind === 'wrong-revision'
    ? readCopiedContent(deps, { tenant: from.tenant, documentId })
    : left(problemOf(appended.left, {}));
};

/** An earlier attempt's content is used, even if the original changed since. */
const readCopiedContent = async (
  { pages }: DuplicateDeps,
  { tenant, documentId }: DocumentKey,
): Promise<Either<Problem, CopiedContent | undefined>> => {
  const stream = logStream(tenant, documentId);
  const read = await pages({ stream, direction: 'forwards', limit: 1, mostBytes: 1 });
  if (isLeft(read)) return left(problemOf(read.left, {}));
  const [first] = read.right.events;
  const event = first === undefined ? undefined : operationLog.decode(first.type, first.data);
  if (event === undefined || isLeft(event) || event.right.type !== 'ContentCopied') return right(undefined);
  return right(event.right.data);
};

const copyUnreadable = problem(
  'service-unavailable',
  'The copied content cannot be read right now; send the request again.',
);

const copyContent = async (
  deps: DuplicateDeps,
  request: DuplicateRequest,
  documentId: DocumentId,
): Promise<Either<Problem, { readonly title: string; readonly content: CopiedContent }>> => {
  const authorized = await authorizeDocument(
    deps.access.read,
    { identity: request.identity, documentId: request.params.documentId },
    'see',
  );
  if (isLeft(authorized)) return authorized;
  const { documentKey: from, access } = authorized.right;
  const before = await readCopiedContent(deps, { tenant: from.tenant, documentId });
  if (isLeft(before)) return before;
  if (before.right !== undefined) return right({ title: access.title, content: before.right });
  const head = await readDocumentHeadVersion(deps.pages, from.tenant, from.documentId);
  if (isLeft(head)) return left(problemOf(head.left, {}));
  const recorded = await recordContent(deps, request, { from, version: head.right, documentId });
  if (isLeft(recorded)) return recorded;
  return recorded.right === undefined ? left(copyUnreadable) : right({ title: access.title, content: recorded.right });
};

/** A document's stream is read completely and often, so a snapshot that names many assets stays in the log only. */
const maxRecordedSnapshotBytes = 65_536;
const recordableSnapshot = (snapshot: Snapshot): { readonly snapshot?: Snapshot } =>
  Buffer.byteLength(JSON.stringify(snapshot)) > maxRecordedSnapshotBytes ? {} : { snapshot };

const maxTitleLength = 200;
/** Drops half of a surrogate pair at the end. */
const titleOfCopy = (title: string): string => `${title.slice(0, maxTitleLength - 7).replace(/\p{Cs}$/u, '')} (copy)`;

export const duplicateRoute = commandRoute<DuplicateDeps>()({
  ...documentRouteDefaults,
  problems: { ...documentRouteDefaults.problems, ...contentAccessProblems },
  method: 'post',
  path: '/v1/documents/:documentId\\:duplicate',
  operation: 'duplicateDocument',
  summary: 'Create a document with the content of another one: the caller is its owner',
  sensitive: false,
  description:
    'For everyone who can see the document. The stored content is shared, not copied; members, links and history are not part of the copy.',
  params: DocumentPath,
  body: record('Duplicate', {}, { title: Title }),
  created: true,
  prepare: async (request, deps) => {
    const documentId = request.derivedId('document') as DocumentId;
    const copied = await copyContent(deps, request, documentId);
    if (isLeft(copied)) return copied;
    const subject = commandSubject({ ...request, params: { documentId } });
    if (isLeft(subject)) return subject;
    const { stream, by } = subject.right;
    const { title, content } = copied.right;
    const { version } = content.from;
    const copiedFrom = { documentId: request.params.documentId, version, ...recordableSnapshot(content.snapshot) };
    const fields = {
      title: request.body.title ?? titleOfCopy(title),
      homeRegion: defaultRegion,
      at: request.at,
      copiedFrom,
    };
    return right({
      stream,
      command: { type: 'CreateDocument' as const, documentId, by, ...fields },
      answer: { documentId },
      location: `/v1/documents/${documentId}`,
    });
  },
});
