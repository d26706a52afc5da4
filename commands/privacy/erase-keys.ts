/** Erases keys by events of the log: immediately, and at every start what no process had erased yet, also after a restore of the vault. */
import { type Either, isLeft } from 'fp-ts/Either';
import { subjects } from '../../domain/privacy/subject/events';
import type { EventStore, EventStoreFault, StoredEvent } from '../../infra/ports/event-store';
import type { Log } from '../../infra/ports/runtime/log';
import type { Vault } from '../../infra/ports/vault';
import { resumeUntilAborted } from '../../infra/server/runtime/backoff';
import { logOutage } from '../../infra/server/runtime/outage';
import type { ExclusiveAggregates } from '../kernel/exclusive-aggregates';

export interface EraseKeysDeps {
  readonly store: EventStore;
  readonly vault: Vault;
  readonly warm?: ExclusiveAggregates;
}

const keyIdsOf = (stored: StoredEvent): readonly string[] => {
  const event = subjects.decode(stored.type, stored.data);
  if (isLeft(event)) throw new Error(`${stored.stream} cannot be decoded at revision ${stored.revision}`);
  return event.right.data.keys;
};

/** Drops cached keys first, whether or not the vault responds. */
const eraseKeys = ({ vault, warm }: EraseKeysDeps, keys: readonly string[]) => {
  vault.drop(keys);
  warm?.clear();
  return vault.erase(keys);
};

/** Erases the keys of a subject's stream. */
export const eraseKeysOfStream = async (
  deps: EraseKeysDeps,
  stream: string,
): Promise<Either<EventStoreFault, void>> => {
  const events = await deps.store.read(stream);
  return isLeft(events) ? events : eraseKeys(deps, events.right.flatMap(keyIdsOf));
};

export interface ErasureJob extends EraseKeysDeps {
  readonly log: Log;
  readonly signal: AbortSignal;
}

const batchSize = 500;

/** Undefined until the vault has reported the position of its erasures. */
interface Progress {
  after: bigint | null | undefined;
}

const orThrow = <A>(answer: Either<{ readonly detail: string }, A>): A => {
  if (isLeft(answer)) throw new Error(answer.left.detail);
  return answer.right;
};

const followForgotten = async (eraser: ErasureJob, erased: Progress, progress: () => void): Promise<void> => {
  const { store, vault, signal } = eraser;
  erased.after ??= orThrow(await vault.erasedTo(store.head));
  let waiting: StoredEvent[] = [];
  let isLive = false;
  for await (const notification of store.subscribeAll({
    after: erased.after,
    filter: { streams: [subjects.prefix] },
    signal,
  })) {
    if (notification.kind === 'event') waiting.push(notification.event);
    isLive ||= notification.kind === 'caught-up';
    const last = waiting.at(-1);
    if (last === undefined || (!isLive && waiting.length < batchSize)) continue;
    orThrow(await eraseKeys(eraser, waiting.flatMap(keyIdsOf)));
    orThrow(await vault.recordErasedTo(last.position));
    erased.after = last.position;
    progress();
    waiting = [];
  }
};

/** Runs until the signal aborts, from where the vault's erasures end. Backups leave that position out: a restored vault begins again. */
export const runKeyErasure = (eraser: ErasureJob): Promise<void> => {
  const { log, signal } = eraser;
  const erased: Progress = { after: undefined };
  return resumeUntilAborted((progress) => followForgotten(eraser, erased, progress), {
    signal,
    ...logOutage(log, {
      failing: 'keys of forgotten subjects could not be erased; it is tried again',
      recovered: 'keys of forgotten subjects are erased again',
    }),
  });
};
