/** Which files answer by an older pipeline, or with vectors of another model, than the present ones: a fold of the log that reads no file's content. */
import { type FileAccessEvent, fileAccess } from '../access/events';
import { type FileEvent, files } from '../file/events';
import type { ActiveVersion } from '../file/state';
import type { FileId } from '../ids';
import { type IngestionEvent, ingestionIdOf, ingestions } from '../ingestion/events';
import { pipelineVersion as newestPipeline } from '../pipeline';

/** Events that it is folded of, as filters of the log name them. */
export const indexedFileEvents: readonly string[] = [
  ...(['VersionActivated'] as const).map((type) => `${files.context}.${type}.`),
  ...(['FileHidden', 'FilePurged'] as const).map((type) => `${fileAccess.context}.${type}.`),
  ...(
    [
      'IngestionRequested',
      'ReindexingRequested',
      'EmbeddingRequested',
      'StageRetried',
      'ChunksIndexed',
      'ChunksWithdrawn',
      'IngestionReady',
      'IngestionFailed',
      'IngestionCancelled',
    ] as const
  ).map((type) => `${ingestions.context}.${type}.`),
];

export type IndexedFileEvent = FileEvent | FileAccessEvent | IngestionEvent;

interface Processed {
  readonly kind: 'running' | 'ready' | 'failed' | 'cancelled';
  /** Of the vectors; null without. */
  readonly model: string | null;
  readonly hasChunks: boolean;
  readonly isEmbeddedAgain: boolean;
}

/** Of one file; undefined: nothing of it is processed, or it is deleted. */
export interface IndexedFile {
  readonly fileId: FileId;
  readonly active: ActiveVersion | undefined;
  readonly ingestions: { readonly [ingestion: string]: Processed };
}

const begun: Processed = { kind: 'running', model: null, hasChunks: false, isEmbeddedAgain: false };

const without = (all: IndexedFile['ingestions'], id: string): IndexedFile['ingestions'] =>
  Object.fromEntries(Object.entries(all).filter(([one]) => one !== id));

const evolveProcessed = (known: Processed, { type, data }: IngestionEvent): Processed | undefined => {
  switch (type) {
    case 'IngestionRequested':
    case 'ReindexingRequested':
      return begun;
    case 'EmbeddingRequested':
      return { ...known, isEmbeddedAgain: true };
    case 'StageRetried':
      return known.isEmbeddedAgain ? known : { ...known, kind: 'running' };
    case 'ChunksIndexed':
      return { ...known, hasChunks: true, model: data.embeddingModel };
    case 'ChunksWithdrawn':
      return undefined;
    case 'IngestionReady':
      return { ...known, kind: 'ready', isEmbeddedAgain: false };
    case 'IngestionFailed':
      return { ...known, kind: 'failed' };
    case 'IngestionCancelled':
      return { ...known, kind: 'cancelled' };
    case 'StageCompleted':
    case 'StageDeferred':
    case 'IngestionPartlyReady':
      return known;
  }
};

const isOfIngestion = (event: IndexedFileEvent): event is IngestionEvent =>
  'pipelineVersion' in event.data && event.type in ingestions.codecs;

/** The id of the file that the event is about; undefined where it is about none, or changes nothing here. */
export const indexedFileOf = (event: IndexedFileEvent): FileId | undefined => {
  if (isOfIngestion(event)) return event.data.fileId;
  const { type, data } = event;
  return type === 'VersionActivated' || type === 'FileHidden' || type === 'FilePurged' ? data.fileId : undefined;
};

export const evolveIndexedFile = (known: IndexedFile | undefined, event: IndexedFileEvent): IndexedFile | undefined => {
  if (isOfIngestion(event)) {
    const { fileId, versionId, pipelineVersion } = event.data;
    const isBeginning = event.type === 'IngestionRequested' || event.type === 'ReindexingRequested';
    // What comes after the deletion of a file brings it not back.
    if (known === undefined && !isBeginning) return undefined;
    const file = known ?? { fileId, active: undefined, ingestions: {} };
    const id = ingestionIdOf(versionId, pipelineVersion);
    const processed = evolveProcessed(file.ingestions[id] ?? begun, event);
    return {
      ...file,
      ingestions: processed === undefined ? without(file.ingestions, id) : { ...file.ingestions, [id]: processed },
    };
  }
  const { type, data } = event;
  if (type === 'VersionActivated') {
    const { fileId, versionId, pipelineVersion, replaced } = data;
    const all = known?.ingestions ?? {};
    const others = replaced === null ? all : without(all, ingestionIdOf(replaced.versionId, replaced.pipelineVersion));
    return { fileId, active: { versionId, pipelineVersion }, ingestions: others };
  }
  const isDeleted = type === 'FilePurged' || (type === 'FileHidden' && data.reason === 'deleted');
  return isDeleted ? undefined : known;
};

/** `pipeline`: an older one made its chunks. `model`: its vectors are of another one. */
export interface DueReindexing {
  readonly kind: 'pipeline' | 'model';
  readonly active: ActiveVersion;
}

/** `running`: it is processed again already. */
export type ReindexingNeed = { readonly kind: 'none' } | { readonly kind: 'running' } | DueReindexing;

/** `model`: that the system is set up with; undefined where it is not known. One that failed is not tried again by itself. */
export const reindexingNeed = (
  { active, ingestions: all }: Pick<IndexedFile, 'active' | 'ingestions'>,
  model: string | undefined,
): ReindexingNeed => {
  if (active === undefined) return { kind: 'none' };
  if (active.pipelineVersion < newestPipeline) {
    const newer = all[ingestionIdOf(active.versionId, newestPipeline)];
    if (newer === undefined) return { kind: 'pipeline', active };
    if (newer.kind === 'running' || newer.kind === 'ready') return { kind: 'running' };
  }
  const present = all[ingestionIdOf(active.versionId, active.pipelineVersion)];
  if (present?.kind !== 'ready' || !present.hasChunks) return { kind: 'none' };
  if (present.isEmbeddedAgain) return { kind: 'running' };
  return model === undefined || present.model === model ? { kind: 'none' } : { kind: 'model', active };
};
