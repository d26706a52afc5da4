/** GET /actions/jobs/:jobId/logs: what is stored of a job's log, in pages in either direction, or its text as bytes. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { described, integer, listOf, nullable, oneOf, record } from '../../domain/kernel/codec';
import { limits } from '../../domain/workflow/limits';
import type { LogLocation, LogReader } from '../../infra/ports/workflow/log-store';
import { invalidInput, type Problem, problemOf } from '../../infra/server/http/problem';
import { type Answer, route } from '../../infra/server/http/routing/route';
import type { Span } from '../../infra/server/http/streaming/byte-range';
import { bytesOfChunk } from '../../infra/server/workflow/chunk-text';
import { findLog, LogPath, logFields, longestOffset } from '../../infra/server/workflow/find-log';
import { LogMessage, type LogPages } from '../../infra/server/workflow/log-pages';
import { logProblems } from '../../infra/server/workflow/problems';

export interface JobLogDeps {
  readonly logs: LogReader;
  readonly pages: LogPages;
}

/** A chunk number, or the word `end`. */
const BeforeOffset = described(
  new t.Type<number, string, unknown>(
    'a chunk number from 0, or end',
    t.number.is,
    (value, context) => (value === 'end' ? t.success(longestOffset) : logFields.fromOffset.validate(value, context)),
    (value) => (value === longestOffset ? 'end' : String(value)),
  ),
  {
    oneOf: [
      { type: 'integer', minimum: 0, maximum: longestOffset },
      { type: 'string', enum: ['end'] },
    ],
  },
);

const ReadLogQuery = record(
  'ReadLogQuery',
  {},
  { ...logFields, beforeOffset: BeforeOffset, format: oneOf('LogFormat', ['json', 'text']) },
);
type ReadLogQuery = t.TypeOf<typeof ReadLogQuery>;

const JobLogPage = record('JobLogPage', {
  attempt: integer(1),
  chunks: listOf('LogMessages', LogMessage, 1_000),
  nextOffset: integer(0),
  complete: t.boolean,
  previousOffset: nullable(integer(0)),
  chunkCount: integer(0),
  byteCount: integer(0),
  lineCount: integer(0),
});

const readPage = async (deps: JobLogDeps, location: LogLocation, query: ReadLogQuery): Promise<Answer> => {
  const { fromOffset = 0, beforeOffset } = query;
  const page = await (beforeOffset === undefined
    ? deps.pages.read(location, fromOffset)
    : deps.pages.readBefore(location, beforeOffset));
  if (isLeft(page)) return problemOf(page.left, logProblems);
  const { messages, from, next, state } = page.right;
  return {
    status: 200,
    body: {
      attempt: location.attempt,
      chunks: messages,
      nextOffset: next,
      complete: state.isComplete && next >= state.next,
      previousOffset: from === 0 ? null : from,
      chunkCount: state.next,
      byteCount: state.bytes,
      lineCount: state.lines,
    },
  };
};

/** Of the text, a page of it at a time. A fault cuts the answer off. */
async function* textOf(deps: JobLogDeps, location: LogLocation, { first, length, chunk }: Span & { chunk: number }) {
  const end = first + length;
  for (let [next, byte] = [chunk, first]; byte < end; ) {
    const page = await deps.logs.read(location, next, textPageBytes);
    if (isLeft(page)) throw new Error(page.left.detail);
    if (page.right.chunks.length === 0) return;
    for (const stored of page.right.chunks) {
      next = stored.chunkOffset + 1;
      const bytes = bytesOfChunk(stored, limits.logChunkBytes);
      const part = bytes.subarray(Math.max(0, byte - stored.byteStart), Math.max(0, end - stored.byteStart));
      byte += part.length;
      if (part.length > 0) yield part;
    }
  }
}
const textPageBytes = 262_144;

/** What is stored now. A log only grows, so a range of it has the same bytes later. */
const readText = async (deps: JobLogDeps, location: LogLocation): Promise<Answer> => {
  const page = await deps.logs.readBefore(location, 0, 0);
  if (isLeft(page)) return problemOf(page.left, logProblems);
  const { bytes: size, isComplete } = page.right.state;
  return {
    contentType: 'text/plain; charset=utf-8',
    size,
    ...(isComplete ? { etag: `"${location.attempt}-${size}"` } : {}),
    openRange: async ({ first, length }): Promise<Either<Problem, AsyncIterable<Uint8Array>>> => {
      const chunk = await deps.logs.chunkAt(location, first);
      if (isLeft(chunk)) return left(problemOf(chunk.left, logProblems));
      return right(textOf(deps, location, { first, length, chunk: chunk.right }));
    },
  };
};

const conflicts = ({ fromOffset, beforeOffset, format }: ReadLogQuery): Problem | undefined => {
  const expected = 'omitted, with the others';
  if (beforeOffset !== undefined && fromOffset !== undefined)
    return invalidInput([{ pointer: '/query/beforeOffset', expected }]);
  if (format === 'text' && (fromOffset ?? beforeOffset) !== undefined)
    return invalidInput([{ pointer: '/query/format', expected }]);
  return undefined;
};

export const readLog = route<JobLogDeps>()({
  method: 'get',
  path: '/actions/jobs/:jobId/logs',
  operation: 'readJobLog',
  summary: 'Read a page of the log of a job',
  description: [
    'Chunks from the number `fromOffset` on (0 when left out), in order and without a gap. Continue from `nextOffset`. `complete`: the attempt has',
    'ended, and this page reaches the end. With `beforeOffset` instead, the page that ends right before that chunk, or at the end of the log',
    '(`end`): a long log is opened there, and read upwards with `previousOffset`, which is null at the beginning. `chunkCount`, `byteCount` and',
    '`lineCount` (line feeds) are of the whole log so far. Without `attempt`, the latest that a runner has had. `format=text`: the text itself,',
    'of which a `Range` of bytes can be requested; the offsets of chunks are its bytes.',
  ].join(' '),
  access: { scopes: ['workflows:read'] },
  params: LogPath,
  query: ReadLogQuery,
  answers: {
    200: {
      description: 'At least one chunk if there is one, and at most about 256 KiB of text.',
      body: JobLogPage,
      plainText: true,
      ranges: true,
    },
  },
  problems: logProblems,
  handle: async (deps, { params: { jobId }, query, identity }) => {
    const refused = conflicts(query);
    if (refused !== undefined) return refused;
    const location = await findLog(deps.logs, { identity, jobId, attempt: query.attempt });
    if (isLeft(location)) return location.left;
    return query.format === 'text' ? readText(deps, location.right) : readPage(deps, location.right, query);
  },
});
