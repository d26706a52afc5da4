/** What is said of an open document in one look. */
import { mayAs } from '../../../domain/editor/roles';
import type { EngineState, StateKind } from './events';
import type { Room } from './room';
import { pendingIn } from './scene/replica';

/** Joined, and not yet told all that had been committed then. */
const isBehind = ({ session, parts }: Room): boolean => parts.ledger.replica.version < session.committedVersion;

const kindOf = (room: Room, pending: number): StateKind => {
  const { isClosed, isOpen, session } = room;
  if (isClosed) return 'closed';
  if (session.reason !== undefined) return 'refused';
  if (!isOpen) return 'opening';
  if (session.role !== undefined && !mayAs(session.role, 'editor')) return 'readOnly';
  if (!session.isJoined || isBehind(room)) return 'offline';
  return pending === 0 ? 'saved' : 'saving';
};

export const stateOf = (room: Room): EngineState => {
  const { session, parts } = room;
  const { ledger, desk, keeper } = parts;
  const items = pendingIn(ledger.replica);
  return {
    kind: kindOf(room, items.length),
    isConnected: session.isJoined,
    role: session.role,
    title: session.title,
    version: ledger.replica.version,
    pending: items.length,
    recovered: ledger.recovered.size,
    canUndo: desk.history.count('undo') > 0,
    canRedo: desk.history.count('redo') > 0,
    atRisk: items.filter(({ isOnDisk }) => !isOnDisk || !ledger.lasts).length,
    isKeeping: ledger.lasts && !keeper.isFailing(),
    reason: session.reason,
  };
};

const isSame = (one: EngineState, other: EngineState | undefined): boolean =>
  other !== undefined && (Object.keys(one) as (keyof EngineState)[]).every((name) => one[name] === other[name]);

/** Tells of it when one turn has made it another. */
export const watchState = (room: () => Room): (() => void) => {
  let told: EngineState | undefined;
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    room().options.platform.soon(() => {
      isDue = false;
      const state = stateOf(room());
      if (isSame(state, told)) return;
      told = state;
      room().parts.emitter.emit({ kind: 'state', state });
    });
  };
};
