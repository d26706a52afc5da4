/** Compares the passages in the search index with the log: removes strays, and has missing ones indexed again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { placedFile } from '../../../domain/files/access/state';
import type { CreatedFileState } from '../../../domain/files/file/state';
import { type IngestionCommand, ingestion } from '../../../domain/files/ingestion/decider';
import { ingestionIdOf, ingestionStream } from '../../../domain/files/ingestion/events';
import type { ProcessedVersion } from '../../../domain/files/ingestion/state';
import type { IndexedGroup } from '../../../infra/ports/views/indexed-rows';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import { chunkRows } from '../deletion/count-indexed';
import { indexedPlaceOf } from '../ingestion/indexed-place';
import type { ReconciliationRun } from './reconciliation-run';
import type { TenantFiles } from './tenant-files';

const [pollMilliseconds, mostWaits] = [200, 25];
const groupFields = ['fileId', 'versionId', 'pipelineVersion'] as const;

interface IndexedVersion extends ProcessedVersion {
  readonly counts: Pick<IndexedGroup, 'fewest' | 'most'>;
}

const indexedVersions = async (
  { deps, tenant, signal }: ReconciliationRun,
  after: bigint,
): Promise<Either<string, readonly IndexedVersion[]>> => {
  for (let waits = 0; ; waits += 1) {
    const found = await deps.indexedRows.groups(chunkRows, { tenantId: tenant, by: groupFields, after });
    if (!isLeft(found))
      return right(
        found.right.map(({ values, fewest, most }) => ({
          ...(values as unknown as ProcessedVersion),
          counts: { fewest, most },
        })),
      );
    if (found.left.code !== 'view-behind' || waits >= mostWaits || signal.aborted) return left(found.left.detail);
    await sleep(pollMilliseconds);
  }
};

/** Another version, or another processing of it, answers instead and came later. */
const isReplaced = (
  { versions, active }: CreatedFileState,
  { versionId, pipelineVersion }: ProcessedVersion,
): boolean => {
  if (active === undefined) return false;
  if (active.versionId === versionId) return pipelineVersion < active.pipelineVersion;
  const numberOf = (id: string): number => versions.find((one) => one.versionId === id)?.versionNumber ?? 0;
  return numberOf(versionId) < numberOf(active.versionId);
};

const send = async (
  { deps, tenant, cause, id }: ReconciliationRun,
  command: Extract<IngestionCommand, { type: 'WithdrawChunks' | 'ReindexChunks' }>,
): Promise<Either<string, void>> => {
  const { versionId, pipelineVersion } = command;
  const sent = await handle(deps, ingestion, {
    stream: ingestionStream(tenant, ingestionIdOf(versionId, pipelineVersion)),
    command,
    tenant,
    ...cause,
    commandId: derivedId('files-reconciliation', tenant, id, command.type, versionId, pipelineVersion),
  });
  return isLeft(sent) ? left(sent.left.detail) : right(undefined);
};

/** Undefined: the passages are rightly there, as far as the log was read. */
const strayKind = (
  version: IndexedVersion,
  { files, ingestions, deleted }: TenantFiles,
): 'record' | 'remove' | undefined => {
  const file = files.get(version.fileId);
  const state = ingestions.get(ingestionIdOf(version.versionId, version.pipelineVersion));
  if (file === undefined || deleted.has(version.fileId) || state === undefined || state.isWithdrawn) return 'remove';
  return isReplaced(file, version) ? 'record' : undefined;
};

/** What was written or begun since the log was read counts: an ingestion that is there now is no stray. */
const isBegunMeanwhile = async (
  { deps, tenant }: ReconciliationRun,
  { versionId, pipelineVersion }: ProcessedVersion,
  { ingestions }: TenantFiles,
): Promise<Either<string, boolean>> => {
  const id = ingestionIdOf(versionId, pipelineVersion);
  if (ingestions.has(id)) return right(false);
  const state = await loadStream(deps, ingestion, ingestionStream(tenant, id));
  return isLeft(state) ? left(state.left.detail) : right(state.right.kind !== 'none');
};

const removeStrayDocuments = async (
  run: ReconciliationRun,
  indexed: readonly IndexedVersion[],
  known: TenantFiles,
): Promise<Either<string, number>> => {
  let removed = 0;
  for (const version of indexed) {
    const { fileId, versionId, pipelineVersion, counts } = version;
    const kind = strayKind(version, known);
    if (kind === undefined) continue;
    const named = { fileId, versionId, pipelineVersion };
    if (kind === 'record') {
      // Its withdrawal is missing in the log; the projections remove the passages then.
      const sent = await send(run, { type: 'WithdrawChunks', ...named });
      if (isLeft(sent)) return sent;
      removed += counts.most;
      continue;
    }
    const begun = await isBegunMeanwhile(run, version, known);
    if (isLeft(begun)) return begun;
    if (begun.right) continue;
    const selection = { tenantId: run.tenant, where: named, upTo: run.upTo };
    const gone = await run.deps.indexedRows.remove(chunkRows, selection);
    if (isLeft(gone)) return left(gone.left.detail);
    removed += counts.most;
  }
  return right(removed);
};

const reindexMissing = async (
  run: ReconciliationRun,
  indexed: readonly IndexedVersion[],
  { files, ingestions, access, deleted }: TenantFiles,
): Promise<Either<string, number>> => {
  const fewest = new Map(
    indexed.map(({ versionId, pipelineVersion, counts }) => [ingestionIdOf(versionId, pipelineVersion), counts.fewest]),
  );
  let reindexed = 0;
  for (const file of files.values()) {
    const { fileId, active } = file;
    if (active === undefined || deleted.has(fileId) || placedFile(access, file).hidden.includes('deleted')) continue;
    const id = ingestionIdOf(active.versionId, active.pipelineVersion);
    const state = ingestions.get(id);
    const expected = state?.parts.reduce((sum, { count }) => sum + count, 0) ?? 0;
    if (state === undefined || state.isWithdrawn || (fewest.get(id) ?? 0) >= expected) continue;
    const place = await indexedPlaceOf(run.deps, run.tenant, fileId);
    if (isLeft(place)) return left(place.left.reason);
    if (place.right === undefined) continue;
    const sent = await send(run, { type: 'ReindexChunks', fileId, ...active, place: place.right });
    if (isLeft(sent)) return sent;
    reindexed += 1;
  }
  return right(reindexed);
};

export const reconcileIndex = async (
  run: ReconciliationRun,
  known: TenantFiles,
): Promise<Either<string, { readonly removedDocuments: number; readonly reindexedVersions: number }>> => {
  const indexed = await indexedVersions(run, known.indexedUpTo);
  if (isLeft(indexed)) return indexed;
  const removedDocuments = await removeStrayDocuments(run, indexed.right, known);
  if (isLeft(removedDocuments)) return removedDocuments;
  const reindexedVersions = await reindexMissing(run, indexed.right, known);
  if (isLeft(reindexedVersions)) return reindexedVersions;
  return right({ removedDocuments: removedDocuments.right, reindexedVersions: reindexedVersions.right });
};
