/** Imports a file in a worker. After each part of it the import records how far it is, so that a killed one goes on from there. */
import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import { type ImportCommand, type ImportState, placeImport } from '../../../domain/geo/import/decider';
import { type ImportProgress, importStream, type Refusal } from '../../../domain/geo/import/events';
import { sourceOf } from '../../../domain/geo/place/decider';
import type { ImportJob } from '../../../domain/geo/run-import-on-started/process';
import { TenantId } from '../../../domain/kernel/ids';
import type { BlobStore } from '../../../infra/ports/blob-store';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { HandleDeps } from '../../kernel/handle-request';
import { loadStream } from '../../kernel/load-stream';
import {
  again,
  type DecodedJob,
  type JobFailure,
  type JobRun,
  type PerformJob,
} from '../../kernel/work-queue/job-handler';
import { type AppliedChange, applyChanges, type ChangeOutcome } from '../changes/apply-change';
import { type ChangeFault, conflictingVersion, foreignPlace, reservedSource } from '../changes/decode-change';
import { reservedForOthers } from '../sources/source-access';
import { type FileChunks, UnreadableFile } from './file/file-record';
import { type ReadChange, readChanges } from './file/read-changes';
import { fileKey } from './upload/file-key';

export interface ImportDeps extends HandleDeps {
  readonly blobs: BlobStore;
}

type Running = Extract<ImportState, { kind: 'running' }>;

/** Lines between two records of the progress: what a killed import does again. */
const linesPerPart = 1_000;

const actor = 'system:work.geo-imports';

interface ImportRun {
  readonly deps: ImportDeps;
  readonly tenant: TenantId;
  readonly job: DecodedJob<ImportJob>;
  readonly run: JobRun;
}

/** A command without effect is one whose effect is there. */
const send = async (
  { deps, tenant, job }: ImportRun,
  command: ImportCommand,
  ...parts: readonly (string | number)[]
) => {
  const { importId } = command;
  return handle(deps, placeImport, {
    stream: importStream(tenant, importId),
    command,
    tenant,
    actor,
    ...job.cause,
    commandId: derivedId('import', tenant, importId, command.type, ...parts),
  });
};

const refusalOf = (line: number, { pointer, expected, hint }: ChangeFault): Refusal => ({
  line,
  field: pointer.slice(0, 200),
  expected: expected.slice(0, 300),
  hint: hint ?? null,
});

/** One entry per faulty line, of its first fault. */
const refusalsOf = (read: readonly ReadChange[], outcomes: ReadonlyMap<number, ChangeOutcome>): readonly Refusal[] =>
  read.flatMap(({ line, change }) => {
    if (isLeft(change)) return change.left.slice(0, 1).map((fault) => refusalOf(line, fault));
    const outcome = outcomes.get(line);
    if (outcome?.outcome === 'foreign') return [refusalOf(line, foreignPlace(outcome.detail))];
    return outcome?.outcome === 'conflicting' ? [refusalOf(line, conflictingVersion)] : [];
  });

interface Part {
  /** Of the import. */
  readonly source: string;
  readonly read: readonly ReadChange[];
  readonly permille: number;
}

const countOf = (outcomes: ReadonlyMap<number, ChangeOutcome>, one: ChangeOutcome['outcome']): number =>
  [...outcomes.values()].filter(({ outcome }) => outcome === one).length;

const applyPart = async (
  importRun: ImportRun,
  progress: ImportProgress,
  { source, read, permille }: Part,
): Promise<Either<JobFailure, { readonly progress: ImportProgress; readonly isOver: boolean }>> => {
  const { deps, tenant, job } = importRun;
  const { importId } = job.payload;
  const others = read
    .flatMap(({ change }) => (isLeft(change) ? [] : [sourceOf(change.right)]))
    .filter((one) => one !== source);
  // The source of the import was checked when it was created; lines may name others.
  const reserved = await reservedForOthers(deps, { tenant, principalId: actor }, others);
  if (isLeft(reserved)) return again(reserved.left.detail);
  const allowed = read.map((one): ReadChange => {
    const isReserved = !isLeft(one.change) && reserved.right.has(sourceOf(one.change.right));
    return isReserved ? { ...one, change: left([reservedSource]) } : one;
  });
  const changes = allowed.flatMap(({ line, change }): readonly (AppliedChange & { readonly line: number })[] => {
    if (isLeft(change)) return [];
    const commandId = derivedId('import-line', tenant, importId, line);
    return [{ line, command: change.right, tenant, actor, correlationId: job.cause.correlationId, commandId }];
  });
  const applied = await applyChanges(deps, changes);
  if (isLeft(applied)) return again(applied.left.detail);
  const outcomes = new Map(applied.right.map((outcome, index) => [changes[index]?.line ?? 0, outcome]));
  const refusals = refusalsOf(allowed, outcomes);
  const next: ImportProgress = {
    lines: read.at(-1)?.line ?? progress.lines,
    recorded: progress.recorded + countOf(outcomes, 'recorded'),
    unchanged: progress.unchanged + countOf(outcomes, 'unchanged'),
    outdated: progress.outdated + countOf(outcomes, 'outdated'),
    refused: progress.refused + refusals.length,
    permille,
  };
  const advanced = await send(
    importRun,
    { type: 'AdvanceImport', importId, progress: next, refusals },
    job.token,
    next.lines,
  );
  if (isRight(advanced)) return right({ progress: next, isOver: false });
  return advanced.left.code === 'import-ended' ? right({ progress: next, isOver: true }) : again(advanced.left.detail);
};

