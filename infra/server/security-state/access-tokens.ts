/** Verifies access tokens in a service, by the signing keys and revocations of the log. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { signingKey } from '../../../domain/identity/signing-keys/decider';
import { signingKeysStream } from '../../../domain/identity/signing-keys/events';
import { acceptedAt } from '../../../domain/identity/signing-keys/lifetimes';
import type { Instant } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import {
  checkAccess,
  createHeaderCache,
  createJwksCache,
  createVerifiedTokenCache,
  type RevocationChecker,
} from '../../../packages/resource-server/src/verification/index';
import type { EventStore } from '../../ports/event-store';
import type { AccessTokens } from '../../ports/identity/access-tokens';
import type { Log } from '../../ports/runtime/log';
import { loadAggregate } from '../aggregates/load-aggregate';

export interface AccessTokenSources {
  readonly store: Pick<EventStore, 'read'>;
  readonly revocations: RevocationChecker;
  readonly issuer: string;
  readonly audience: string;
  readonly log: Log;
}

const algorithms: { readonly [keyType: string]: string } = { EC: 'ES256', OKP: 'EdDSA' };

/** As `/oauth/jwks` publishes them. */
const readKeys = async (store: AccessTokenSources['store']): Promise<Either<string, unknown>> => {
  const loaded = await loadAggregate({ store, cache: undefined }, signingKey, signingKeysStream);
  if (isLeft(loaded)) return left(loaded.left.detail);
  const accepted = acceptedAt(loaded.right.state, new Date().toISOString() as Instant);
  return right({
    keys: accepted.map(({ kid, publicKey }) => ({
      ...publicKey,
      kid,
      use: 'sig',
      alg: algorithms[publicKey.kty],
    })),
  });
};

export const openAccessTokens = ({ store, revocations, issuer, audience, log }: AccessTokenSources): AccessTokens => {
  const keys = createJwksCache({ fetch: () => readKeys(store), log, now: () => performance.now() });
  const rules = {
    keys,
    verifiedTokens: createVerifiedTokenCache(),
    headers: createHeaderCache(),
    revocations,
    issuer,
    audience,
    now: Date.now,
  };
  return {
    verify: async (token) => {
      const credentials = { authorization: `Bearer ${token}`, method: 'GET', url: issuer };
      const access = await checkAccess(rules, { credentials, required: [] });
      if (isLeft(access)) return left(access.left.status === 503 ? 'unavailable' : 'invalid');
      const { tenant_id: tenantId, sub: principalId, scopes } = access.right.claims;
      if (!TenantId.is(tenantId) || !PrincipalId.is(principalId)) return left('invalid');
      return right({ tenantId, principalId, scopes });
    },
  };
};
