/** Read without a subscription: a stream or `$all`, in either direction, up to a count. */
import { administrators, allStream, isMember } from '../../access/acl';
import type { Caller } from '../../access/caller';
import { isBoundary, isReadable, lastPositionOf, readAllPage, readStreamPage } from '../../storage/read-pages';
import type { StoredRecord } from '../../storage/records/record-format';
import type { Storage } from '../../storage/storage';
import { resolveLink } from '../../storage/streams/resolve-links';
import { firstVisibleRevision, isTombstoned, type StreamHead } from '../../storage/streams/stream-heads';
import type { Node } from '../call-context';
import { handlerFailed, streamDeleted } from '../errors';
import type { ResponseStream } from '../response-stream';
import type { ReadAccess, ReadOptions } from './read-options';
import { eventReply, firstPositionReply, lastPositionReply, streamNotFoundReply } from './read-replies';

/** EventStoreDB reads this many events at a time, which decides when it sends the first position. */
const serverPageEvents = 32;

export const createReadAccess = ({ access }: Node, caller: Caller): ReadAccess => ({
  check: (stream) => access.allow(caller, 'read', stream ?? allStream),
  mayRead: (stream) => access.isAllowed(caller, 'read', stream),
  isAdministrator: access.kind === 'insecure' || isMember(caller, [administrators]),
});

/** Links into streams that the caller may not read are not resolved. */
export const createReplyEncoder =
  (storage: Storage, { resolveLinks, idForm, access }: ReadOptions) =>
  (record: StoredRecord): Buffer =>
    eventReply(resolveLinks ? resolveLink(storage, record, access.mayRead) : { event: record }, idForm);

const startOf = ({ from, direction }: ReadOptions, { last }: StreamHead): number => {
  if (from === 'start') return 0;
  if (from === 'end') return last;
  return direction === 'forwards' ? from : Math.min(from, last);
};

/** Sent when nothing is at the position where the client starts. */
const firstPositions = (options: ReadOptions, head: StreamHead, lowest: number, start: number): readonly number[] => {
  if (options.direction === 'backwards') return [];
  const page = Math.min(serverPageEvents, options.count ?? serverPageEvents);
  const skipped = start < lowest && start + page - 1 < lowest ? [lowest] : [];
  const at = skipped[0] ?? start;
  return at > head.last && at !== head.last + 1 ? [...skipped, head.last + 1] : skipped;
};

const checkStream = (options: ReadOptions): void => {
  const forwardFromEnd = options.direction === 'forwards' && options.from === 'end';
  if (options.count === 0 || options.from === Number.POSITIVE_INFINITY || forwardFromEnd)
    throw handlerFailed('Unexpected ReadStreamResult: Error');
};

export const readStream = async (
  storage: Storage,
  name: Buffer,
  options: ReadOptions,
  out: ResponseStream,
): Promise<void> => {
  checkStream(options);
  if (isTombstoned(storage.heads, name)) throw streamDeleted(name);
  const head = storage.heads.get(name);
  if (!isReadable(head)) return out.send([streamNotFoundReply(name)]);
  const start = startOf(options, head);
  const positions = options.compatibility >= 1;
  if (positions)
    await out.send(firstPositions(options, head, firstVisibleRevision(name, head), start).map(firstPositionReply));
  const reply = createReplyEncoder(storage, options);
  let left = options.count ?? 0;
  let from: number | undefined = start;
  let sent = 0;
  while (from !== undefined && left > 0 && !out.isClosed()) {
    const page = readStreamPage(storage.tables, { name, head, from, direction: options.direction, limit: left });
    await out.send(page.records.map(reply));
    sent += page.records.length;
    // A page of hidden events must not keep other calls waiting.
    if (page.records.length === 0) await new Promise(setImmediate);
    left -= page.records.length;
    from = page.next;
  }
  if (!positions) return;
  const aged =
    head.retention.maxAge !== undefined && sent === 0 && options.direction === 'forwards' && start <= head.last;
  await out.send([...(aged ? [firstPositionReply(head.last + 1)] : []), lastPositionReply(head.last)]);
};

const allStart = ({ tables }: Storage, { from, direction }: ReadOptions): number | undefined => {
  if (from === 'start') return direction === 'forwards' ? 0 : undefined;
  const end = lastPositionOf(tables);
  if (end === undefined) return undefined;
  if (from === 'end') return direction === 'forwards' ? undefined : end + 1;
  if (from > end) return direction === 'forwards' ? undefined : end + 1;
  // Position 0 is the beginning, where no event is.
  if (from !== 0 && !isBoundary(tables, from)) throw handlerFailed('Unexpected ReadAllResult: Error');
  return from;
};

export const readAll = async (storage: Storage, options: ReadOptions, out: ResponseStream): Promise<void> => {
  const reply = createReplyEncoder(storage, options);
  const { direction, filter } = options;
  let from = allStart(storage, options);
  let left = options.count ?? 0;
  while (from !== undefined && left > 0 && !out.isClosed()) {
    const window = Number.POSITIVE_INFINITY;
    const page = readAllPage(storage.tables, { from, direction, limit: left, window, matches: filter.matches });
    await out.send(page.records.map(reply));
    left -= page.records.length;
    if (!page.more || page.last === undefined) return;
    from = direction === 'forwards' ? page.last + 1 : page.last;
    // A filter that matches nothing must not keep other calls waiting.
    if (page.records.length === 0) await new Promise(setImmediate);
  }
};
