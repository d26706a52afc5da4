/**
 * One file with its processes and workers in memory: what is due waits until the test has it happen, in any order, and workers read the place of
 * a file before they record what they did.
 */
import { isLeft } from 'fp-ts/Either';
import { activateVersionOnIndexed } from '../../../domain/files/activate-version-on-indexed/process';
import { type FileCommand, file as fileRules } from '../../../domain/files/file/decider';
import type { FileEvent } from '../../../domain/files/file/events';
import type { FileId, VersionId } from '../../../domain/files/ids';
import { type IngestionCommand, ingestion as ingestionRules } from '../../../domain/files/ingestion/decider';
import {
  type IngestionEvent,
  type IngestionId,
  ingestionIdOf,
  type StageResult,
} from '../../../domain/files/ingestion/events';
import { type IndexedPlace, type IngestionState, nextStage, noIngestion } from '../../../domain/files/ingestion/state';
import { isIndexingStage, pipelineVersion as newestPipeline } from '../../../domain/files/pipeline';
import { placeChunksOnChanged } from '../../../domain/files/place-chunks-on-changed/process';
import {
  evolveIndexedFile,
  type IndexedFile,
  type IndexedFileEvent,
  reindexingNeed,
} from '../../../domain/files/reindexing/due-files';
import { runStagesOnIngestion, type StageJob } from '../../../domain/files/run-stages-on-ingestion/process';
import { withdrawChunksOnReplaced } from '../../../domain/files/withdraw-chunks-on-replaced/process';
import type { Instant } from '../../../domain/kernel/codec';
import { fold } from '../../../domain/kernel/decider';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { Process, Send, TriggerEvent } from '../../../domain/kernel/process';

const fileId = 'file-1' as FileId;
const ada = 'ada' as PrincipalId;
const sha256 = 'a'.repeat(64);
const result: StageResult = { format: null, outputs: [], count: 1, notice: null };
const source = { key: 'raw', etag: '"1"', sizeBytes: 9, checksumSha256: sha256, mimeType: 'text/plain' };
const processes = [
  activateVersionOnIndexed,
  withdrawChunksOnReplaced,
  placeChunksOnChanged,
  runStagesOnIngestion,
] as unknown as readonly Process<unknown, never, FileEvent | IngestionEvent, Send>[];

/** A row of the index, as its view makes it of the events in their order. */
export interface SimulatedRow {
  readonly ingestion: IngestionId;
  readonly name: string;
  readonly model: string | null;
}

