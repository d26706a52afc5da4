/** Edits made here that are not known to be committed. */
import type { ClientId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';

export interface PendingOperation {
  readonly clientId: ClientId;
  readonly operation: Operation;
  /** As it is sent. */
  readonly json: string;
  readonly bytes: number;
  /** It survives the end of this page, or cannot be made to; nothing is sent before. */
  isKept: boolean;
  /** It survives the end of this page. */
  isOnDisk: boolean;
  /** Somebody else may know it: from then on it stays as it is. */
  isSent: boolean;
  /** Known to be settled by that version, though it was not seen in what was committed. */
  settledAt: number | undefined;
  /** It is committed, or stands for nothing that would be; otherwise only that it is settled is known. */
  isAccepted: boolean;
  /** Settled, by what the owner knows: it came to something, or to nothing. Undefined: that is not known. */
  came: boolean | undefined;
  /** A snapshot came after it was sent, and may hold it. */
  isPerhapsSeen: boolean;
}

const encoder = new TextEncoder();

export const createPending = (clientId: ClientId, operation: Operation): PendingOperation => {
  const json = JSON.stringify(operation);
  const bytes = encoder.encode(json).length;
  return {
    ...{ clientId, operation, json, bytes, isKept: false, isOnDisk: false, isSent: false },
    ...{ settledAt: undefined, isAccepted: false, came: undefined, isPerhapsSeen: false },
  };
};

/** From the store: whether it was sent before the page ended is not known. */
export const restoredPending = (clientId: ClientId, operation: Operation): PendingOperation => ({
  ...createPending(clientId, operation),
  isKept: true,
  isOnDisk: true,
  isSent: true,
});

const continuesGroup = (before: PendingOperation | undefined, { clientId, operation }: PendingOperation): boolean =>
  operation.atomicGroup !== undefined &&
  before?.operation.atomicGroup === operation.atomicGroup &&
  before.clientId === clientId;

/** What is committed all or not at all stands together. */
export const groupPending = (items: readonly PendingOperation[]): readonly (readonly PendingOperation[])[] => {
  const groups: PendingOperation[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last !== undefined && continuesGroup(last.at(-1), item)) last.push(item);
    else groups.push([item]);
  }
  return groups;
};
