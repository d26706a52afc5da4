/** The keys that services and a gateway of tests know each other by. */
import { createECDH, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { publicJwkOf } from '../../../infra/adapters/kms/signing-key';
import { limiterPrincipal } from '../../../infra/ratelimit/service/quota-usage-client';
import { type Assertable, type CallerKeys, openCallerKeys } from '../../../infra/server/http/identity/caller-keys';
import { openMacSigner, withMacKey } from '../../../infra/server/http/identity/caller-mac';
import { type CallerSigner, openCallerSigner } from '../../../infra/server/http/identity/caller-signer';

const ignore = (): void => undefined;
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore, audit: ignore };

const halvesOf = (privateKey: KeyObject, holder: string, asserts: Assertable) => {
  const jwk = publicJwkOf(createPublicKey(privateKey));
  if (jwk?.kty !== 'EC') throw new Error('The key is of another kind.');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim();
  return { jwk: { ...jwk, holder, asserts }, pem };
};

/** A new key pair, as operators give its halves. */
export const newInternalKey = (holder: string, asserts: Assertable) =>
  halvesOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, holder, asserts);

/** The same in every process of a test. */
const fixedInternalKey = (number: number, holder: string, asserts: Assertable) => {
  const curve = createECDH('prime256v1');
  const secret = Buffer.alloc(32, number);
  curve.setPrivateKey(secret);
  const point = curve.getPublicKey();
  const [d, x, y] = [secret, point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const key = { kty: 'EC', crv: 'P-256', d, x, y };
  return halvesOf(createPrivateKey({ key, format: 'jwk' }), holder, asserts);
};

export type InternalKey = ReturnType<typeof newInternalKey>;

export const jwksText = (...keys: readonly InternalKey[]): string =>
  JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });
export const callerKeysFrom = (...keys: readonly InternalKey[]): CallerKeys =>
  openCallerKeys({ text: jwksText(...keys), log });
export const signerWith = ({ pem }: InternalKey): CallerSigner => openCallerSigner({ text: pem, log });

export const gatewayKey = fixedInternalKey(1, 'gateway', 'everybody');
export const limiterKey = fixedInternalKey(2, 'ratelimit', limiterPrincipal);

/** Signs as the gateway does. */
export const signer = signerWith(gatewayKey);
/** As a gateway knows others. */
export const signatures = callerKeysFrom(gatewayKey, limiterKey);

const INTERNAL_MAC_KEY = `signs ${Buffer.alloc(32, 3).toString('base64url')}`;

/** As a service has them; a gateway knows signatures only. */
export const callerKeys = withMacKey(signatures, { text: INTERNAL_MAC_KEY, log });
/** As the gateway has it for each service; in tests all share one key. */
export const macSigner = openMacSigner({ text: INTERNAL_MAC_KEY, log });

/** Of every service. */
export const serviceVariables = {
  INTERNAL_KEYS: jwksText(gatewayKey, limiterKey),
  INTERNAL_MAC_KEY,
  VIEW_KEY: 'v'.repeat(43),
};
/** Of the editor. */
export const editorVariables = { ...serviceVariables, EDITOR_CLIENT_KEY: 'e'.repeat(43) };
/** Of the command API. */
export const commandsVariables = { ...serviceVariables, DPOP_NONCE_KEY: 'n'.repeat(43) };
export const limiterVariables = { ...serviceVariables, INTERNAL_SIGNING_KEY: limiterKey.pem };
export const gatewayVariables = {
  ...commandsVariables,
  INTERNAL_SIGNING_KEY: gatewayKey.pem,
  SESSION_KEY: 's'.repeat(43),
};
