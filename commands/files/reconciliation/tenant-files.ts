/** What the log has of all files of a tenant, read once from its beginning. */
import { isLeft } from 'fp-ts/Either';
import { fileAccessRules } from '../../../domain/files/access/decider';
import { type fileAccess, fileAccessStream } from '../../../domain/files/access/events';
import type { FileAccessState } from '../../../domain/files/access/state';
import { deletion } from '../../../domain/files/deletion/decider';
import { deletions } from '../../../domain/files/deletion/events';
import type { DeletionState } from '../../../domain/files/deletion/state';
import { file as fileRules } from '../../../domain/files/file/decider';
import { files } from '../../../domain/files/file/events';
import type { CreatedFileState, FileState } from '../../../domain/files/file/state';
import type { FileId, FolderId } from '../../../domain/files/ids';
import { ingestion } from '../../../domain/files/ingestion/decider';
import { ingestions } from '../../../domain/files/ingestion/events';
import type { IngestionState, RequestedIngestion } from '../../../domain/files/ingestion/state';
import type { Instant } from '../../../domain/kernel/codec';
import type { DomainEvent } from '../../../domain/kernel/family';
import { parseStreamName, type TenantId } from '../../../domain/kernel/ids';
import type { EventStore, StoredEvent } from '../../../infra/ports/event-store';
import type { FoldRules } from '../../../infra/server/aggregates/loaded-aggregate';

export interface TenantFiles {
  readonly files: ReadonlyMap<string, CreatedFileState>;
  readonly ingestions: ReadonlyMap<string, RequestedIngestion>;
  readonly access: FileAccessState;
  /** Of which nothing is stored any more. */
  readonly deleted: ReadonlySet<string>;
  /** Folders in the trash, with the moment that they came there. */
  readonly trashedSince: ReadonlyMap<FolderId, Instant>;
  /** When the last legal hold of a file was lifted. */
  readonly releasedAt: ReadonlyMap<string, Instant>;
  /** Of the last event of an ingestion; 0 before the first. */
  readonly indexedUpTo: bigint;
}

const openFolds = <State, Event extends DomainEvent>(
  { family, initial, evolve }: FoldRules<State, Event>,
  applied: (event: Event, stored: StoredEvent) => void = () => undefined,
) => {
  const states = new Map<string, State>();
  const apply = (stored: StoredEvent): void => {
    const { stream, type, data, revision } = stored;
    const event = family.decode(type, data);
    if (isLeft(event)) throw new Error(`${stream} cannot be decoded at revision ${revision} (${type})`);
    const id = parseStreamName(stream)?.id ?? '';
    states.set(id, evolve(states.get(id) ?? initial, event.right));
    applied(event.right, stored);
  };
  return { states, apply };
};

/** The fold of access has no times: those of folders in the trash, and of holds. */
const openTimes = () => {
  const [trashedSince, releasedAt] = [new Map<FolderId, Instant>(), new Map<string, Instant>()];
  const apply = (event: typeof fileAccess.Event, { metadata }: StoredEvent): void => {
    const at = (metadata as { readonly at: Instant }).at;
    if (event.type === 'FolderTrashed') trashedSince.set(event.data.folderId, at);
    if (event.type === 'FolderRestored' || event.type === 'FolderDeleted') trashedSince.delete(event.data.folderId);
    if (event.type === 'FileReleased') releasedAt.set(event.data.fileId, at);
  };
  return { trashedSince, releasedAt, apply };
};

/** Throws when the log goes away. */
export const readTenantFiles = async (store: Pick<EventStore, 'readAll'>, tenant: TenantId): Promise<TenantFiles> => {
  const [fileFolds, ingestionFolds] = [
    openFolds<FileState, typeof files.Event>(fileRules),
    openFolds<IngestionState, typeof ingestions.Event>(ingestion),
  ];
  const deletionFolds = openFolds<DeletionState, typeof deletions.Event>(deletion);
  const times = openTimes();
  const accessFold = openFolds<FileAccessState, typeof fileAccess.Event>(fileAccessRules, times.apply);
  const [accessStream, prefixOf] = [fileAccessStream(tenant), (prefix: string) => `${prefix}${tenant}.`];
  const folds = new Map<string, (event: StoredEvent) => void>([
    [prefixOf(files.prefix), fileFolds.apply],
    [prefixOf(ingestions.prefix), ingestionFolds.apply],
    [prefixOf(deletions.prefix), deletionFolds.apply],
    [accessStream, accessFold.apply],
  ]);
  let indexedUpTo = 0n;
  for await (const event of store.readAll({ after: null, filter: { streams: [...folds.keys()] } })) {
    for (const [prefix, apply] of folds) if (event.stream.startsWith(prefix)) apply(event);
    if (event.stream.startsWith(ingestions.prefix)) indexedUpTo = event.position;
  }
  return {
    files: new Map([...fileFolds.states].flatMap(([id, one]) => (one.kind === 'created' ? [[id, one] as const] : []))),
    ingestions: new Map(
      [...ingestionFolds.states].flatMap(([id, one]) => (one.kind === 'none' ? [] : [[id, one] as const])),
    ),
    access: [...accessFold.states.values()][0] ?? fileAccessRules.initial,
    deleted: new Set([...deletionFolds.states].flatMap(([id, { kind }]) => (kind === 'deleted' ? [id as FileId] : []))),
    trashedSince: times.trashedSince,
    releasedAt: times.releasedAt,
    indexedUpTo,
  };
};
