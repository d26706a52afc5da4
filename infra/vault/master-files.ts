/** Master keys of the vault in the keystore directory, each in a file of its own and wrapped by the process's master key. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type Keystore, keyFilesIn, placeKeyFile, removeKeyFile } from '../kms/key-files';
import { type MasterKey, unwrap, wrap } from '../kms/master-key';
import type { VaultFault } from '../ports/vault';
import { unavailable } from './faults';

export interface Master {
  readonly id: string;
  readonly key: MasterKey;
  readonly file: string;
}

const MasterFile = t.strict(
  { version: t.literal(1), id: t.string, iv: t.string, ciphertext: t.string, tag: t.string },
  'MasterFile',
);
const fileName = /^vault-key-(\d{6})\.json$/;
const nameOf = (id: string): string => `vault-key:${id}`;

export const namesIn = (directory: string): readonly string[] => keyFilesIn(directory, fileName);

export const readMaster = ({ directory, masterKey }: Keystore, file: string): Either<VaultFault, Master> => {
  try {
    const found: unknown = JSON.parse(readFileSync(join(directory, file), 'utf8'));
    if (!MasterFile.is(found)) return left(unavailable(`The key file ${file} has another form.`));
    return right({ id: found.id, key: unwrap(masterKey, nameOf(found.id), found), file });
  } catch {
    // What was thrown may quote the file.
    return left(unavailable(`The key file ${file} is damaged or was wrapped by another master key.`));
  }
};

/** Answers the name of the file, which may be another's who was faster. */
export const writeMaster = ({ directory, masterKey }: Keystore, number: number): string => {
  const id = randomUUID();
  const name = `vault-key-${String(number).padStart(6, '0')}.json`;
  const content = { version: 1, id, ...wrap(masterKey, nameOf(id), randomBytes(32)) };
  placeKeyFile(directory, { id, name, content });
  return name;
};

const numberOf = (name: string): number => Number(fileName.exec(name)?.[1] ?? 0);

export const newestIn = (directory: string): string | undefined => namesIn(directory).at(-1);

export const nextNumber = (directory: string): number => numberOf(newestIn(directory) ?? '') + 1;

export const removeMaster = ({ directory }: Keystore, { file }: Master): void => removeKeyFile(directory, file);
