/** Has files processed again that answer by an older pipeline or with vectors of another model: a few of a tenant at a time. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { type IngestionCommand, ingestion } from '../../../domain/files/ingestion/decider';
import { ingestionIdOf, ingestionStream } from '../../../domain/files/ingestion/events';
import { pipelineVersion as newestPipeline } from '../../../domain/files/pipeline';
import { type DueReindexing, type IndexedFile, reindexingNeed } from '../../../domain/files/reindexing/due-files';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Random } from '../../../infra/ports/runtime/random';
import { handle } from '../../kernel/handle';
import type { Actor, HandleDeps, Refusal } from '../../kernel/handle-request';
import { loadStream } from '../../kernel/load-stream';

export interface ReindexingDeps extends HandleDeps {
  readonly random: Pick<Random, 'uuid'>;
}

/** Of one tenant, at once. What is behind them waits here, and not in the queue, where it would hide how long uploads wait. */
const mostRunning = 20;

export interface ReindexingRequest {
  readonly tenant: TenantId;
  /** All of the tenant: files that are processed again already count, too. */
  readonly files: Iterable<IndexedFile>;
  /** Of these; left out, of all. */
  readonly isWanted?: (file: IndexedFile) => boolean;
  /** Undefined: vectors stay as they are. */
  readonly model: string | undefined;
  readonly actor: Actor;
  readonly correlationId: string;
}

export interface RequestedReindexing {
  /** Of the wanted ones: to be processed again, with the ones that were requested now. */
  readonly due: number;
  readonly requested: number;
  /** Of the wanted ones: processed again already. */
  readonly running: number;
}

interface DueFile {
  readonly file: IndexedFile;
  readonly need: DueReindexing;
}

/** Undefined: it is not as the log had it. */
const commandFor = async (
  deps: ReindexingDeps,
  { tenant, model }: ReindexingRequest,
  { file: { fileId }, need }: DueFile,
): Promise<Either<Refusal<string>, Exclude<IngestionCommand, { type: 'CancelIngestion' }> | undefined>> => {
  const { versionId, pipelineVersion } = need.active;
  if (need.kind === 'model')
    return right(
      model === undefined
        ? undefined
        : { type: 'RequestEmbedding', fileId, versionId, pipelineVersion, embeddingModel: model },
    );
  const stream = ingestionStream(tenant, ingestionIdOf(versionId, pipelineVersion));
  const before = await loadStream(deps, ingestion, stream);
  if (isLeft(before)) return before;
  if (before.right.kind === 'none') return right(undefined);
  const { source, requestedBy } = before.right;
  const processed = { fileId, versionId, pipelineVersion: newestPipeline };
  return right({ type: 'RequestReindexing', ...processed, source, requestedBy });
};

const requestOne = async (
  deps: ReindexingDeps,
  request: ReindexingRequest,
  due: DueFile,
): Promise<Either<Refusal<string>, boolean>> => {
  const command = await commandFor(deps, request, due);
  if (isLeft(command)) return command;
  if (command.right === undefined) return right(false);
  const { tenant, actor, correlationId } = request;
  const { versionId, pipelineVersion } = command.right;
  const handled = await handle(deps, ingestion, {
    stream: ingestionStream(tenant, ingestionIdOf(versionId, pipelineVersion)),
    command: command.right,
    // The decider ignores what was requested before.
    commandId: deps.random.uuid(),
    ...{ tenant, actor, correlationId },
  });
  return isLeft(handled) ? handled : right(handled.right.events.length > 0);
};

/** Left: what was requested before the fault stays requested. */
export const requestReindexing = async (
  deps: ReindexingDeps,
  request: ReindexingRequest,
): Promise<Either<Refusal<string>, RequestedReindexing>> => {
  const due: DueFile[] = [];
  let [runningOfAll, running] = [0, 0];
  for (const file of request.files) {
    const need = reindexingNeed(file, request.model);
    const isWanted = request.isWanted?.(file) ?? true;
    if (need.kind === 'running') {
      runningOfAll += 1;
      if (isWanted) running += 1;
    } else if (need.kind !== 'none' && isWanted) due.push({ file, need });
  }
  let requested = 0;
  for (const one of due.slice(0, Math.max(0, mostRunning - runningOfAll))) {
    const done = await requestOne(deps, request, one);
    if (isLeft(done)) return done;
    if (done.right) requested += 1;
  }
  return right({ due: due.length, requested, running });
};