export const simulateFile = () => {
  let file = fileRules.initial;
  let indexed: IndexedFile | undefined;
  const ingestions = new Map<IngestionId, IngestionState>();
  const rows = new Map<string, SimulatedRow>();
  const waiting: (() => void)[] = [];
  let isDeleted = false;
  let model = 'small';
  let token = 0;

  const project = (event: FileEvent | IngestionEvent): void => {
    if (event.type !== 'ChunksIndexed' && event.type !== 'ChunksWithdrawn') return;
    const { versionId, pipelineVersion, part } = event.data;
    const key = `${versionId} ${pipelineVersion} ${part}`;
    if (event.type === 'ChunksWithdrawn') rows.delete(key);
    else
      rows.set(key, {
        ingestion: ingestionIdOf(versionId, pipelineVersion),
        name: String(event.data.name),
        model: event.data.embeddingModel,
      });
  };
  const react = (event: FileEvent | IngestionEvent): void => {
    const happened: TriggerEvent<FileEvent | IngestionEvent> = {
      ...{ id: 'e', event, tenant: 'acme' as TenantId, entityId: fileId, at: '2026-01-31T12:00:00.000Z' as Instant },
      isSelfCaused: false,
    };
    for (const process of processes) {
      if (process.key(happened) === undefined) continue;
      for (const action of process.react(process.initial, happened).actions ?? []) {
        if (action.kind === 'send') {
          const { to, command } = action;
          waiting.push(() =>
            to === 'files.file' ? decideFile(command as FileCommand) : decideIngestion(command as IngestionCommand),
          );
        }
        if (action.kind === 'work') {
          const { queue, payload } = action as { queue: string; payload: unknown };
          waiting.push(() => (queue === 'files-placement' ? placeChunks() : beginStage(payload as StageJob)));
        }
      }
    }
  };
  const record = (event: FileEvent | IngestionEvent): void => {
    if (!isDeleted) indexed = evolveIndexedFile(indexed, event as IndexedFileEvent);
    project(event);
    react(event);
  };
  const decideFile = (command: FileCommand): void => {
    const decided = fileRules.decide(command, file);
    if (isLeft(decided)) return;
    for (const event of decided.right) {
      file = fold(fileRules, file, [event]);
      record(event);
    }
  };
  const stateOf = (id: IngestionId): IngestionState => ingestions.get(id) ?? noIngestion;
  const decideIngestion = (command: IngestionCommand): void => {
    const id = ingestionIdOf(command.versionId, command.pipelineVersion);
    const decided = ingestionRules.decide(command, stateOf(id));
    if (isLeft(decided)) return;
    ingestions.set(id, fold(ingestionRules, stateOf(id), decided.right));
    for (const event of decided.right) record(event);
  };

  const place = (): IndexedPlace | undefined =>
    file.kind === 'none' || isDeleted ? undefined : { name: String(file.name), folderId: null, ownerId: ada };
  const placeChunks = (): void => {
    const now = place();
    if (file.kind === 'none' || file.active === undefined || now === undefined) return;
    decideIngestion({ type: 'PlaceChunks', fileId, ...file.active, place: now });
  };
  const beginStage = ({ stage, ...named }: StageJob): void => {
    const state = stateOf(ingestionIdOf(named.versionId, named.pipelineVersion));
    if (state.kind === 'none' || nextStage(state) !== stage) return;
    const known = place();
    if (known === undefined) {
      decideIngestion({ type: 'CancelIngestion', ...named });
      return;
    }
    token += 1;
    const claim = token;
    const [used, before] = [model, state.parts];
    waiting.push(() => {
      if (!isIndexingStage(stage) || (stage !== 'chunking' && stage !== 'embedding'))
        return decideIngestion({ type: 'CompleteStage', ...named, stage, token: claim, result });
      const vectors = { key: `vectors-${claim}`, sha256, size: 1 };
      const parts =
        stage === 'chunking'
          ? [{ chunks: { key: 'chunks', sha256, size: 1 }, count: 1, vectors: null }]
          : before.map((part) => ({ ...part, vectors }));
      const embeddingModel = stage === 'chunking' ? null : used;
      decideIngestion({
        ...{ type: 'CompleteIndexing', ...named, stage, token: claim, result },
        ...{ parts, embeddingModel, place: known },
      });
    });
  };

  let versions = 0;
  /** `pipelineVersion`: that of the release that takes the upload. */
  const upload = (pipelineVersion: number): void => {
    versions += 1;
    const versionId = `version-${versions}` as VersionId;
    const version = { versionId, sizeBytes: 9, mimeType: 'text/plain', openedBy: ada, isInParts: false };
    const opened = { ...version, expiresAt: '2026-02-01T00:00:00.000Z' as Instant };
    decideFile(
      versions === 1
        ? { type: 'CreateFile', fileId, name: 'Lease.txt', folderId: null, version: opened }
        : { type: 'OpenVersion', fileId, version: opened },
    );
    decideIngestion({
      ...{ type: 'RequestIngestion', fileId, versionId, pipelineVersion, source, requestedBy: ada },
    });
  };
  /** As a worker does when it begins, and from time to time. */
  const requestDue = (): void => {
    const need = indexed === undefined || isDeleted ? { kind: 'none' as const } : reindexingNeed(indexed, model);
    if (need.kind === 'model')
      decideIngestion({ type: 'RequestEmbedding', fileId, ...need.active, embeddingModel: model });
    if (need.kind === 'pipeline')
      decideIngestion({
        ...{ type: 'RequestReindexing', fileId, versionId: need.active.versionId, pipelineVersion: newestPipeline },
        ...{ source, requestedBy: ada },
      });
  };
  const withdrawAll = (): void => {
    for (const id of ingestions.keys()) {
      const state = stateOf(id);
      if (state.kind !== 'none')
        decideIngestion({
          ...{ type: 'WithdrawChunks', fileId, versionId: state.versionId, pipelineVersion: state.pipelineVersion },
        });
    }
  };
  const remove = (): void => {
    isDeleted = true;
    // Once for the step, and once more for the proof.
    waiting.push(withdrawAll, withdrawAll);
  };
  /** One of what waits; nothing where none does. */
  const step = (choice: number): boolean => {
    const [next] = waiting.length === 0 ? [] : waiting.splice(choice % waiting.length, 1);
    next?.();
    return next !== undefined;
  };
  return {
    upload,
    requestDue,
    rename: (name: string) => decideFile({ type: 'RenameFile', fileId, name }),
    setModel: (next: string) => {
      model = next;
    },
    remove,
    step,
    /** Until nothing is due any more, with the last look of the deletion. */
    settle: (): void => {
      for (let rounds = 0; rounds < 20; rounds += 1) {
        requestDue();
        while (step(0));
      }
      if (isDeleted) withdrawAll();
    },
    rows: (): readonly SimulatedRow[] => [...rows.values()],
    active: () => (file.kind === 'none' ? undefined : file.active),
    name: () => (file.kind === 'none' ? undefined : file.name),
    model: () => model,
    isDeleted: () => isDeleted,
  };
};
