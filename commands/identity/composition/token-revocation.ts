/** What POST /v1/tokens/revoke needs, which also revokes signing keys. */

import { bind } from '../../../infra/server/http/routing/route';
import { operatorsOf } from '../../../infra/server/runtime/config';
import type { RevokeDeps } from '../revocation/revoke-tokens-route';
import { revokeKeyRoute } from '../signing-keys/signing-key-routes';
import type { SigningKeyServices } from './signing-keys';

interface RevocationConfig {
  readonly ISSUER: string;
  readonly PLATFORM_TENANT?: string;
  readonly BOOTSTRAP_TENANT: string;
}

type RevocationDeps = Omit<RevokeDeps, 'operators' | 'revokeSigningKey' | 'issuer'>;

export const revocationDeps = (
  values: RevocationConfig,
  shared: RevocationDeps,
  { deps }: SigningKeyServices,
): RevokeDeps => ({
  ...shared,
  issuer: values.ISSUER,
  operators: operatorsOf(values),
  revokeSigningKey: (request) => bind(deps, revokeKeyRoute).handle(request),
});
