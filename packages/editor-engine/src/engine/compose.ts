/** Creates the parts of an engine and connects them. */
import type { ClientId } from '../../../../domain/editor/ids';
import { emptyScene } from '../../../../domain/editor/scene/scene';
import { currentSchemaVersion } from '../../../../domain/editor/schema-versions';
import { type IdAllocator, toStoredClient } from '../edit/id-allocator';
import { createTextEditor, disposeTextEdit, type TextEditor } from '../edit/text-editing';
import type { EditingContext } from '../edit/transactions';
import type { DocumentStore, StoreChange, StoredClient, StoredOperation } from '../ports/document-store';
import { createChangeTracker } from '../replica/change-tracker';
import type { OperationTracker } from '../replica/operation-tracker';
import { restoredCommittedOwn } from '../replica/operation-tracker';
import { pendingOperations } from '../replica/replica';
import type { CachedScene } from '../storage/scene-cache';
import { createWriteQueue, type WriteQueue } from '../storage/write-queue';
import { createUndoStack } from '../undo/undo-stack';
import { type Emitter, openEmitter } from './events';
import type { EngineOptions } from './options';

export interface EngineParts {
  readonly emitter: Emitter;
  readonly writeQueue: WriteQueue;
  readonly tracker: OperationTracker;
  readonly ids: IdAllocator;
  readonly editing: EditingContext;
  readonly textEditor: TextEditor;
}

/** Callbacks from the parts to the open document. */
export interface EngineCallbacks {
  readonly mayEdit: () => boolean;
  readonly isOpen: () => boolean;
  readonly onStored: () => void;
  readonly onSettled: () => void;
  readonly onCommitted: (operations: number) => void;
}

export interface StoredState {
  readonly store: DocumentStore;
  readonly cached: CachedScene | undefined;
  /** From the previous session. */
  readonly client: StoredClient | undefined;
  readonly acknowledged: readonly StoredOperation[];
}

const createTracker = (
  options: EngineOptions,
  begun: StoredState,
  rest: Pick<OperationTracker, 'writeQueue' | 'emitter' | 'onSettled' | 'onLost' | 'onCommitted'>,
): OperationTracker => {
  const { platform, userId } = options;
  const changes = createChangeTracker(() => platform.enqueueMicrotask(() => emitChanges()));
  const { scene, version, opId }: CachedScene = begun.cached ?? { scene: emptyScene(), version: 0 };
  const replica = { scene, version, opId, groups: [], schema: currentSchemaVersion, actorId: userId, changes };
  const emitChanges = (): void => {
    const changed = changes.take(replica.scene);
    if (changed !== undefined) rest.emitter.emit({ kind: 'changed', ...changed });
  };
  const { isDurable } = begun.store;
  const committedOwn = restoredCommittedOwn(begun.acknowledged);
  return {
    ...rest,
    replica,
    unapplied: new Map(),
    committedOwn,
    now: platform.now,
    isDurable,
    keepsFrames: false,
  };
};

const createIdAllocator = (
  { documentId, userId, platform }: EngineOptions,
  client: StoredClient | undefined,
): IdAllocator => ({
  clientId: client?.clientId as ClientId | undefined,
  documentId,
  actorId: userId,
  now: platform.now,
  lastClientSeq: client?.lastClientSeq ?? 0,
  lastNode: client?.lastNode ?? 0,
});

export const composeEngine = (options: EngineOptions, begun: StoredState, calls: EngineCallbacks): EngineParts => {
  const emitter = openEmitter();
  const failed = (error: unknown): void => emitter.emit({ kind: 'fault', fault: 'store', error });
  const everything = (): StoreChange => ({
    ...(ids.clientId === undefined ? {} : { client: toStoredClient(ids, ids.clientId) }),
    pending: pendingOperations(tracker.replica).map(({ clientId, operation }) => ({ clientId, operation })),
    recovered: [...tracker.unapplied.values()],
  });
  const { onStored } = calls;
  const writeQueue = createWriteQueue({
    store: begun.store,
    platform: options.platform,
    failed,
    changed: onStored,
    everything,
  });
  const textEditor = createTextEditor(options.platform.random);
  const undoStack = createUndoStack((one) => disposeTextEdit(textEditor, one));
  const lost = undoStack.removeOperations;
  const tracker = createTracker(options, begun, {
    writeQueue,
    emitter,
    onSettled: calls.onSettled,
    onCommitted: calls.onCommitted,
    onLost: lost,
  });
  const ids = createIdAllocator(options, begun.client);
  const { mayEdit, isOpen } = calls;
  const editing: EditingContext = {
    ids,
    tracker,
    undoStack,
    mayEdit,
    isOpen,
    onStored,
    transaction: undefined,
    transactionCount: 0,
  };
  return { emitter, writeQueue, tracker, ids, editing, textEditor };
};
