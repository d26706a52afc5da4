/**
 * Bounded cache of unwrapped subject keys. A process that misses an erasure stops reading erased data when the entry expires, after
 * seconds. The time to live starts before the key is requested and uses the monotonic clock.
 */
import type { FoundKey, SubjectKey } from '../../ports/vault';
import { createErasedIds } from './erased-ids';

export interface KeyCache {
  readonly peek: (id: string) => FoundKey | undefined;
  readonly findBySubject: (subject: string) => SubjectKey | undefined;
  /** Whether the key was used since it was fetched. */
  readonly wasUsed: (id: string) => boolean;
  /** Runs a lookup, which is given when it began. Only in one is `put` called: what is erased meanwhile is remembered until it ends. */
  readonly lookUp: <A>(work: (requestedAt: number) => Promise<A>) => Promise<A>;
  /** `requestedAt`: when the key was requested. */
  readonly put: (key: FoundKey, requestedAt: number, subject?: string) => FoundKey;
  /** From now on the keys are erased here, whatever the vault answers, until `confirmErased`. */
  readonly drop: (ids: readonly string[]) => void;
  /** The vault has erased the keys: lookups that begin from now on find them erased. */
  readonly confirmErased: (ids: readonly string[]) => void;
  readonly close: () => void;
}

interface Entry {
  readonly key: FoundKey;
  readonly until: number;
  readonly subject: string | undefined;
  used: boolean;
}

/** How long other processes can read after an erasure. */
export const keyTimeToLiveMilliseconds = 3_000;
const maxKeys = 10_000;

/** In order of request. */
const createEntries = (lifetime: number) => {
  const entries = new Map<string, Entry>();
  const subjects = new Map<string, string>();
  const remove = (id: string): void => {
    const subject = entries.get(id)?.subject;
    if (subject !== undefined && subjects.get(subject) === id) subjects.delete(subject);
    entries.delete(id);
  };
  const fresh = (id: string): FoundKey | undefined => {
    const entry = entries.get(id);
    if (entry === undefined) return undefined;
    entry.used = true;
    if (entry.until > performance.now()) return entry.key;
    remove(id);
    return undefined;
  };
  const add = (key: FoundKey, requestedAt: number, subject: string | undefined): void => {
    remove(key.id);
    entries.set(key.id, { key, until: requestedAt + lifetime, subject, used: false });
    if (subject !== undefined) subjects.set(subject, key.id);
  };
  const sweep = (): void => {
    const now = performance.now();
    for (const [id, { until }] of entries) {
      if (until > now && entries.size <= maxKeys) return;
      remove(id);
    }
  };
  return { entries, subjects, remove, fresh, add, sweep };
};

export const createKeyCache = (lifetime: number): KeyCache => {
  const { entries, subjects, remove, fresh, add, sweep } = createEntries(lifetime);
  const erased = createErasedIds();
  // Expired keys are removed even without further requests.
  const sweeping = setInterval(sweep, lifetime).unref();
  return {
    peek: fresh,
    findBySubject: (subject) => {
      const id = subjects.get(subject);
      const key = id === undefined ? undefined : fresh(id);
      return key === undefined || key.bytes === null ? undefined : key;
    },
    wasUsed: (id) => entries.get(id)?.used ?? false,
    lookUp: erased.lookUp,
    put: (key, requestedAt, subject) => {
      if (key.bytes !== null && erased.has(key.id)) return { id: key.id, bytes: null };
      add(key, requestedAt, subject);
      sweep();
      return key;
    },
    drop: (ids) => {
      for (const id of ids) {
        remove(id);
        erased.drop(id);
      }
    },
    confirmErased: (ids) => {
      for (const id of ids) remove(id);
      erased.confirm(ids);
    },
    close: () => {
      clearInterval(sweeping);
      for (const id of [...entries.keys()]) remove(id);
    },
  };
};
