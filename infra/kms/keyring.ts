/** Signs with the keys it holds; the last of them is the active one. */
import { left, right } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import type { Kms } from '../ports/kms';
import { deriveSecret, type MasterKey } from './master-key';
import { type SigningKey, signWith } from './signing-key';

export interface Keys {
  readonly active: SigningKey;
  readonly all: readonly SigningKey[];
}

export const keyring = ({ active, all }: Keys, masterKey: MasterKey): Kms => {
  const byId = new Map(all.map((key) => [key.jwk.kid, key]));
  const publicKeys = all.map(({ jwk }) => jwk);
  return {
    activeKey: async () => right(active.jwk),
    publicKeys: async () => right(publicKeys),
    sign: async (kid, bytes) => {
      const key = byId.get(kid);
      if (key === undefined) return left(fault('signing-unavailable', 'There is no signing key of this id.'));
      return right(signWith(key, bytes));
    },
    derive: async (label) => right(deriveSecret(masterKey, label)),
  };
};
