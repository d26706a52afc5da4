/** The keys that services and a gateway of tests know each other by. */
import { generateKeyPairSync } from 'node:crypto';
import { type Assertable, type CallerKeys, openCallerKeys } from '../../infra/http/caller-keys';
import { type CallerSigner, openCallerSigner } from '../../infra/http/caller-signer';
import { publicJwkOf } from '../../infra/kms/public-jwk';
import { limiterPrincipal } from '../../infra/ratelimit/service/usage-ledger';

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A new key pair, as operators give its halves. */
export const newInternalKey = (holder: string, asserts: Assertable) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicJwkOf(publicKey);
  if (jwk?.kty !== 'EC') throw new Error('The key is of another kind.');
  return {
    jwk: { ...jwk, holder, asserts },
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim(),
  };
};
export type InternalKey = ReturnType<typeof newInternalKey>;

export const jwksText = (...keys: readonly InternalKey[]): string =>
  JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });
export const callerKeysFrom = (...keys: readonly InternalKey[]): CallerKeys =>
  openCallerKeys({ text: jwksText(...keys), log });
export const signerWith = ({ pem }: InternalKey): CallerSigner => openCallerSigner({ text: pem, log });

export const gatewayKey = newInternalKey('gateway', 'everybody');
export const limiterKey = newInternalKey('ratelimit', limiterPrincipal);

/** Signs as the gateway does. */
export const signer = signerWith(gatewayKey);
export const callerKeys = callerKeysFrom(gatewayKey, limiterKey);

/** Of every service. */
export const serviceVariables = { INTERNAL_KEYS: jwksText(gatewayKey, limiterKey) };
/** Of the command API. */
export const commandsVariables = { ...serviceVariables, DPOP_NONCE_KEY: 'n'.repeat(43) };
export const limiterVariables = { ...serviceVariables, INTERNAL_SIGNING_KEY: limiterKey.pem };
export const gatewayVariables = {
  ...commandsVariables,
  INTERNAL_SIGNING_KEY: gatewayKey.pem,
  SESSION_KEY: 's'.repeat(43),
};
