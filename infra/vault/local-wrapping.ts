/** The local way to wrap: with master keys that are files. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { unwrap, type Wrapped, wrap } from '../kms/master-key';
import type { VaultFault, Wrapping } from '../ports/vault';
import { unavailable } from './faults';
import {
  type Keystore,
  type Master,
  namesIn,
  newestIn,
  nextNumber,
  readMaster,
  removeMaster,
  writeMaster,
} from './master-files';

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
  return { known, find };
};

const packed = ({ iv, ciphertext, tag }: Wrapped): string => `${iv}.${ciphertext}.${tag}`;
const unpacked = (text: string): Wrapped => {
  const [iv = '', ciphertext = '', tag = ''] = text.split('.');
  return { iv, ciphertext, tag };
};

export const openLocalWrapping = (store: Keystore): Wrapping => {
  const { known, find } = openMasters(store);
  const idIn = (file: string): Either<VaultFault, string> => {
    const master = readMaster(store, file);
    return isLeft(master) ? master : right(master.right.id);
  };
  return {
    newest: () => attempted(() => idIn(newestIn(store.directory) ?? writeMaster(store, 1))),
    make: () => attempted(() => idIn(writeMaster(store, nextNumber(store.directory)))),
    wrap: (master, name, plain) =>
      attempted(() => {
        const found = find(master);
        return isLeft(found) ? found : right(packed(wrap(found.right.key, name, plain)));
      }),
    unwrap: (master, name, wrapped) =>
      attempted(() => {
        const found = find(master);
        if (isLeft(found)) return found;
        try {
          return right(unwrap(found.right.key, name, unpacked(wrapped)));
        } catch {
          return left(unavailable('A key in the vault was changed, or belongs to another subject.'));
        }
      }),
    destroy: (master) =>
      attempted(() => {
        const found = find(master);
        if (isLeft(found)) return right(undefined);
        removeMaster(store, found.right);
        known.delete(master);
        return right(undefined);
      }),
  };
};
