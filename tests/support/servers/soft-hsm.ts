/** A PKCS #11 token in software (Debian: softhsm2), of the tests' own. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pkcs11Options } from '../../../infra/adapters/kms/pkcs11/pkcs11-keystore';
import { temporaryDirectory } from '../files/temporary-directory';

const modules = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib64/pkcs11/libsofthsm2.so',
  '/opt/homebrew/lib/softhsm/libsofthsm2.so',
];

export const softHsmModule = (): string | undefined => modules.find((path) => existsSync(path));

/** npm compiles it, where there is a compiler. */
export const hasPkcs11Module = (): boolean => {
  try {
    require('pkcs11js');
    return true;
  } catch {
    return false;
  }
};

export interface SoftToken {
  readonly options: Pkcs11Options;
  readonly directory: string;
  readonly remove: () => void;
}

/** For what needs the prerequisite `device`. A process sees the tokens that were made before it loads the library. */
export const softTokens = (labels: readonly string[]): SoftToken => {
  const module = softHsmModule() as string;
  const { path: directory, remove } = temporaryDirectory('softhsm');
  mkdirSync(join(directory, 'tokens'));
  const file = join(directory, 'softhsm2.conf');
  writeFileSync(
    file,
    `directories.tokendir = ${join(directory, 'tokens')}\nobjectstore.backend = file\nlog.level = ERROR\n`,
  );
  process.env.SOFTHSM2_CONF = file;
  for (const label of labels)
    execFileSync(
      'softhsm2-util',
      ['--init-token', '--free', '--label', label, '--pin', 'secret-pin', '--so-pin', 'officer'],
      {
        stdio: 'ignore',
      },
    );
  return {
    options: { module, label: labels[0] ?? '', pin: 'secret-pin' },
    directory,
    remove,
  };
};
