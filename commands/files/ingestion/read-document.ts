/** Documents are read in a sandbox: without network, by a process of their own, within limits of memory, time and disk. */

import { constants, createWriteStream } from 'node:fs';
import { lstat, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Either, isLeft, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import type { ContentReference } from '../../../domain/files/content/content-reference';
import { DocumentFacts, FileFormat, type PageFacts, ReadFailure } from '../../../domain/files/content/read-result';
import { decimal, decodeStored, integer, nullable, record } from '../../../domain/kernel/codec';
import type { ByteRange } from '../../../infra/ports/blob-store';
import { detectBySignature } from '../../../packages/file-readers/src/detect/detect-by-signature';
import { nameWithEnding } from '../../../packages/file-readers/src/detect/names';
import { headBytes, tailBytes } from '../../../packages/file-readers/src/detect/signatures';
import type { ProgramEnd } from '../../../packages/sandbox/src/ports';
import { again, type JobFailure, type JobRun } from '../../kernel/work-queue/job-handler';
import { bytesOf } from '../../kernel/work-queue/object-bytes';
import { type Deferred, defer } from '../../kernel/work-queue/recorded-job';
import { storeOutput } from './outputs';
import type { ReaderSandbox, ReaderSandboxes, ReaderTask } from './reader-sandboxes';
import { type FileFault, plainResult, refuseFile, type StageEnd, type StageRun } from './stage-run';
import { addChunks, factsOf } from './store-chunks';

const ReadResult = record('ReadResult', {
  format: FileFormat,
  facts: nullable(DocumentFacts),
  elements: integer(0),
  notices: t.readonlyArray(t.string, 'ReadResultNotices'),
  /** Of recognition: what this system lacks, in a sentence; null where it was done. */
  unavailable: nullable(t.string),
  /** Of films: frames per second on average. */
  frameRate: nullable(decimal(0, 1_000)),
});
type ReadResult = t.TypeOf<typeof ReadResult>;
const FailedRead = record('FailedRead', { failure: ReadFailure });

/** Longer files of text are read in parts by their own limits. */
const maxResultBytes = 4_194_304;

const faultOf = (end: ProgramEnd): Either<FileFault | JobFailure, undefined> => {
  if (end.kind === 'exited' && end.code === 0) return right(undefined);
  if (end.kind === 'destroyed') return again('The worker is ending.');
  if (end.kind === 'limit' && (end.limit === 'cpu-time' || end.limit === 'wall-time'))
    return refuseFile('EXTRACT_TIMEOUT', 'Reading the file takes longer than is allowed.');
  if (end.kind === 'limit')
    return refuseFile('EXTRACT_CRASH', `Reading the file needs more than is allowed: ${end.limit}.`);
  return refuseFile(
    'EXTRACT_CRASH',
    'Reading the file fails: it may be damaged. Save it again in its program, and upload it.',
  );
};

/** What the reader left is of the file's making: links are not followed, and pipes do not block. */
const readResultFile = async (path: string, most: number): Promise<Buffer | undefined> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (file === undefined) return undefined;
  try {
    const status = await file.stat();
    return status.isFile() && status.size <= most ? await file.readFile() : undefined;
  } finally {
    await file.close();
  }
};

export interface ReaderRequest {
  readonly readers: ReaderSandboxes;
  /** Of the file's name. */
  readonly ending: string;
}

interface ReadingTask extends ReaderRequest, Pick<ReaderTask, 'mode'> {
  /** Of a document that was read: pages without text are recognised. */
  readonly pages?: readonly PageFacts[];
}

/** What the program writes is of the file's making: of other lines there is no report. */
const reportPages = async (run: JobRun, stdout: Readable): Promise<void> => {
  for await (const line of createInterface({ input: stdout })) {
    const [, number, total] = /^(\d{1,4}) (\d{1,4})$/.exec(line) ?? [];
    const [page, pages] = [Number(number), Number(total)];
    if (page >= 1 && page <= pages)
      run.reportProgress({
        fraction: (page - 1) / pages,
        detail: `Text in pictures is recognised: page ${page} of ${pages} scanned ones.`,
      });
  }
};

