/** Who asks, and what can become of it. */
import type { ClientId, NodeId, OperationId } from '../ids';
import type { Operation } from '../operation';
import type { OutcomeReason } from '../outcome';
import type { CausalContext } from '../scene/coordinate-space';

export interface ResolveContext {
  readonly actorId: string;
  readonly clientId: ClientId;
  /** That it would get. */
  readonly version: number;
  /** What the client reads and writes. */
  readonly schema: number;
  /** Whether the actor may take that operation back; left out, everything may be. */
  readonly inverse?: (opId: OperationId) => OutcomeReason | undefined;
  /** Nodes that an inverse of that operation may create, though their ids are of other clients; left out, all. */
  readonly restorable?: (opId: OperationId) => readonly NodeId[];
}

export type Resolution =
  | {
      readonly status: 'applied' | 'transformed';
      readonly reason?: OutcomeReason;
      /** As it is committed. */
      readonly operation: Operation;
    }
  | { readonly status: 'dropped' | 'rejected'; readonly reason: OutcomeReason };

export const dropped = (reason: OutcomeReason): Resolution => ({ status: 'dropped', reason });
export const rejected = (reason: OutcomeReason): Resolution => ({ status: 'rejected', reason });

/** Done, and in another way than asked when there is a reason: the first of them is told. */
export const resolvedAs = (operation: Operation, reasons: readonly (OutcomeReason | undefined)[] = []): Resolution => {
  const reason = reasons.find((given) => given !== undefined);
  return reason === undefined ? { status: 'applied', operation } : { status: 'transformed', reason, operation };
};

/** Nothing was left to do. */
export const droppedAsNoOp = (gone: number): Resolution => dropped(gone > 0 ? 'target-deleted' : 'nothing-changes');

export const partlyDeletedReason = (gone: number): OutcomeReason | undefined =>
  gone > 0 ? 'partly-deleted' : undefined;

export const causalContextOf = (operation: Operation, context: ResolveContext): CausalContext => ({
  clientId: context.clientId,
  baseVersion: operation.baseVersion,
});
