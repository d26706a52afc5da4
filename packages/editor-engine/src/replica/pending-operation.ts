/** A local operation whose outcome is unknown. */
import type { ClientId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';

export interface PendingOperation {
  readonly clientId: ClientId;
  readonly operation: Operation;
  /** JSON as sent. */
  readonly json: string;
  readonly bytes: number;
  /** Stored, or known not to be storable; it is not sent before. */
  isStored: boolean;
  /** Durable. */
  isOnDisk: boolean;
  /** May be known to the server, so it must not change. */
  isSent: boolean;
  /** The version at which it is settled, if the owner reported one and it was not among the committed operations. */
  settledAt: number | undefined;
  /** Committed, or a no-op. Otherwise only known to be settled. */
  isAccepted: boolean;
  /** Whether the owner reports it as committed; undefined if the owner does not know. */
  came: boolean | undefined;
  /** A snapshot arrived after it was sent and may contain it. */
  isPerhapsSeen: boolean;
}

const encoder = new TextEncoder();

export const createPending = (clientId: ClientId, operation: Operation): PendingOperation => {
  const json = JSON.stringify(operation);
  const bytes = encoder.encode(json).length;
  return {
    clientId,
    operation,
    json,
    bytes,
    isStored: false,
    isOnDisk: false,
    isSent: false,
    settledAt: undefined,
    isAccepted: false,
    came: undefined,
    isPerhapsSeen: false,
  };
};

/** From the store; it may have been sent before the page ended. */
export const restoredPending = (clientId: ClientId, operation: Operation): PendingOperation => ({
  ...createPending(clientId, operation),
  isStored: true,
  isOnDisk: true,
  isSent: true,
});

const continuesGroup = (before: PendingOperation | undefined, { clientId, operation }: PendingOperation): boolean =>
  operation.atomicGroup !== undefined &&
  before?.operation.atomicGroup === operation.atomicGroup &&
  before.clientId === clientId;

/** Groups operations of one atomic group. */
export const groupPending = (items: readonly PendingOperation[]): readonly (readonly PendingOperation[])[] => {
  const groups: PendingOperation[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last !== undefined && continuesGroup(last.at(-1), item)) last.push(item);
    else groups.push([item]);
  }
  return groups;
};
