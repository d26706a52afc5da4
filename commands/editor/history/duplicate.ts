/**
 * POST /v1/documents/{documentId}:duplicate: another document with the same content. The content is recorded first: whatever stops this
 * leaves a log that nobody sees, and the same request goes on from there.
 */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { Title } from '../../../domain/editor/document/events';
import type { DocumentId } from '../../../domain/editor/ids';
import { type LogEvent, log } from '../../../domain/editor/log/events';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import { type DocumentKey, logStream } from '../../../domain/editor/streams';
import { record } from '../../../domain/kernel/codec';
import type { EventMetadata } from '../../../domain/kernel/metadata';
import { type Problem, problem, problemOf } from '../../../infra/http/problem';
import type { StreamReader } from '../../../infra/ports/stream-pages';
import { commandRoute } from '../../kernel/command-route';
import type { Asked, CommandDeps } from '../../kernel/command-spec';
import { about, common, DocumentPath } from '../documents/common';
import { headVersion } from '../documents/head-version';
import { usualRegion } from '../documents/life';
import { allowed, type HistoryDeps, historyProblems } from './common';

export interface DuplicateDeps extends CommandDeps, HistoryDeps {
  readonly pages: StreamReader;
}

interface Copying {
  readonly from: DocumentKey;
  readonly version: number;
  readonly documentId: DocumentId;
}

type AskedToCopy = Asked<{ readonly documentId: DocumentId }, unknown>;

/** The same pieces under another document's name; clients begin anew there. */
const contentOf = async (deps: DuplicateDeps, copying: Copying): Promise<Either<Problem, Snapshot>> => {
  const { from, version, documentId } = copying;
  const original = await deps.snapshots.at(from, version);
  if (isLeft(original)) return left(problemOf(original.left, historyProblems));
  const nothing = { changed: [], removed: [], clients: { clients: [], recent: [] } };
  const making = { documentId, version, previous: original.right, ...nothing };
  const made = await deps.desk.ask(from.tenant, { kind: 'make', making });
  return isLeft(made) ? left(problemOf(made.left, historyProblems)) : made;
};

const metadataOf = ({ tenantId: tenant, identity, at, commandId }: AskedToCopy): EventMetadata => ({
  ...{ $correlationId: commandId, $causationId: commandId, commandId, commandHash: 'duplicate' },
  ...{ tenant, actor: identity.principalId, at },
});

type Copied = Extract<LogEvent, { type: 'ContentCopied' }>['data'];

/** Where something is recorded already, the same request has recorded it. */
const recordContent = async (
  deps: DuplicateDeps,
  asked: AskedToCopy,
  { from, version, documentId }: Copying,
): Promise<Either<Problem, Copied | undefined>> => {
  const snapshot = await contentOf(deps, { from, version, documentId });
  if (isLeft(snapshot)) return snapshot;
  const data = { documentId, from: { documentId: from.documentId, version }, snapshot: snapshot.right };
  const event = { id: asked.derivedId('content'), ...log.encode({ type: 'ContentCopied', data }) };
  const stream = logStream(from.tenant, documentId);
  const appended = await deps.store.append(stream, 'no-stream', [{ ...event, metadata: metadataOf(asked) }]);
  if (!isLeft(appended)) return right(data);
  return appended.left.kind === 'wrong-revision'
    ? copiedBefore(deps, { tenant: from.tenant, documentId })
    : left(problemOf(appended.left, {}));
};

/** What was recorded before stays what is copied, however the original went on since. */
const copiedBefore = async (
  { pages }: DuplicateDeps,
  { tenant, documentId }: DocumentKey,
): Promise<Either<Problem, Copied | undefined>> => {
  const stream = logStream(tenant, documentId);
  const read = await pages({ stream, direction: 'forwards', limit: 1, mostBytes: 1 });
  if (isLeft(read)) return left(problemOf(read.left, {}));
  const [first] = read.right.events;
  const event = first === undefined ? undefined : log.decode(first.type, first.data);
  if (event === undefined || isLeft(event) || event.right.type !== 'ContentCopied') return right(undefined);
  return right(event.right.data);
};

const unread = problem('service-unavailable', 'What was copied cannot be read right now; send the same again.');

const copy = async (
  deps: DuplicateDeps,
  asked: AskedToCopy,
  documentId: DocumentId,
): Promise<Either<Problem, { readonly title: string; readonly content: Copied }>> => {
  const found = await allowed(deps, { identity: asked.identity, documentId: asked.params.documentId }, 'see');
  if (isLeft(found)) return found;
  const { place: from, standing } = found.right;
  const before = await copiedBefore(deps, { tenant: from.tenant, documentId });
  if (isLeft(before)) return before;
  if (before.right !== undefined) return right({ title: standing.title, content: before.right });
  const head = await headVersion(deps.pages, from.tenant, from.documentId);
  if (isLeft(head)) return left(problemOf(head.left, {}));
  const recorded = await recordContent(deps, asked, { from, version: head.right, documentId });
  if (isLeft(recorded)) return recorded;
  return recorded.right === undefined ? left(unread) : right({ title: standing.title, content: recorded.right });
};

/** What is said of a document is read whole, again and again: of what names very many assets the log tells. */
const toldBytes = 65_536;
const toldOf = (snapshot: Snapshot): { readonly snapshot?: Snapshot } =>
  Buffer.byteLength(JSON.stringify(snapshot)) > toldBytes ? {} : { snapshot };

const longestTitle = 200;
/** Half a letter at its end would be no title. */
const titleOfCopy = (title: string): string => `${title.slice(0, longestTitle - 7).replace(/\p{Cs}$/u, '')} (copy)`;

export const duplicateRoute = commandRoute<DuplicateDeps>()({
  ...common,
  problems: { ...common.problems, ...historyProblems },
  method: 'post',
  path: '/v1/documents/:documentId\\:duplicate',
  operation: 'duplicateDocument',
  summary: 'Create a document with the content of another one: the caller is its owner',
  sensitive: false,
  description:
    'Whoever sees a document may. What is stored of its content is shared, not copied; members, links and history stay behind.',
  params: DocumentPath,
  body: record('Duplicate', {}, { title: Title }),
  created: true,
  prepare: async (asked, deps) => {
    const documentId = asked.derivedId('document') as DocumentId;
    const copied = await copy(deps, asked, documentId);
    if (isLeft(copied)) return copied;
    const named = about({ ...asked, params: { documentId } });
    if (isLeft(named)) return named;
    const { stream, by } = named.right;
    const { title, content } = copied.right;
    const { version } = content.from;
    const copiedFrom = { documentId: asked.params.documentId, version, ...toldOf(content.snapshot) };
    const said = { title: asked.body.title ?? titleOfCopy(title), homeRegion: usualRegion, at: asked.at, copiedFrom };
    return right({
      stream,
      command: { type: 'CreateDocument' as const, documentId, by, ...said },
      answer: { documentId },
      location: `/v1/documents/${documentId}`,
    });
  },
});
