/** What secrets are derived from: the first master key of the installation, also when another one has taken its place. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, left, right } from 'fp-ts/Either';
import type { KmsFault } from '../ports/kms';
import { unavailable } from './faults';
import { createKeyFile, type Keystore, WrappedFile, wrappedName } from './keystore-files';
import { type MasterKey, unwrap, wrap } from './master-key';

const derivationRootFile = 'derive-key.json';

/** Names of people in the log hang on it, so it is never another one. */
export const readDerivationRoot = ({ directory, masterKey }: Keystore): Either<KmsFault, MasterKey> => {
  const path = join(directory, derivationRootFile);
  if (!existsSync(path)) return right(masterKey);
  try {
    const found: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!WrappedFile.is(found)) return left(unavailable(`The key file ${derivationRootFile} has another form.`));
    return right(unwrap(masterKey, wrappedName(derivationRootFile, found), found));
  } catch {
    // What was thrown may quote the file.
    return left(unavailable(`The key file ${derivationRootFile} is damaged or was wrapped by another master key.`));
  }
};

/** Before the master key is another one. The first that is written stays. */
export const saveDerivationRoot = ({ directory, masterKey }: Keystore, next: MasterKey): void => {
  if (existsSync(join(directory, derivationRootFile))) return;
  const content = { version: 1, id: 'derive-key', ...wrap(next, 'derive-key', masterKey) };
  createKeyFile(directory, { id: 'derive-key', name: derivationRootFile, content });
};
