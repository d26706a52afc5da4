/** What the engine tells those who show it. */
import type { NodeId, OperationId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import type { OutcomeReason, OutcomeStatus } from '../../../../domain/editor/outcome';
import type { Presence } from '../../../../domain/editor/protocol/presence';
import type { SocketErrorCode } from '../../../../domain/editor/protocol/server-messages';
import type { Role } from '../../../../domain/editor/roles';

export type Refusal = SocketErrorCode | 'server-too-old' | 'signed-out';

/**
 * `opening`: nothing to show yet. `saved`: everything is committed. `saving`: something is on its way. `offline`: edits wait for the
 * connection. `readOnly`: it follows others. `refused`: it is let in no more, for `reason`.
 */
export type StateKind = 'opening' | 'saved' | 'saving' | 'offline' | 'readOnly' | 'refused' | 'closed';

export interface EngineState {
  readonly kind: StateKind;
  readonly isConnected: boolean;
  readonly role: Role | undefined;
  readonly title: string | undefined;
  /** Of what is committed. */
  readonly version: number;
  readonly pending: number;
  readonly recovered: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Of the pending, those that the end of this page would lose: not on disk yet, or not to be had there. */
  readonly atRisk: number;
  /** False where edits end with this page: there is no room for them, or they may not be kept. */
  readonly isKeeping: boolean;
  readonly reason: Refusal | undefined;
}

/** What became of an edit other than what was asked. */
export interface Notice {
  readonly opId: OperationId;
  readonly operation: Operation;
  readonly status: Exclude<OutcomeStatus, 'applied' | 'duplicate'>;
  /** `unknown`: it was settled while nobody listened. `not-allowed`: the right to edit was taken away before. */
  readonly reason: OutcomeReason | 'unknown' | 'not-allowed' | undefined;
}

export type EngineEvent =
  /** Once for all that one turn changed. `isAll`: everything may have. */
  | { readonly kind: 'changed'; readonly ids: ReadonlySet<NodeId>; readonly isAll: boolean }
  | { readonly kind: 'state'; readonly state: EngineState }
  | { readonly kind: 'members'; readonly members: ReadonlyMap<string, Presence> }
  | { readonly kind: 'notice'; readonly notice: Notice }
  | { readonly kind: 'fault'; readonly fault: Fault; readonly error: unknown };

/** `history`: the document is no longer what was seen here; what is lost of one's own is among the recovered. */
export type Fault = 'store' | 'snapshot' | 'protocol' | 'history';

export interface Emitter {
  readonly emit: (event: EngineEvent) => void;
  readonly on: (listener: (event: EngineEvent) => void) => () => void;
}

/** A listener that throws is its own affair: what is under way here must be finished. */
const notifyListener = (listener: (event: EngineEvent) => void, event: EngineEvent): void => {
  try {
    listener(event);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
};

export const openEmitter = (): Emitter => {
  const listeners = new Set<(event: EngineEvent) => void>();
  return {
    emit: (event) => {
      for (const listener of [...listeners]) notifyListener(listener, event);
    },
    on: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
