/** Events of the engine for the UI. */
import type { NodeId, OperationId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import type { OutcomeReason, OutcomeStatus } from '../../../../domain/editor/outcome';
import type { Presence } from '../../../../domain/editor/protocol/presence';
import type { SocketErrorCode } from '../../../../domain/editor/protocol/server-messages';
import type { Role } from '../../../../domain/editor/roles';

export type Refusal = SocketErrorCode | 'server-too-old' | 'signed-out';

/**
 * `opening`: nothing to show yet. `saved`: everything is committed. `saving`: edits are on their way. `offline`:
 * edits wait for the connection. `readOnly`: the user may not edit. `refused`: the server refuses the client, for
 * `reason`.
 */
export type StateKind = 'opening' | 'saved' | 'saving' | 'offline' | 'readOnly' | 'refused' | 'closed';

export interface EngineState {
  readonly kind: StateKind;
  readonly isConnected: boolean;
  readonly role: Role | undefined;
  readonly title: string | undefined;
  /** The committed version. */
  readonly version: number;
  readonly pending: number;
  readonly recovered: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Pending operations that are not on disk and would be lost with the page. */
  readonly atRisk: number;
  /** False if edits cannot be stored: no space, or storage is disabled. */
  readonly canStore: boolean;
  readonly reason: Refusal | undefined;
}

/** An edit had another outcome than requested. */
export interface Notice {
  readonly opId: OperationId;
  readonly operation: Operation;
  readonly status: Exclude<OutcomeStatus, 'applied' | 'duplicate'>;
  /** `unknown`: settled while this client was offline. `not-allowed`: the user lost the right to edit before. */
  readonly reason: OutcomeReason | 'unknown' | 'not-allowed' | undefined;
}

export type EngineEvent =
  /** Once per turn. `isAll`: any node may have changed. */
  | { readonly kind: 'changed'; readonly ids: ReadonlySet<NodeId>; readonly isAll: boolean }
  | { readonly kind: 'state'; readonly state: EngineState }
  | { readonly kind: 'members'; readonly members: ReadonlyMap<string, Presence> }
  | { readonly kind: 'notice'; readonly notice: Notice }
  | { readonly kind: 'fault'; readonly fault: Fault; readonly error: unknown };

/**
 * `history`: the server's log was restored to an earlier time; edits that are missing there are among the recovered
 * ones.
 */
export type Fault = 'store' | 'snapshot' | 'protocol' | 'history';

export interface Emitter {
  readonly emit: (event: EngineEvent) => void;
  readonly on: (listener: (event: EngineEvent) => void) => () => void;
}

/** A listener that throws must not interrupt the engine; its error is rethrown in a microtask. */
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
