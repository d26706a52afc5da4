/**
 * The log for personal views: an event is never opened with a key that an earlier event of the log erased. A reader past an erasure
 * has erased its keys before, in the vault and in this process, so a row that is cleared once is not filled again.
 */
import { isLeft } from 'fp-ts/Either';
import { subjects } from '../../domain/privacy/subject/events';
import type { EventFilter, EventStore, StoredEvent } from '../../infra/ports/event-store';
import type { Log } from '../../infra/ports/runtime/log';
import type { Vault, VaultFault } from '../../infra/ports/vault';

export interface LogOrderDeps {
  /** Decrypts with the vault. */
  readonly store: EventStore;
  readonly vault: Pick<Vault, 'drop' | 'erase' | 'erasedTo' | 'recordErasedTo'>;
  readonly log: Log;
}

const batchErasures = 500;

/** Readers retry as they do when the log is unavailable. */
const fail = ({ code, detail }: Pick<VaultFault, 'detail'> & { readonly code: string }): never => {
  throw Object.assign(new Error(detail), { code });
};

const keyIdsOf = (stored: StoredEvent): readonly string[] => {
  const event = subjects.decode(stored.type, stored.data);
  if (isLeft(event)) throw new Error(`${stored.stream} cannot be decoded at revision ${stored.revision}`);
  return event.right.data.keys;
};

const isErasure = ({ stream }: StoredEvent): boolean => stream.startsWith(subjects.prefix);

/** Other readers make no rows of personal views. */
const isOrdered = (filter: EventFilter | undefined): boolean => filter?.streams?.includes(subjects.prefix) === true;

interface Erasures {
  /** All erasures up to here are carried out. */
  readonly reach: (position: bigint | null) => Promise<void>;
  /** To be called for every event in order, by a reader that `reach` went before. Undefined, as for most events: nothing to wait for. */
  readonly pass: (event: StoredEvent) => Promise<void> | undefined;
}

const openErasures = ({ store, vault, log }: LogOrderDeps): Erasures => {
  /** Undefined until the first reader begins. */
  let known: bigint | null | undefined;
  let turn: Promise<void> = Promise.resolve();

  const isKnown = (position: bigint): boolean => known !== undefined && known !== null && position <= known;

  const erase = async (events: readonly StoredEvent[]): Promise<void> => {
    const position = events.at(-1)?.position;
    if (position === undefined) return;
    const keys = events.flatMap(keyIdsOf);
    vault.drop(keys);
    const erased = await vault.erase(keys);
    if (isLeft(erased)) return fail(erased.left);
    const saved = await vault.recordErasedTo(position);
    if (isLeft(saved)) return fail(saved.left);
    if (!isKnown(position)) known = position;
    log.info({ keys: keys.length, position: String(position) }, 'keys of forgotten subjects are erased');
  };

  const readTo = async (position: bigint): Promise<void> => {
    let waiting: StoredEvent[] = [];
    for await (const event of store.readAll({ after: known ?? null, filter: { streams: [subjects.prefix] } })) {
      if (event.position > position) break;
      waiting.push(event);
      if (waiting.length < batchErasures) continue;
      await erase(waiting);
      waiting = [];
    }
    await erase(waiting);
    if (!isKnown(position)) known = position;
  };

  /** Everything up to the log's end, so that what this process reads from now on is opened with keys that were not erased before. */
  const begin = async (): Promise<void> => {
    const erased = await vault.erasedTo(store.head);
    if (isLeft(erased)) return fail(erased.left);
    const head = await store.head();
    if (isLeft(head)) return fail(head.left);
    known = erased.right;
    try {
      if (head.right !== null && !isKnown(head.right)) await readTo(head.right);
    } catch (error) {
      known = undefined;
      throw error;
    }
  };

  /** One at a time: what is known then has no gap. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  };

  return {
    reach: (position) => {
      if (known !== undefined && (position === null || isKnown(position))) return Promise.resolve();
      return inTurn(async () => {
        if (known === undefined) await begin();
        if (position !== null && !isKnown(position)) await readTo(position);
      });
    },
    pass: (event) => {
      if (isKnown(event.position)) return undefined;
      if (isErasure(event)) return inTurn(async () => (isKnown(event.position) ? undefined : erase([event])));
      known = event.position;
      return undefined;
    },
  };
};

export const openLogInErasureOrder = (deps: LogOrderDeps): EventStore => {
  const { store } = deps;
  const { reach, pass } = openErasures(deps);
  return {
    ...store,
    readAll: async function* (request) {
      if (!isOrdered(request.filter) || request.direction === 'backwards') return yield* store.readAll(request);
      await reach(request.after);
      for await (const event of store.readAll(request)) {
        const passing = pass(event);
        if (passing !== undefined) await passing;
        yield event;
      }
    },
    subscribeAll: async function* (request) {
      if (!isOrdered(request.filter)) return yield* store.subscribeAll(request);
      await reach(request.after);
      for await (const notification of store.subscribeAll(request)) {
        if (notification.kind === 'event') await pass(notification.event);
        yield notification;
      }
    },
  };
};
