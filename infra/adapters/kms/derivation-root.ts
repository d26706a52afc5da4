/** Root of derived secrets: the installation's first master key, unchanged when the master key changes. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, left, right } from 'fp-ts/Either';
import type { KmsFault } from '../../ports/kms';
import { unavailable } from './faults';
import { createKeyFile, type Keystore, WrappedFile, wrappedName } from './keystore-files';
import { type MasterKey, unwrap, wrap } from './master-key';

const derivationRootFile = 'derive-key.json';

/** Keyed hashes of identifiers in the log depend on it, so it never changes. */
export const readDerivationRoot = ({ directory, masterKey }: Keystore): Either<KmsFault, MasterKey> => {
  const path = join(directory, derivationRootFile);
  if (!existsSync(path)) return right(masterKey);
  try {
    const found: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!WrappedFile.is(found)) return left(unavailable(`The key file ${derivationRootFile} has another form.`));
    return right(unwrap(masterKey, wrappedName(derivationRootFile, found), found));
  } catch {
    // The thrown message may quote the file.
    return left(unavailable(`The key file ${derivationRootFile} is damaged or was wrapped by another master key.`));
  }
};

/** Called before the master key changes. The first file stays. */
export const saveDerivationRoot = ({ directory, masterKey }: Keystore, next: MasterKey): void => {
  if (existsSync(join(directory, derivationRootFile))) return;
  const content = { version: 1, id: 'derive-key', ...wrap(next, 'derive-key', masterKey) };
  createKeyFile(directory, { id: 'derive-key', name: derivationRootFile, content });
};
