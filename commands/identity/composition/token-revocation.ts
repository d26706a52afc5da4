/** Binds POST /v1/tokens/revoke, which also revokes signing keys. */

import { type BoundRoute, bind } from '../../../infra/http/routing/route';
import { operatorsOf } from '../../../infra/runtime/config';
import { type RevokeDeps, revokeTokensRoute } from '../revocation/revoke-tokens-route';
import type { SigningKeyServices } from './signing-keys';

interface RevocationConfig {
  readonly ISSUER: string;
  readonly PLATFORM_TENANT?: string;
  readonly BOOTSTRAP_TENANT: string;
}

type RevocationDeps = Omit<RevokeDeps, 'operators' | 'revokeSigningKey' | 'issuer'>;

export const openRevocationRoutes = (
  values: RevocationConfig,
  shared: RevocationDeps,
  { routes }: SigningKeyServices,
): readonly BoundRoute[] => {
  const revokeKey = routes.find(({ operation }) => operation === 'revokeSigningKey');
  if (revokeKey === undefined) throw new Error('there is no route that revokes signing keys');
  const deps = { ...shared, issuer: values.ISSUER, operators: operatorsOf(values) };
  return [bind({ ...deps, revokeSigningKey: revokeKey.handle }, revokeTokensRoute)];
};