/** Of the file, counting the bytes that were read. */
const counting = async function* (chunks: AsyncIterable<Buffer>, add: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    add(chunk.length);
    yield chunk;
  }
};

/** Answers whether the import is still to be completed, or why it fails. */
const importFile = async (
  importRun: ImportRun,
  state: Running,
  file: FileChunks,
): Promise<Either<JobFailure, 'completed' | 'over' | UnreadableFile>> => {
  const { signal, reportProgress, checkpoint } = importRun.run;
  let { progress } = state;
  let bytes = 0;
  let read: ReadChange[] = [];
  const finishPart = async (): Promise<Either<JobFailure, 'on' | 'over'>> => {
    const permille = Math.min(1_000, Math.floor((bytes / state.definition.size) * 1_000));
    const part = { source: state.definition.source, read, permille };
    read = [];
    const applied = await applyPart(importRun, progress, part);
    if (isLeft(applied)) return applied;
    progress = applied.right.progress;
    await checkpoint();
    reportProgress({ fraction: permille / 1_000, detail: `Read ${progress.lines} lines.` });
    return right(applied.right.isOver ? 'over' : 'on');
  };
  const counted = counting(file, (more) => {
    bytes += more;
  });
  let unreadable: UnreadableFile | undefined;
  try {
    for await (const change of readChanges(state.definition, counted)) {
      if (signal.aborted) return again('It was ended.');
      if (change.line <= state.progress.lines) continue;
      read.push(change);
      if (read.length < linesPerPart) continue;
      const finished = await finishPart();
      if (isLeft(finished) || finished.right === 'over') return finished as Either<JobFailure, 'over'>;
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    unreadable = error;
  }
  // Also the lines before what cannot be read.
  const finished = read.length === 0 ? right('on') : await finishPart();
  if (isLeft(finished)) return finished;
  if (finished.right === 'over') return right('over');
  return right(unreadable ?? 'completed');
};

const fail = async (importRun: ImportRun, reason: string): Promise<Either<JobFailure, readonly []>> => {
  const { importId } = importRun.job.payload;
  const failed = await send(importRun, { type: 'FailImport', importId, reason });
  return isLeft(failed) ? again(failed.left.detail) : right([]);
};

/** The lines before an unreadable place count. */
const runToEnd = async (importRun: ImportRun, state: Running): Promise<Either<JobFailure, readonly []>> => {
  const { deps, tenant, job, run } = importRun;
  const { importId } = job.payload;
  const { etag } = state;
  const stored = await deps.blobs.get({ key: fileKey(tenant, importId), etag, signal: run.signal });
  if (isLeft(stored)) {
    const { code, detail } = stored.left;
    if (code === 'blob-unknown' || code === 'blob-differs') return fail(importRun, 'The uploaded file is gone.');
    return again(detail);
  }
  const { body } = stored.right;
  try {
    const imported = await importFile(importRun, state, body);
    if (isLeft(imported)) return imported;
    if (imported.right === 'over') return right([]);
    if (imported.right instanceof UnreadableFile) return fail(importRun, imported.right.message);
    const completed = await send(importRun, { type: 'CompleteImport', importId });
    return isLeft(completed) ? again(completed.left.detail) : right([]);
  } finally {
    body.destroy();
  }
};

/** Resumes where the import stands; one that has ended is done. */
export const performImport =
  (deps: ImportDeps): PerformJob<ImportJob> =>
  async (job, run) => {
    const { tenant } = job;
    if (!TenantId.is(tenant)) return left({ kind: 'permanent', reason: 'The tenant is unknown.' });
    const state = await loadStream(deps, placeImport, importStream(tenant, job.payload.importId));
    if (isLeft(state)) return again(state.left.detail);
    if (state.right.kind !== 'running') return right([]);
    const importRun = { deps, tenant, job, run };
    const performed = await runToEnd(importRun, state.right);
    if (!isLeft(performed) || !run.isLastAttempt() || run.signal.aborted) return performed;
    return fail(importRun, 'The import failed too often; what was recorded stays.');
  };