const runReader = async (
  { run }: StageRun,
  { program, begin }: ReaderSandbox,
  { mode, ending }: ReadingTask,
): Promise<Either<FileFault | JobFailure, undefined>> => {
  run.onKill(() => program.signal('SIGKILL'));
  const reporting = reportPages(run, program.stdout);
  begin({ mode, ending });
  const end = await program.ended;
  await reporting;
  return faultOf(end);
};

/** A reader blames this system with INTERNAL: the file is read once the program that it lacks is there. */
const resultIn = async ({ directory }: ReaderSandbox): Promise<Either<FileFault | Deferred, ReadResult>> => {
  const bytes = await readResultFile(join(directory, 'result.json'), maxResultBytes);
  if (bytes === undefined) return refuseFile('EXTRACT_CRASH', 'Reading the file left no result.');
  const value: unknown = JSON.parse(bytes.toString('utf8'));
  const failed = decodeStored(FailedRead, value);
  if (!isLeft(failed)) {
    const { code, detail } = failed.right.failure;
    return code === 'INTERNAL' ? defer(detail) : refuseFile(code, detail);
  }
  const result = decodeStored(ReadResult, value);
  return isLeft(result) ? refuseFile('EXTRACT_CRASH', 'Reading the file left a faulty result.') : right(result.right);
};

/** Puts the file into a sandbox, and has the reader there read it. */
const inSandbox = async <Result>(
  stage: StageRun,
  task: ReadingTask,
  use: (sandbox: ReaderSandbox, result: ReadResult) => Promise<Either<FileFault | Deferred | JobFailure, Result>>,
): Promise<Either<FileFault | Deferred | JobFailure, Result>> => {
  const { deps, state, run } = stage;
  const stored = await deps.blobs.get({ key: state.source.key, etag: state.source.etag, signal: run.signal });
  if (isLeft(stored)) return again(stored.left.detail);
  const taken = await task.readers.take(task.mode);
  if (isLeft(taken)) {
    stored.right.body.destroy();
    return again(taken.left.detail);
  }
  const sandbox = taken.right;
  try {
    const pages = JSON.stringify(task.pages ?? []);
    await writeFile(join(sandbox.directory, 'pages.json'), pages, { flag: 'wx', mode: 0o644 });
    const file = createWriteStream(join(sandbox.directory, 'file'), { flags: 'wx', mode: 0o644 });
    await pipeline(bytesOf(stored.right.body), file);
    const ran = await runReader(stage, sandbox, task);
    if (isLeft(ran)) return ran;
    const result = await resultIn(sandbox);
    return isLeft(result) ? result : await use(sandbox, result.right);
  } finally {
    await sandbox.destroy();
  }
};

/** The first or the last bytes of the file. */
const bytesAt = async (
  { deps, state: { source }, run }: StageRun,
  range: ByteRange,
): Promise<Either<JobFailure, Buffer>> => {
  const stored = await deps.blobs.get({ key: source.key, etag: source.etag, range, signal: run.signal });
  if (isLeft(stored)) return again(stored.left.detail);
  const chunks: Buffer[] = [];
  for await (const chunk of bytesOf(stored.right.body)) chunks.push(chunk);
  return right(Buffer.concat(chunks));
};

/** What bytes at fixed places decide, which needs no sandbox; undefined: more has to be read to know. */
const formatBySignature = async (
  stage: StageRun,
  ending: string,
): Promise<Either<FileFault | JobFailure, FileFormat | undefined>> => {
  const { sizeBytes } = stage.state.source;
  if (sizeBytes === 0) return right(undefined);
  const head = await bytesAt(stage, { first: 0, last: Math.min(headBytes, sizeBytes) - 1 });
  if (isLeft(head)) return head;
  const tail = await bytesAt(stage, { first: Math.max(0, sizeBytes - tailBytes), last: sizeBytes - 1 });
  if (isLeft(tail)) return tail;
  const known = detectBySignature({ name: nameWithEnding(ending) }, { head: head.right, tail: tail.right });
  if (known === undefined) return right(undefined);
  return isLeft(known) ? refuseFile(known.left.code, known.left.detail) : right(known.right.format);
};

