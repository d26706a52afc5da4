/** The signing keys of a process that signs: where they are held, what signs with them, and what looks after them. */
import { isLeft } from 'fp-ts/Either';
import { anyText, type ConfigOf, operatorsOf, optional, orElse, wholeNumber, word } from '../../../infra/config';
import type { BoundRoute } from '../../../infra/http/route';
import type { PartHealth } from '../../../infra/ports/health';
import type { Kms, Signer } from '../../../infra/ports/kms';
import type { Log } from '../../../infra/ports/log';
import type { CommandDeps } from '../../kernel/command-spec';
import { recordedKeys } from '../keys/recorded-keys';
import { signingKeyRoutes } from '../keys/routes';
import { openSigner } from '../keys/signer';
import { tendKeys } from '../keys/tend';

export const keyVariables = {
  /** Of keys that are made from now on. */
  SIGNING_ALGORITHM: orElse(word('ES256', 'EdDSA'), 'ES256'),
  /** Days; 0: only when somebody says so. */
  ROTATE_SIGNING_KEYS_EVERY: orElse(wholeNumber(0, 3_650), 30),
  PLATFORM_TENANT: optional(anyText),
};

type Values = ConfigOf<typeof keyVariables> & { readonly BOOTSTRAP_TENANT: string };

export interface OpenKeys {
  readonly kms: Kms & Signer;
  /** For operators. */
  readonly routes: readonly BoundRoute[];
  readonly check: () => Promise<PartHealth>;
  readonly close: () => Promise<void>;
}

interface KeysDeps extends CommandDeps {
  readonly kms: Kms;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export const openKeys = (values: Values, deps: KeysDeps): OpenKeys => {
  const { kms } = deps;
  const made = { algorithm: values.SIGNING_ALGORITHM, rotateEveryDays: values.ROTATE_SIGNING_KEYS_EVERY };
  const all = { ...deps, ...made, keys: recordedKeys(deps.store), operators: operatorsOf(values) };
  const signer = openSigner(all);
  const tending = tendKeys(all, deps.signal);
  return {
    kms: { ...kms, ...signer },
    routes: signingKeyRoutes(all),
    check: async () => {
      const checked = await signer.check();
      return isLeft(checked) ? { ok: false, detail: checked.left.detail } : { ok: true };
    },
    close: () => tending,
  };
};
