/** Identity on the write side: principals, sign-in, grants and tokens, and the keys that tokens are signed with. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as t from 'io-ts';
import { text } from '../../domain/kernel/codec';
import { TenantId } from '../../domain/kernel/ids';
import { bind } from '../../infra/server/http/routing/route';
import {
  type ConfigOf,
  list,
  oneOfWords,
  operatorsOf,
  optional,
  variables,
  withDefault,
} from '../../infra/server/runtime/config';
import { commandContext } from '../kernel/context';
import { openMetadataDocuments } from './composition/metadata-documents';
import { openReplayProtection } from './composition/replay-protection';
import { openSignIn } from './composition/sign-in';
import { keyVariables, openSigningKeys } from './composition/signing-keys';
import { revocationDeps } from './composition/token-revocation';
import { revokeTokensRoute } from './revocation/revoke-tokens-route';
import { identityRoutes, peopleRoutes, signingKeyRoutes } from './routes';

const tenantId = new t.Type<TenantId, TenantId, unknown>('a tenant id', TenantId.is, TenantId.validate, t.identity);

const config = {
  /** Shared replay cache; without it, single use holds per process only. */
  REDIS_URL: optional(variables.REDIS_URL),
  /** Whether client JWKS and identity providers may have private addresses. */
  PRIVATE_ADDRESSES: withDefault(oneOfWords('refuse', 'allow'), 'refuse'),
  /** `token`: registration requires an access token; `open`: it does not. */
  DYNAMIC_REGISTRATION: withDefault(oneOfWords('off', 'token', 'open'), 'off'),
  /** Tenant of clients registered without a token, and of those whose id is a URL; default: the tenant of the first admin. */
  REGISTRATION_TENANT: optional(tenantId),
  DPOP_NONCE_KEY: variables.DPOP_NONCE_KEY,
  ...keyVariables,
  ISSUER: variables.ISSUER,
  /** Audiences of tokens; the first is the default. */
  AUDIENCES: withDefault(list, ['septet']),
  /** Without it, POST /v1/bootstrap is off. */
  BOOTSTRAP_CODE: optional(text('a code of 16 to 200 characters', { minLength: 16, maxLength: 200 })),
  BOOTSTRAP_TENANT: withDefault(tenantId, 'main' as TenantId),
};

const registrationOf = (values: ConfigOf<typeof config>) => {
  const { DYNAMIC_REGISTRATION: mode, REGISTRATION_TENANT: tenant = values.BOOTSTRAP_TENANT } = values;
  return mode === 'off' ? {} : { registration: { mode, tenantId: tenant } };
};

export const context = commandContext({
  config,
  open: (values, adapters) => {
    const proofs = openReplayProtection(values);
    const people = openSignIn(values, adapters.log);
    const keys = openSigningKeys(values, adapters);
    const shared = { ...adapters, kms: keys.kms };
    const ofPeople = {
      ...shared,
      ...people.deps,
      recordsAddresses: adapters.vault !== undefined,
      pause: (milliseconds: number) => sleep(milliseconds),
      operators: operatorsOf(values),
      firstSignIn: { code: values.BOOTSTRAP_CODE, tenantId: values.BOOTSTRAP_TENANT },
    };
    const ofTokens = {
      issuer: values.ISSUER,
      audiences: values.AUDIENCES,
      accessTokenAlgorithm: values.SIGNING_ALGORITHM,
      metadataDocuments: openMetadataDocuments(values),
      ...proofs.deps,
      ...registrationOf(values),
    };
    return {
      deps: {
        identity: { ...ofPeople, ...ofTokens },
        people: ofPeople,
        signingKeys: keys.deps,
        revocation: revocationDeps(values, shared, keys),
      },
      health: async () => ({ 'signing-keys': await keys.check() }),
      close: () => Promise.all([keys.close(), proofs.close(), people.close()]),
    };
  },
  routes: ({ identity, people, signingKeys, revocation }) => [
    ...identityRoutes(identity),
    ...peopleRoutes(people),
    ...signingKeyRoutes(signingKeys),
    bind(revocation, revokeTokensRoute),
  ],
});
