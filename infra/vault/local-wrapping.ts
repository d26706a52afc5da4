/** The local way to wrap: with master keys that are files. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Keystore } from '../kms/key-files';
import { unwrap, type Wrapped, wrap } from '../kms/master-key';
import type { VaultFault, Wrapping } from '../ports/vault';
import { unavailable } from './faults';
import { type Master, namesIn, newestIn, nextNumber, readMaster, removeMaster, writeMaster } from './master-files';

const attempted = <A>(work: () => Either<VaultFault, A>): Promise<Either<VaultFault, A>> => {
  try {
    return Promise.resolve(work());
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return Promise.resolve(left(unavailable(`The keystore cannot be read or written (${code}).`)));
  }
};

/** Masters that were read stay read: files never change, and a rotation adds one. */
const openMasters = (store: Keystore) => {
  const known = new Map<string, Master>();
  /** One file that cannot be read must not keep others from being used. */
  const load = (): VaultFault | undefined => {
    const files = new Set([...known.values()].map(({ file }) => file));
    let fault: VaultFault | undefined;
    for (const file of namesIn(store.directory)) {
      const master = files.has(file) ? undefined : readMaster(store, file);
      if (master === undefined) continue;
      if (isLeft(master)) fault ??= master.left;
      else known.set(master.right.id, master.right);
    }
    return fault;
  };
  const find = (id: string): Either<VaultFault, Master> => {
    const fault = known.has(id) ? undefined : load();
    const master = known.get(id);
    if (master !== undefined) return right(master);
    return left(fault ?? unavailable(`The keystore lacks the vault's master key ${id}.`));
  };
  return { known, find, load };
};

const packed = ({ iv, ciphertext, tag }: Wrapped): string => `${iv}.${ciphertext}.${tag}`;
const unpacked = (text: string): Wrapped => {
  const [iv = '', ciphertext = '', tag = ''] = text.split('.');
  return { iv, ciphertext, tag };
};

const unwrapped = ({ key }: Master, name: string, wrapped: string): Either<VaultFault, Buffer> => {
  try {
    return right(unwrap(key, name, unpacked(wrapped)));
  } catch {
    return left(unavailable('A key in the vault was changed, or belongs to another subject.'));
  }
};

export const openLocalWrapping = (store: Keystore): Wrapping => {
  const { known, find, load } = openMasters(store);
  const isWhole = (): boolean => load() === undefined;
  const idIn = (file: string): Either<VaultFault, string> => {
    const master = readMaster(store, file);
    return isLeft(master) ? master : right(master.right.id);
  };
  const withMaster = <A>(id: string, use: (master: Master) => Either<VaultFault, A>) =>
    attempted(() => {
      const master = find(id);
      return isLeft(master) ? master : use(master.right);
    });
  return {
    newest: () => attempted(() => idIn(newestIn(store.directory) ?? writeMaster(store, 1))),
    make: () => attempted(() => idIn(writeMaster(store, nextNumber(store.directory)))),
    wrap: (id, name, plain) => withMaster(id, ({ key }) => right(packed(wrap(key, name, plain)))),
    unwrap: (id, name, wrapped) => withMaster(id, (master) => unwrapped(master, name, wrapped)),
    destroy: (id) =>
      attempted(() => {
        const master = find(id);
        // Gone already, unless it cannot be told.
        if (isLeft(master)) return isWhole() ? right(undefined) : master;
        removeMaster(store, master.right);
        known.delete(id);
        return right(undefined);
      }),
  };
};
