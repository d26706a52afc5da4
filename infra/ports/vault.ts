/** Keys of people: personal fields in the log are sealed with their subject's key, and erasing the key forgets them. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../domain/kernel/rejection';

/** The keys are unavailable now, or to this process: nothing is lost, and no event may be skipped. */
export type VaultFault = Fault<'vault-unavailable'>;

export interface SubjectKey {
  readonly id: string;
  /** 32 bytes that never leave the process. */
  readonly bytes: Buffer;
}

/** For good: no later answer for the same id is another. */
export interface ErasedKey {
  readonly id: string;
  readonly bytes: null;
}

export type FoundKey = SubjectKey | ErasedKey;

export interface Vault {
  /** The hash by which a subject is known here. */
  readonly subjectOf: (tenant: string, subject: string) => string;
  /** The subject's key; created when there is none or the former was erased. Concurrent callers get the same key. */
  readonly keyFor: (subject: string) => Promise<Either<VaultFault, SubjectKey>>;
  /** Undefined when the key is not cached: use `find`. */
  readonly peek: (id: string) => FoundKey | undefined;
  /** A fault when the key is unknown. `ahead`: the caller reads many keys, in the order in which they were made. */
  readonly find: (id: string, ahead: boolean) => Promise<Either<VaultFault, FoundKey>>;
  /** Of the key that is not erased, if there is one. */
  readonly keysOf: (subject: string) => Promise<Either<VaultFault, readonly string[]>>;
  /** Erases keys for good; erased and unknown ids are no fault. */
  readonly erase: (ids: readonly string[]) => Promise<Either<VaultFault, void>>;
  /** Whether keys can be had and made right now. */
  readonly check: () => Promise<Either<VaultFault, void>>;
  /** How long other processes may cache keys after their erasure. */
  readonly heldMilliseconds: number;
  /** Drops cached copies of keys that other processes erased. */
  readonly drop: (ids: readonly string[]) => void;
  /**
   * Position of the log up to which the keys of all erasures are erased in the vault. Null: unknown, also where the log, whose head is
   * read afterwards, ends before it: then it is another log.
   */
  readonly erasedTo: <F>(
    head: () => Promise<Either<F, bigint | null>>,
  ) => Promise<Either<F | VaultFault, bigint | null>>;
  readonly recordErasedTo: (position: bigint) => Promise<Either<VaultFault, void>>;
  readonly close: () => Promise<void>;
}

/** What wraps subjects' keys: a directory of keys here, a key management service elsewhere. */
export interface Wrapping {
  /** The newest key; creates the first one. */
  readonly newest: () => Promise<Either<VaultFault, string>>;
  readonly make: () => Promise<Either<VaultFault, string>>;
  /** Bound to its name: what is wrapped for one cannot be unwrapped for another. */
  readonly wrap: (master: string, name: string, plain: Buffer) => Promise<Either<VaultFault, string>>;
  readonly unwrap: (master: string, name: string, wrapped: string) => Promise<Either<VaultFault, Buffer>>;
  readonly destroy: (master: string) => Promise<Either<VaultFault, void>>;
}

/** A subject's key at rest. */
export interface KeyRow {
  readonly id: string;
  /** The subject's hash. */
  readonly subject: string;
  readonly master: string;
  readonly wrapped: string;
}

/** `wrapped: null`: erased. */
export type FoundRow = KeyRow | (Omit<KeyRow, 'wrapped'> & { readonly wrapped: null });

export interface MasterRow {
  readonly id: string;
  readonly active: boolean;
  /** How many keys it wraps. */
  readonly keys: number;
}

/** Storage of wrapped keys. */
export interface KeyTable {
  readonly ofSubject: (subject: string) => Promise<Either<VaultFault, KeyRow | undefined>>;
  /** Those with the ids, and with `ahead` as many of those made after them. */
  readonly byId: (id: string, ahead: number) => Promise<Either<VaultFault, readonly FoundRow[]>>;
  /** Not when the subject has a key meanwhile, nor when the master key is not the active one any more. */
  readonly insert: (row: KeyRow) => Promise<Either<VaultFault, boolean>>;
  readonly erase: (ids: readonly string[]) => Promise<Either<VaultFault, void>>;
  /** Position of the log up to which the keys of all erasures are erased. Null: unknown. */
  readonly erasedTo: () => Promise<Either<VaultFault, bigint | null>>;
  readonly recordErasedTo: (position: bigint | null) => Promise<Either<VaultFault, void>>;
  /** The master key that wraps new keys; undefined before the first. */
  readonly active: () => Promise<Either<VaultFault, string | undefined>>;
  readonly masters: () => Promise<Either<VaultFault, readonly MasterRow[]>>;
  /** Makes it the active one; with `onlyFirst` when there is none yet. */
  readonly activate: (master: string, onlyFirst: boolean) => Promise<Either<VaultFault, void>>;
  /** Keys that another than the active one wraps. */
  readonly stale: (limit: number) => Promise<Either<VaultFault, readonly KeyRow[]>>;
  /** Each only when it is still wrapped as it was read, so that an erased key does not come back, and only with the active master key. */
  readonly rewrap: (
    changes: readonly { readonly before: KeyRow; readonly after: KeyRow }[],
  ) => Promise<Either<VaultFault, void>>;
  /** False while it wraps a key, or is the active one. */
  readonly retire: (master: string) => Promise<Either<VaultFault, boolean>>;
  /** Runs the work in one process at a time; undefined when another process runs it. */
  readonly alone: <A>(work: () => Promise<A>) => Promise<Either<VaultFault, A | undefined>>;
  readonly close: () => Promise<void>;
}
