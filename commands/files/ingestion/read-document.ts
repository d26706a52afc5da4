/** Documents are read in a sandbox: without network, by a process of their own, within limits of memory, time and disk. */
import { constants, createWriteStream } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Either, isLeft, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import type { ContentReference } from '../../../domain/files/content/content-reference';
import { DocumentFacts, FileFormat, type PageFacts, ReadFailure } from '../../../domain/files/content/read-result';
import { decodeStored, integer, nullable, record } from '../../../domain/kernel/codec';
import type { ProgramEnd, Sandbox, SandboxLimits } from '../../../packages/sandbox/src/ports';
import type { JobFailure } from '../../kernel/work-queue/job-handler';
import { readOutput, storeOutput } from './outputs';
import { again, type FileFault, plainResult, refuseFile, type StageEnd, type StageRun } from './stage-run';

const limits: SandboxLimits = {
  memoryBytes: 1_073_741_824,
  cpuSeconds: 300,
  wallSeconds: 600,
  processes: 64,
  openFiles: 256,
  diskBytes: 2_147_483_648,
  outputBytes: 1_048_576,
};

const ReadResult = record('ReadResult', {
  format: FileFormat,
  facts: nullable(DocumentFacts),
  elements: integer(0),
  notices: t.readonlyArray(t.string, 'ReadResultNotices'),
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

const inside = { node: '/reader-node', script: '/work/reader.cjs' };

interface ReaderRequest {
  readonly mode: 'detect' | 'read' | 'recognise';
  readonly ending: string;
  /** Of a document that was read: pages without text are recognised. */
  readonly pages?: readonly PageFacts[];
}

const runReader = async (
  { run, deps: { reader } }: StageRun,
  sandbox: Sandbox,
  { mode, ending }: ReaderRequest,
): Promise<Either<FileFault | JobFailure, undefined>> => {
  const started = await sandbox.exec({
    argv: [reader.node === undefined ? 'node' : inside.node, inside.script, mode, '/work/file', ending, '/work'],
    niceness: 5,
  });
  if (isLeft(started)) return again(started.left.detail);
  const { stdout, stderr, signal, ended } = started.right;
  run.onKill(() => signal('SIGKILL'));
  stdout.resume();
  stderr.resume();
  return faultOf(await ended);
};

const resultIn = async (sandbox: Sandbox): Promise<Either<FileFault, ReadResult>> => {
  const bytes = await readResultFile(join(sandbox.directory, 'result.json'), maxResultBytes);
  if (bytes === undefined) return refuseFile('EXTRACT_CRASH', 'Reading the file left no result.');
  const value: unknown = JSON.parse(bytes.toString('utf8'));
  const failed = decodeStored(FailedRead, value);
  if (!isLeft(failed)) return refuseFile(failed.right.failure.code, failed.right.failure.detail);
  const result = decodeStored(ReadResult, value);
  return isLeft(result) ? refuseFile('EXTRACT_CRASH', 'Reading the file left a faulty result.') : right(result.right);
};

/** Prepares a sandbox with the file in it, and runs the reader there. */
const inSandbox = async <Result>(
  stage: StageRun,
  request: ReaderRequest,
  use: (sandbox: Sandbox, result: ReadResult) => Promise<Either<FileFault | JobFailure, Result>>,
): Promise<Either<FileFault | JobFailure, Result>> => {
  const { deps, state, run } = stage;
  const { node, script } = deps.reader;
  const stored = await deps.blobs.get({ key: state.source.key, etag: state.source.etag, signal: run.signal });
  if (isLeft(stored)) return again(stored.left.detail);
  const prepared = await deps.sandboxes.prepare({
    limits,
    inputs: node === undefined ? [] : [{ source: node, target: inside.node }],
  });
  if (isLeft(prepared)) {
    stored.right.body.destroy();
    return again(prepared.left.detail);
  }
  const sandbox = prepared.right;
  try {
    await writeFile(join(sandbox.directory, 'reader.cjs'), script, { mode: 0o644 });
    await writeFile(join(sandbox.directory, 'pages.json'), JSON.stringify(request.pages ?? []), { mode: 0o644 });
    await pipeline(stored.right.body, createWriteStream(join(sandbox.directory, 'file'), { flags: 'wx', mode: 0o644 }));
    const ran = await runReader(stage, sandbox, request);
    if (isLeft(ran)) return ran;
    const result = await resultIn(sandbox);
    return isLeft(result) ? result : await use(sandbox, result.right);
  } finally {
    await sandbox.destroy();
  }
};

export const detectType = async (stage: StageRun, ending: string): StageEnd => {
  stage.run.reportProgress({ fraction: 0, detail: 'The type of the content is found out.' });
  const detected = await inSandbox(stage, { mode: 'detect', ending }, async (_, result) => right(result));
  return isLeft(detected) ? detected : right({ result: plainResult({ format: detected.right.format }) });
};

const maxElementsBytes = 524_288_000;

/** The elements as they were written, one JSON value per line. */
const storeElements = async (
  stage: StageRun,
  sandbox: Sandbox,
  name: string,
): Promise<Either<FileFault | JobFailure, ContentReference>> => {
  const bytes = await readResultFile(join(sandbox.directory, 'elements.jsonl'), maxElementsBytes);
  return bytes === undefined
    ? refuseFile('EXTRACT_CRASH', 'Reading the file left no text.')
    : storeOutput(stage, name, bytes);
};

/** Stores elements, and the facts beside them. */
export const extractText = async (stage: StageRun, ending: string): StageEnd => {
  stage.run.reportProgress({ fraction: 0, detail: 'The text is extracted.' });
  return inSandbox(stage, { mode: 'read', ending }, async (sandbox, { facts, elements }) => {
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
export const recogniseText = async (stage: StageRun, ending: string): StageEnd => {
  const [, facts] = stage.state.done.text_extraction?.outputs ?? [];
  if (facts === undefined) return again('The text is not extracted yet.');
  const document = await readOutput(stage, facts, DocumentFacts);
  if (isLeft(document)) return document;
  const { format, pages } = document.right;
  const isNeeded = format === 'image' || pages.some(({ hasText }) => !hasText);
  if (!isNeeded) return right({ result: plainResult() });
  stage.run.reportProgress({ fraction: 0, detail: 'Text in pictures is recognised.' });
  return inSandbox(stage, { mode: 'recognise', ending, pages }, async (sandbox, { elements, notices }) => {
    const stored = await storeElements(stage, sandbox, 'recognised');
    if (isLeft(stored)) return stored;
    const notice = notices[0] ?? null;
    return right({ result: plainResult({ outputs: [stored.right], count: elements, notice }) });
  });
};
