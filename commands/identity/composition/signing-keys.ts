/** Opens the keystore, the token signer and the rotation job. */
import { isLeft } from 'fp-ts/Either';
import type { Kms, Signer } from '../../../infra/ports/kms';
import type { PartHealth } from '../../../infra/ports/runtime/health';
import type { Log } from '../../../infra/ports/runtime/log';
import {
  anyText,
  type ConfigOf,
  oneOfWords,
  operatorsOf,
  optional,
  wholeNumber,
  withDefault,
} from '../../../infra/server/runtime/config';
import type { CommandDeps } from '../../kernel/command-spec';
import { runRotationJob } from '../signing-keys/rotation-job';
import { createSigningKeyCache } from '../signing-keys/signing-key-cache';
import type { SigningKeyRouteDeps } from '../signing-keys/signing-key-routes';
import { openTokenSigner } from '../signing-keys/token-signer';

export const keyVariables = {
  /** Algorithm of new keys of access tokens. */
  SIGNING_ALGORITHM: withDefault(oneOfWords('ES256', 'EdDSA'), 'ES256'),
  /** Days; 0: no scheduled rotation. */
  ROTATE_SIGNING_KEYS_EVERY: withDefault(wholeNumber(0, 3_650), 30),
  PLATFORM_TENANT: optional(anyText),
};

type KeyConfig = ConfigOf<typeof keyVariables> & { readonly BOOTSTRAP_TENANT: string };

export interface SigningKeyServices {
  readonly kms: Kms & Signer;
  /** Of the routes of operators. */
  readonly deps: SigningKeyRouteDeps;
  readonly check: () => Promise<PartHealth>;
  readonly close: () => Promise<void>;
}

interface SigningKeyDeps extends CommandDeps {
  readonly kms: Kms;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export const openSigningKeys = (values: KeyConfig, deps: SigningKeyDeps): SigningKeyServices => {
  const { kms } = deps;
  const made = { algorithm: values.SIGNING_ALGORITHM, rotateEveryDays: values.ROTATE_SIGNING_KEYS_EVERY };
  const all = { ...deps, ...made, keys: createSigningKeyCache(deps.store), operators: operatorsOf(values) };
  const signer = openTokenSigner(all);
  const tending = runRotationJob(all, deps.signal);
  return {
    kms: { ...kms, ...signer },
    deps: all,
    check: async () => {
      const checked = await signer.check();
      return isLeft(checked) ? { ok: false, detail: checked.left.detail } : { ok: true };
    },
    close: () => tending,
  };
};
