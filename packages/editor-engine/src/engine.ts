/** A document that several people edit: shown at once as edited here, and as everybody has it as soon as that is known. */
import type { Text } from 'yjs';
import type { NodeId } from '../../../domain/editor/ids';
import type { Presence } from '../../../domain/editor/messages/presence';
import type { Scene, SceneNode } from '../../../domain/editor/scene/scene';
import { type Drag, openDrag, type Previews } from './drag';
import { newNodeId } from './edit/author';
import type { Edited } from './edit/desk';
import {
  type Created,
  create,
  type MoveAsked,
  move,
  type NewNodeAsked,
  remove,
  set,
  transform,
  type WriteAsked,
} from './edit/edits';
import { allOrNothing, openStep, together } from './edit/steps';
import type { EngineEvent, EngineState } from './events';
import { looking } from './looking';
import { closeRoom, openRoom } from './opening';
import type { EngineOptions } from './options';
import type { RecoveredEdit } from './ports/store';
import type { Whereabouts } from './presence';
import { discard, type Remade, remake } from './recovered';
import type { Room } from './room';
import { whenSaved } from './saved';
import { stateOf, watchState } from './state';
import { type } from './text/typing';
import { turn, type UndoAsked } from './undo/turn';

export interface Engine {
  readonly state: () => EngineState;
  readonly on: (listener: (event: EngineEvent) => void) => () => void;
  /** To be looked at within the same turn only: it changes in place. */
  readonly scene: () => Scene;
  readonly node: (id: NodeId) => SceneNode | undefined;
  readonly children: (parentId: NodeId | null) => readonly NodeId[];
  readonly text: (id: NodeId) => string;
  /** Nothing before the document was ever open here. */
  readonly newId: () => NodeId | undefined;
  readonly create: (nodes: readonly NewNodeAsked[]) => Created;
  readonly set: (ids: readonly NodeId[], asked: WriteAsked) => Edited;
  readonly transform: (transforms: { readonly [id: NodeId]: readonly number[] }) => Edited;
  readonly move: (moves: readonly MoveAsked[]) => Edited;
  readonly remove: (ids: readonly NodeId[]) => Edited;
  readonly type: (id: NodeId, change: (text: Text) => void) => Edited;
  readonly drag: () => Drag;
  /** One step to undo. */
  readonly together: (work: () => void) => void;
  /** One step to undo, and all of it or nothing for everybody. */
  readonly allOrNothing: (work: () => void) => Edited;
  /** One step to undo that goes on as long as somebody adds to it. */
  readonly step: () => (work: () => void) => void;
  readonly undo: (asked?: UndoAsked) => boolean;
  readonly redo: (asked?: UndoAsked) => boolean;
  readonly show: (whereabouts: Whereabouts) => void;
  readonly members: () => ReadonlyMap<string, Presence>;
  readonly recovered: () => readonly RecoveredEdit[];
  readonly remake: (ids: readonly string[]) => Remade;
  readonly discard: (ids: readonly string[]) => void;
  /** Tries at once, also where it was let in no more. */
  readonly reconnect: () => void;
  /** True when all edits so far would survive the end of this page; false when they cannot be made to. */
  readonly kept: () => Promise<boolean>;
  /** True when it is up to date and all edits so far are committed; false when they cannot be: read-only, refused, closed. */
  readonly saved: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

const editing = ({ parts: { desk, typist, emitter }, changed }: Room, previews: Previews) => {
  const told = <Answer>(answer: Answer): Answer => {
    changed();
    return answer;
  };
  const moved = (ids: ReadonlySet<NodeId>): void => emitter.emit({ kind: 'changed', ids, isAll: false });
  return {
    newId: () => (desk.author.clientId === undefined ? undefined : newNodeId(desk.author, desk.author.clientId)),
    create: (nodes: readonly NewNodeAsked[]) => told(create(desk, nodes)),
    set: (ids: readonly NodeId[], asked: WriteAsked) => told(set(desk, ids, asked)),
    transform: (transforms: { readonly [id: NodeId]: readonly number[] }) => told(transform(desk, transforms)),
    move: (moves: readonly MoveAsked[]) => told(move(desk, moves)),
    remove: (ids: readonly NodeId[]) => told(remove(desk, ids)),
    type: (id: NodeId, change: (text: Text) => void) => told(type(desk, typist, { id, change })),
    drag: () => openDrag(desk, previews, moved),
    together: (work: () => void) => told(together(desk, work)),
    allOrNothing: (work: () => void) => told(allOrNothing(desk, work)),
    step: () => openStep(desk),
    undo: (asked: UndoAsked = {}) => told(turn(desk, typist, ['undo', asked])),
    redo: (asked: UndoAsked = {}) => told(turn(desk, typist, ['redo', asked])),
  };
};

const keeping = ({ parts: { desk, typist, ledger }, changed }: Room) => ({
  recovered: () => [...ledger.recovered.values()],
  remake: (ids: readonly string[]) => {
    const remade = remake(
      desk,
      typist,
      ids.flatMap((id) => ledger.recovered.get(id) ?? []),
    );
    changed();
    return remade;
  },
  discard: (ids: readonly string[]) => {
    discard(desk, ids);
    changed();
  },
});

/** Resolves with what was kept here from the last time; `state` tells when it is as everybody has it. */
export const openEngine = async (options: EngineOptions): Promise<Engine> => {
  let changed = (): void => undefined;
  const room: Room = await openRoom(options, () => changed());
  changed = watchState(() => room);
  const { connection } = room.session;
  const previews: Previews = new Map();
  const reconnect = (): void => {
    if (room.isClosed) return;
    connection.start();
    connection.hurry();
  };
  const deafen = options.platform.onAwake(reconnect);
  changed();
  return {
    state: () => stateOf(room),
    on: room.parts.emitter.on,
    ...looking(room, previews),
    ...editing(room, previews),
    ...keeping(room),
    show: room.presence.show,
    members: room.presence.members,
    reconnect,
    kept: room.parts.keeper.flushed,
    saved: () => whenSaved({ kind: () => stateOf(room).kind, on: room.parts.emitter.on }),
    close: async () => {
      deafen();
      await closeRoom(room);
      changed();
    },
  };
};
