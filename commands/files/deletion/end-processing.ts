/** Ends the processing of all versions of a file, and withdraws their chunks: results that come later do not count. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { file as fileRules } from '../../../domain/files/file/decider';
import { fileStream } from '../../../domain/files/file/events';
import type { VersionId } from '../../../domain/files/ids';
import { ingestion } from '../../../domain/files/ingestion/decider';
import { ingestionIdOf, ingestionStream } from '../../../domain/files/ingestion/events';
import { pipelineVersion as newestPipeline } from '../../../domain/files/pipeline';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import { causeOf, type DeletionRun } from './deletion-run';

interface EndedProcessing {
  readonly ingestions: number;
  readonly running: number;
  readonly chunks: number;
  /** Of the last event of them. */
  readonly position: bigint;
}

const none: EndedProcessing = { ingestions: 0, running: 0, chunks: 0, position: 0n };

const plus = (one: EndedProcessing, other: EndedProcessing): EndedProcessing => ({
  ingestions: one.ingestions + other.ingestions,
  running: one.running + other.running,
  chunks: one.chunks + other.chunks,
  position: one.position > other.position ? one.position : other.position,
});

export const versionsOf = async ({ deps, tenant, job }: DeletionRun): Promise<Either<string, readonly VersionId[]>> => {
  const file = await loadStream(deps, fileRules, fileStream(tenant, job.payload.fileId));
  if (isLeft(file)) return left(file.left.detail);
  return right(file.right.kind === 'none' ? [] : file.right.versions.map(({ versionId }) => versionId));
};

const endOne = async (
  run: DeletionRun,
  versionId: VersionId,
  pipelineVersion: number,
): Promise<Either<string, EndedProcessing>> => {
  const { deps, tenant, job } = run;
  const { fileId } = job.payload;
  const stream = ingestionStream(tenant, ingestionIdOf(versionId, pipelineVersion));
  const withdrawn = await handle(deps, ingestion, {
    stream,
    command: { type: 'WithdrawChunks', fileId, versionId, pipelineVersion },
    ...causeOf(run, 'withdraw', versionId, pipelineVersion),
  });
  if (isLeft(withdrawn)) return withdrawn.left.code === 'ingestion-unknown' ? right(none) : left(withdrawn.left.detail);
  const state = await loadStream(deps, ingestion, stream);
  if (isLeft(state)) return left(state.left.detail);
  if (state.right.kind === 'none') return right(none);
  const { kind, parts } = state.right;
  const chunks = parts.reduce((sum, { count }) => sum + count, 0);
  return right({ ingestions: 1, running: kind === 'running' ? 1 : 0, chunks, position: withdrawn.right.position });
};

/** Repeated, it answers the same. */
export const endProcessing = async (run: DeletionRun): Promise<Either<string, EndedProcessing>> => {
  const versions = await versionsOf(run);
  if (isLeft(versions)) return versions;
  let ended = none;
  for (const versionId of versions.right)
    for (let pipeline = 1; pipeline <= newestPipeline; pipeline += 1) {
      const one = await endOne(run, versionId, pipeline);
      if (isLeft(one)) return one;
      ended = plus(ended, one.right);
    }
  return right(ended);
};
