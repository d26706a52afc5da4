/** Context and result of resolving an operation. */
import type { ClientId, NodeId, OperationId } from '../ids';
import type { Operation } from '../operation';
import type { OutcomeReason } from '../outcome';
import type { CausalContext } from '../scene/coordinate-space';

export interface ResolveContext {
  readonly actorId: string;
  readonly clientId: ClientId;
  /** The version it would get. */
  readonly version: number;
  /** The client's schema version. */
  readonly schema: number;
  /** Whether the actor may undo that operation; if omitted, always. */
  readonly inverse?: (opId: OperationId) => OutcomeReason | undefined;
  /** Nodes with foreign ids that an inverse of that operation may create; if omitted, all. */
  readonly restorable?: (opId: OperationId) => readonly NodeId[];
  /** Called with each resolved operation before it is applied. A reason rejects it; if omitted, all are applied. */
  readonly admit?: (operation: Operation) => OutcomeReason | undefined;
}

export type Resolution =
  | {
      readonly status: 'applied' | 'transformed';
      readonly reason?: OutcomeReason;
      /** As committed. */
      readonly operation: Operation;
    }
  | { readonly status: 'dropped' | 'rejected'; readonly reason: OutcomeReason };

export const dropped = (reason: OutcomeReason): Resolution => ({ status: 'dropped', reason });
export const rejected = (reason: OutcomeReason): Resolution => ({ status: 'rejected', reason });

/** The resolved operation; `transformed` if there is a reason, of which the first is reported. */
export const resolvedAs = (operation: Operation, reasons: readonly (OutcomeReason | undefined)[] = []): Resolution => {
  const reason = reasons.find((one) => one !== undefined);
  return reason === undefined ? { status: 'applied', operation } : { status: 'transformed', reason, operation };
};

/** Dropped because nothing is left to do. */
export const droppedAsNoOp = (gone: number): Resolution => dropped(gone > 0 ? 'target-deleted' : 'nothing-changes');

export const partlyDeletedReason = (gone: number): OutcomeReason | undefined =>
  gone > 0 ? 'partly-deleted' : undefined;

export const causalContextOf = (operation: Operation, context: ResolveContext): CausalContext => ({
  clientId: context.clientId,
  baseVersion: operation.baseVersion,
});
