/** Opens the configured keystore. */
import { type Either, left } from 'fp-ts/Either';
import type { Kms, KmsFault } from '../../ports/kms';
import { anyText, type ConfigOf, oneOfWords, optional, withDefault } from '../../server/runtime/config';
import { unavailable } from './faults';
import { openFileKeystore } from './file-keystore';
import { MasterKeyText } from './master-key';
import { openPkcs11Kms, type Pkcs11Options } from './pkcs11/pkcs11-keystore';

/** Variables of every signing process. */
export const kmsVariables = {
  MASTER_KEY: MasterKeyText,
  KEYS_DIR: anyText,
  KMS: withDefault(oneOfWords('local', 'pkcs11'), 'local'),
  PKCS11_MODULE: optional(anyText),
  PKCS11_TOKEN_LABEL: optional(anyText),
  PKCS11_PIN: optional(anyText),
};

type KmsConfig = ConfigOf<typeof kmsVariables>;

/** Undefined: incomplete configuration. */
export const pkcs11Options = (config: KmsConfig): Pkcs11Options | undefined => {
  const { PKCS11_MODULE: module, PKCS11_TOKEN_LABEL: label, PKCS11_PIN: pin } = config;
  return module === undefined || label === undefined || pin === undefined ? undefined : { module, label, pin };
};

export const openKms = (config: KmsConfig): Either<KmsFault, Kms> => {
  if (config.KMS === 'local') return openFileKeystore({ directory: config.KEYS_DIR, masterKey: config.MASTER_KEY });
  const options = pkcs11Options(config);
  if (options !== undefined) return openPkcs11Kms(options);
  return left(unavailable('KMS=pkcs11 needs PKCS11_MODULE, PKCS11_TOKEN_LABEL and PKCS11_PIN.'));
};
