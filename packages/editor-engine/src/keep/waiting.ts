/** What is to be written next, as one change: what came later counts. */
import type { ClientId } from '../../../../domain/editor/ids';
import type { Change, KeptClient, KeptFrame, KeptPending, OperationKey, RecoveredEdit } from '../ports/store';

/** Told with whether it is on disk: false at first where it cannot be, and true when it is. */
export type Told = (isOnDisk: boolean) => void;

interface Edit {
  readonly kept: KeptPending;
  readonly told: Told | undefined;
}

export interface Waiting {
  client: KeptClient | undefined;
  readonly pending: Map<string, Edit>;
  readonly settled: Map<string, OperationKey>;
  readonly acknowledged: Map<string, KeptPending>;
  readonly released: Map<string, OperationKey>;
  isAnew: boolean;
  readonly frames: KeptFrame[];
  readonly recovered: Map<string, RecoveredEdit>;
  readonly discarded: Set<string>;
  readonly forgotten: Set<ClientId>;
  /** Of what is no edit. */
  readonly told: Told[];
}

export const nothingWaits = (): Waiting => ({
  ...{ client: undefined, pending: new Map(), settled: new Map(), isAnew: false, frames: [] },
  ...{ acknowledged: new Map(), released: new Map() },
  ...{ recovered: new Map(), discarded: new Set(), forgotten: new Set(), told: [] },
});

const keyOf = ({ clientId, clientSeq }: OperationKey): string => `${clientId} ${clientSeq}`;
const keyOfEdit = ({ clientId, operation: { clientSeq } }: KeptPending): string => keyOf({ clientId, clientSeq });

/** What is settled before it was written needs no writing. */
const addEdits = (waiting: Waiting, { pending = [], settled = [], acknowledged = [], released = [] }: Change): void => {
  for (const one of settled) {
    waiting.pending.delete(keyOf(one));
    waiting.settled.set(keyOf(one), one);
  }
  for (const one of acknowledged) waiting.acknowledged.set(keyOfEdit(one), one);
  for (const one of released) {
    waiting.acknowledged.delete(keyOf(one));
    waiting.released.set(keyOf(one), one);
  }
  for (const kept of pending) waiting.settled.delete(keyOfEdit(kept));
};

export const add = (waiting: Waiting, change: Change, told?: Told): void => {
  waiting.client = change.client ?? waiting.client;
  addEdits(waiting, change);
  for (const kept of change.pending ?? []) waiting.pending.set(keyOfEdit(kept), { kept, told });
  if (told !== undefined && (change.pending ?? []).length === 0) waiting.told.push(told);
  if (change.isAnew === true) {
    waiting.isAnew = true;
    waiting.frames.length = 0;
  }
  for (const frame of change.frames ?? []) waiting.frames.push(frame);
  for (const edit of change.recovered ?? []) waiting.recovered.set(edit.id, edit);
  for (const id of change.discarded ?? []) {
    waiting.recovered.delete(id);
    waiting.discarded.add(id);
  }
  for (const clientId of change.forgotten ?? []) waiting.forgotten.add(clientId);
};

export const asChange = (waiting: Waiting): Change => {
  const { client, pending, settled, acknowledged, released, recovered, discarded, forgotten, told, ...rest } = waiting;
  return {
    ...rest,
    ...(client === undefined ? {} : { client }),
    pending: Array.from(pending.values(), ({ kept }) => kept),
    settled: [...settled.values()],
    acknowledged: [...acknowledged.values()],
    released: [...released.values()],
    recovered: [...recovered.values()],
    discarded: [...discarded],
    forgotten: [...forgotten],
  };
};

/** What could not be written, and what came since; of the document itself only what is being edited waits for so long. */
export const joined = (failed: Waiting, since: Waiting | undefined): Waiting => {
  const { pending, told, ...rest } = since ?? nothingWaits();
  failed.frames.length = 0;
  add(failed, { ...asChange({ ...rest, pending: new Map(), told: [] }), frames: [] });
  for (const [key, edit] of pending) {
    failed.settled.delete(key);
    failed.pending.set(key, edit);
  }
  failed.told.push(...told);
  return failed;
};

export const tellAll = (waiting: Waiting, isOnDisk: boolean): void => {
  for (const { told } of waiting.pending.values()) told?.(isOnDisk);
  // Nobody waits for these twice.
  for (const told of waiting.told.splice(0)) told(isOnDisk);
};
