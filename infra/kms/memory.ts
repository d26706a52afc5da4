/** The twin: keys that are gone with the process. */
import { randomBytes } from 'node:crypto';
import type { Kms } from '../ports/kms';
import { keyring } from './keyring';
import type { MasterKey } from './master-key';
import { newSigningKey } from './signing-key';

export const memoryKms = (masterKey: MasterKey = randomBytes(32)): Kms => {
  const active = newSigningKey();
  return keyring({ active, all: [active] }, masterKey);
};
