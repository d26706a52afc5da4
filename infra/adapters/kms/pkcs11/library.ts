/** Loads and initialises the device's library once. */
import { type Either, left, right } from 'fp-ts/Either';
import type { KmsFault } from '../../../ports/kms';
import { unavailable } from '../faults';
import { type Cryptoki, constants, pkcs11ErrorOf } from './cryptoki';

type Binding = { readonly PKCS11: new () => Cryptoki };

const loadBinding = (): Binding | undefined => {
  try {
    // An optional dependency, compiled at installation.
    return require('pkcs11js') as Binding;
  } catch {
    return undefined;
  }
};

const initialize = (api: Cryptoki): void => {
  try {
    api.C_Initialize({ flags: constants.CKF_OS_LOCKING_OK });
  } catch (error) {
    // The standard allows one initialisation per process.
    if (pkcs11ErrorOf(error)?.code !== constants.CKR_CRYPTOKI_ALREADY_INITIALIZED) throw error;
  }
};

export const openLibrary = (path: string): Either<KmsFault, Cryptoki> => {
  const binding = loadBinding();
  if (binding === undefined)
    return left(unavailable('KMS=pkcs11 needs the npm package pkcs11js, which is optional and not installed here.'));
  try {
    const api = new binding.PKCS11();
    api.load(path);
    initialize(api);
    return right(api);
  } catch {
    // The thrown message contains paths.
    return left(unavailable('The library that PKCS11_MODULE names cannot be loaded.'));
  }
};
