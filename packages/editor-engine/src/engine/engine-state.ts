/** Computes the state for the UI. */
import { hasAtLeastRole } from '../../../../domain/editor/roles';
import { pendingOperations } from '../replica/replica';
import type { EngineEvent, EngineState, StateKind } from './events';
import type { LocalDocument } from './local-document';

/** Joined, but not yet at the version committed at the join. */
const isBehind = ({ session, parts }: LocalDocument): boolean =>
  parts.tracker.replica.version < session.committedVersion;

const kindOf = (document: LocalDocument, pending: number): StateKind => {
  const { isClosed, isOpen, session } = document;
  if (isClosed) return 'closed';
  if (session.reason !== undefined) return 'refused';
  if (!isOpen) return 'opening';
  if (session.role !== undefined && !hasAtLeastRole(session.role, 'editor')) return 'readOnly';
  if (!session.isJoined || isBehind(document)) return 'offline';
  return pending === 0 ? 'saved' : 'saving';
};

export const engineState = (document: LocalDocument): EngineState => {
  const { session, parts } = document;
  const { tracker, editing, writeQueue } = parts;
  const items = pendingOperations(tracker.replica);
  return {
    kind: kindOf(document, items.length),
    isConnected: session.isJoined,
    role: session.role,
    title: session.title,
    version: tracker.replica.version,
    pending: items.length,
    recovered: tracker.unapplied.size,
    canUndo: editing.undoStack.count('undo') > 0,
    canRedo: editing.undoStack.count('redo') > 0,
    atRisk: items.filter(({ isOnDisk }) => !isOnDisk || !tracker.isDurable).length,
    canStore: tracker.isDurable && !writeQueue.isFailing(),
    reason: session.reason,
  };
};

const isSameState = (one: EngineState, other: EngineState | undefined): boolean =>
  other !== undefined && (Object.keys(one) as (keyof EngineState)[]).every((name) => one[name] === other[name]);

/** Emits the state at most once per turn, and only if it changed. */
export const watchState = (document: () => LocalDocument): (() => void) => {
  let emitted: EngineState | undefined;
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    document().options.platform.enqueueMicrotask(() => {
      isDue = false;
      const state = engineState(document());
      if (isSameState(state, emitted)) return;
      emitted = state;
      document().parts.emitter.emit({ kind: 'state', state });
    });
  };
};

interface StateSource {
  readonly kind: () => StateKind;
  readonly on: (listener: (event: EngineEvent) => void) => () => void;
}

const finalStates: ReadonlySet<StateKind> = new Set(['readOnly', 'refused', 'closed']);

/** Resolves to true when all edits are committed, and to false when they cannot be. */
export const whenSaved = ({ kind, on }: StateSource): Promise<boolean> =>
  new Promise((resolve) => {
    const look = (): void => {
      const now = kind();
      if (now !== 'saved' && !finalStates.has(now)) return;
      leave();
      resolve(now === 'saved');
    };
    const leave = on(look);
    look();
  });
