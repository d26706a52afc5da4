/** The public engine: local edits show at once, and the scene follows what others commit. */
import type { Text } from 'yjs';
import type { NodeId } from '../../../../domain/editor/ids';
import type { Presence } from '../../../../domain/editor/protocol/presence';
import { childIds, getNode, type Scene, type SceneNode } from '../../../../domain/editor/scene/scene';
import { plainText } from '../../../../domain/editor/text/text-content';
import { type Drag, openDrag, type Previews, withPreview } from '../edit/drag-preview';
import { newNodeId } from '../edit/id-allocator';
import {
  type CreateResult,
  createNodes,
  type MoveInput,
  moveNodes,
  type NewNodeInput,
  type PropertyChanges,
  removeNodes,
  setProperties,
  transformNodes,
} from '../edit/node-commands';
import { editText } from '../edit/text-editing';
import { type EditResult, openTransaction, transact, transactAtomic } from '../edit/transactions';
import { discardEdits, type ReapplyResult, reapplyEdits } from '../edit/unapplied-edits';
import type { RecoveredEdit } from '../ports/document-store';
import { type UndoOptions, undoOrRedo } from '../undo/undo';
import { engineState, watchState, whenSaved } from './engine-state';
import type { EngineEvent, EngineState } from './events';
import type { LocalDocument } from './local-document';
import { closeLocalDocument, openLocalDocument } from './open-engine';
import type { EngineOptions } from './options';
import type { LocalPresence } from './presence';

export interface Engine {
  readonly state: () => EngineState;
  readonly on: (listener: (event: EngineEvent) => void) => () => void;
  /** Read-only, within the current turn: it changes in place. */
  readonly scene: () => Scene;
  readonly node: (id: NodeId) => SceneNode | undefined;
  readonly children: (parentId: NodeId | null) => readonly NodeId[];
  readonly text: (id: NodeId) => string;
  /** Undefined before the document was ever opened here. */
  readonly newId: () => NodeId | undefined;
  readonly create: (nodes: readonly NewNodeInput[]) => CreateResult;
  readonly set: (ids: readonly NodeId[], patch: PropertyChanges) => EditResult;
  readonly transform: (transforms: { readonly [id: NodeId]: readonly number[] }) => EditResult;
  readonly move: (moves: readonly MoveInput[]) => EditResult;
  readonly remove: (ids: readonly NodeId[]) => EditResult;
  readonly type: (id: NodeId, change: (text: Text) => void) => EditResult;
  readonly drag: () => Drag;
  /** One undo step. */
  readonly transact: (work: () => void) => void;
  /** One undo step, committed all or none. */
  readonly transactAtomic: (work: () => void) => EditResult;
  /** An undo step to which later calls can add. */
  readonly openUndoStep: () => (work: () => void) => void;
  readonly undo: (options?: UndoOptions) => boolean;
  readonly redo: (options?: UndoOptions) => boolean;
  readonly setPresence: (presence: LocalPresence) => void;
  readonly members: () => ReadonlyMap<string, Presence>;
  readonly recovered: () => readonly RecoveredEdit[];
  readonly reapply: (ids: readonly string[]) => ReapplyResult;
  readonly discard: (ids: readonly string[]) => void;
  /** Connects at once, also after a refusal. */
  readonly reconnect: () => void;
  /** Resolves to true when all edits so far survive the end of the page; false if they cannot be stored. */
  readonly whenStored: () => Promise<boolean>;
  /**
   * Resolves to true when the scene is current and all edits so far are committed; false if they cannot be:
   * read-only, refused, closed.
   */
  readonly whenCommitted: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

const sceneEdits = ({ parts: { editing, textEditor, emitter }, changed }: LocalDocument, previews: Previews) => {
  const withUpdate = <Answer>(answer: Answer): Answer => {
    changed();
    return answer;
  };
  const moved = (ids: ReadonlySet<NodeId>): void => emitter.emit({ kind: 'changed', ids, isAll: false });
  return {
    newId: () => (editing.ids.clientId === undefined ? undefined : newNodeId(editing.ids, editing.ids.clientId)),
    create: (nodes: readonly NewNodeInput[]) => withUpdate(createNodes(editing, nodes)),
    set: (ids: readonly NodeId[], patch: PropertyChanges) => withUpdate(setProperties(editing, ids, patch)),
    transform: (transforms: { readonly [id: NodeId]: readonly number[] }) =>
      withUpdate(transformNodes(editing, transforms)),
    move: (moves: readonly MoveInput[]) => withUpdate(moveNodes(editing, moves)),
    remove: (ids: readonly NodeId[]) => withUpdate(removeNodes(editing, ids)),
    type: (id: NodeId, change: (text: Text) => void) => withUpdate(editText(editing, textEditor, { id, change })),
    drag: () => openDrag(editing, previews, moved),
    transact: (work: () => void) => withUpdate(transact(editing, work)),
    transactAtomic: (work: () => void) => withUpdate(transactAtomic(editing, work)),
    openUndoStep: () => openTransaction(editing),
    undo: (options: UndoOptions = {}) => withUpdate(undoOrRedo(editing, textEditor, { ...options, way: 'undo' })),
    redo: (options: UndoOptions = {}) => withUpdate(undoOrRedo(editing, textEditor, { ...options, way: 'redo' })),
  };
};

const unappliedEditCalls = ({ parts: { editing, textEditor, tracker }, changed }: LocalDocument) => ({
  recovered: () => [...tracker.unapplied.values()],
  reapply: (ids: readonly string[]) => {
    const reapplied = reapplyEdits(
      editing,
      textEditor,
      ids.flatMap((id) => tracker.unapplied.get(id) ?? []),
    );
    changed();
    return reapplied;
  },
  discard: (ids: readonly string[]) => {
    discardEdits(editing, ids);
    changed();
  },
});

/** Resolves with the stored state; `state` shows when it is current. */
export const openEngine = async (options: EngineOptions): Promise<Engine> => {
  let changed = (): void => undefined;
  const document: LocalDocument = await openLocalDocument(options, () => changed());
  changed = watchState(() => document);
  const { connection } = document.session;
  const previews: Previews = new Map();
  const reconnect = (): void => {
    if (document.isClosed) return;
    connection.start();
    connection.reconnectNow();
  };
  const unsubscribe = options.platform.onResume(reconnect);
  changed();
  return {
    state: () => engineState(document),
    on: document.parts.emitter.on,
    ...sceneReads(document, previews),
    ...sceneEdits(document, previews),
    ...unappliedEditCalls(document),
    setPresence: document.presence.update,
    members: document.presence.members,
    reconnect,
    whenStored: document.parts.writeQueue.flush,
    whenCommitted: () => whenSaved({ kind: () => engineState(document).kind, on: document.parts.emitter.on }),
    close: async () => {
      unsubscribe();
      await closeLocalDocument(document);
      changed();
    },
  };
};

/** Reads of the local scene, with drag previews. */

const sceneReads = ({ parts: { editing, tracker } }: LocalDocument, previews: Previews) => ({
  scene: () => tracker.replica.scene,
  node: (id: NodeId) => {
    const node = getNode(tracker.replica.scene, id);
    return node === undefined ? undefined : withPreview(editing, previews, node);
  },
  children: (parentId: NodeId | null) => [...childIds(tracker.replica.scene, parentId)],
  text: (id: NodeId) => {
    const text = getNode(tracker.replica.scene, id)?.text;
    return text === undefined ? '' : plainText(text);
  },
});