export const detectType = async (stage: StageRun, request: ReaderRequest): StageEnd => {
  stage.run.reportProgress({ fraction: 0, detail: 'The type of the content is found out.' });
  const known = await formatBySignature(stage, request.ending);
  if (isLeft(known)) return known;
  if (known.right !== undefined) return right({ result: plainResult({ format: known.right }) });
  const detected = await inSandbox(stage, { ...request, mode: 'detect' }, async (_, result) => right(result));
  return isLeft(detected) ? detected : right({ result: plainResult({ format: detected.right.format }) });
};

const maxElementsBytes = 524_288_000;

/** The elements as they were written, one JSON value per line. */
const storeElements = async (
  stage: StageRun,
  sandbox: ReaderSandbox,
  name: string,
): Promise<Either<FileFault | JobFailure, ContentReference>> => {
  const bytes = await readResultFile(join(sandbox.directory, 'elements.jsonl'), maxElementsBytes);
  return bytes === undefined
    ? refuseFile('EXTRACT_CRASH', 'Reading the file left no text.')
    : storeOutput(stage, name, bytes);
};

/** Stores elements, and the facts beside them. */
export const extractText = async (stage: StageRun, request: ReaderRequest): StageEnd => {
  stage.run.reportProgress({ fraction: 0, detail: 'The text is extracted.' });
  return inSandbox(stage, { ...request, mode: 'read' }, async (sandbox, { facts, elements }) => {
    if (facts === null) return refuseFile('EXTRACT_CRASH', 'Reading the file left no facts.');
    const stored = await storeElements(stage, sandbox, 'elements');
    if (isLeft(stored)) return stored;
    const described = await storeOutput(stage, 'facts', Buffer.from(JSON.stringify(facts)));
    if (isLeft(described)) return described;
    const notice = facts.notices[0] ?? null;
    return right({ result: plainResult({ outputs: [stored.right, described.right], count: elements, notice }) });
  });
};

/** Of pictures, and of pages that have no text of their own. */
export const recogniseText = async (stage: StageRun, request: ReaderRequest): StageEnd => {
  const document = await factsOf(stage);
  if (isLeft(document)) return document;
  const { format, pages } = document.right;
  const isNeeded = format === 'image' || pages.some(({ hasText }) => !hasText);
  if (!isNeeded) return right({ result: plainResult() });
  stage.run.reportProgress({ fraction: 0, detail: 'Text in pictures is recognised.' });
  const task = { ...request, mode: 'recognise', pages } as const;
  const read = await inSandbox(stage, task, async (sandbox, { elements, notices, unavailable }) => {
    if (unavailable !== null) return defer(unavailable);
    const stored = await storeElements(stage, sandbox, 'recognised');
    return isLeft(stored) ? stored : right({ stored: stored.right, count: elements, notice: notices[0] ?? null });
  });
  return isLeft(read) ? read : addChunks(stage, read.right.stored, read.right);
};

interface DecodedSpeech {
  readonly path: string;
  /** Of a film. */
  readonly frameRate: number | null;
  readonly notice: string | null;
}

/** The sound as the transcriber takes it. The file is gone when `use` has ended. */
export const decodeSpeech = async <Result>(
  stage: StageRun,
  request: ReaderRequest,
  use: (speech: DecodedSpeech) => Promise<Either<FileFault | Deferred | JobFailure, Result>>,
): Promise<Either<FileFault | Deferred | JobFailure, Result>> =>
  inSandbox(stage, { ...request, mode: 'decode' }, async ({ directory }, { frameRate, notices }) => {
    const path = join(directory, 'speech.pcm');
    // The transcriber runs outside of the sandbox: it must not follow a link.
    const status = await lstat(path).catch(() => undefined);
    if (status?.isFile() !== true) return refuseFile('EXTRACT_CRASH', 'Reading the recording left no sound.');
    return use({ path, frameRate, notice: notices[0] ?? null });
  });
