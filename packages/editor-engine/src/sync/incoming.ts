/** What is committed by everybody, taken in by its versions; a snapshot is fetched first, and what comes meanwhile waits. */
import type { FromServer } from '../../../../domain/editor/messages/from-server';
import type { Operation } from '../../../../domain/editor/operation';
import { emptyScene, type Scene } from '../../../../domain/editor/scene/scene';
import { committed, type Ledger, sweep } from '../ledger';
import type { LoadSnapshot } from '../ports/snapshots';
import type { Mark } from '../ports/store';
import { load, pendingIn } from '../scene/replica';

type SentSnapshot = FromServer<'snapshot'>;
type Frame = Pick<FromServer<'operations'>, 'fromVersion' | 'operations'>;

export interface Incoming {
  readonly ledger: Ledger;
  readonly load: LoadSnapshot;
  /** Joins anew. */
  readonly restart: (reason: string) => void;
  readonly fault: (error: unknown) => void;
  /** Another scene is there, not by operations. */
  readonly replaced: () => void;
  /** Aborted when another snapshot comes. */
  loading: AbortController | undefined;
  waiting: Frame[];
  /** What was committed when it joined last. */
  head: Mark;
}

/** Nothing that was known may be gone on from. */
export const startOver = ({ ledger }: Incoming): void => {
  for (const item of pendingIn(ledger.replica)) item.isPerhapsSeen ||= item.isSent;
  load(ledger.replica, emptyScene(), { version: 0 });
  ledger.keeper.keep({ isAnew: true });
};

const isReplacing = ({ type }: Operation): boolean => type === 'restoreVersion';

export const heardFrame = (incoming: Incoming, frame: Frame): void => {
  const { ledger, restart } = incoming;
  if (incoming.loading !== undefined) {
    incoming.waiting.push(frame);
    return;
  }
  const known = ledger.replica.version + 1 - frame.fromVersion;
  const fresh = frame.operations.slice(known);
  if (known < 0) restart('gap');
  else if (fresh.some(isReplacing)) {
    // What it put back is not in it: only a snapshot tells.
    startOver(incoming);
    restart('restored');
  } else committed(ledger, fresh);
};

const takeIn = (incoming: Incoming, { snapshot, operationTail }: SentSnapshot, scene: Scene): void => {
  const { ledger, waiting, replaced, head } = incoming;
  Object.assign(incoming, { loading: undefined, waiting: [] });
  for (const item of pendingIn(ledger.replica)) item.isPerhapsSeen ||= item.isSent;
  load(ledger.replica, scene, head.version === snapshot.version ? head : { version: snapshot.version });
  for (const frame of [{ fromVersion: snapshot.version + 1, operations: operationTail }, ...waiting])
    heardFrame(incoming, frame);
  sweep(ledger);
  replaced();
};

/** Ends without a word when another one came meanwhile. */
export const heardSnapshot = async (incoming: Incoming, message: SentSnapshot): Promise<void> => {
  incoming.loading?.abort();
  const loading = new AbortController();
  incoming.loading = loading;
  const scene = emptyScene();
  try {
    await incoming.load(message, scene, loading.signal);
  } catch (error) {
    if (incoming.loading !== loading) return;
    Object.assign(incoming, { loading: undefined, waiting: [] });
    incoming.fault(error);
    return incoming.restart('snapshot-unreadable');
  }
  if (incoming.loading === loading) takeIn(incoming, message, scene);
};
