/** Everything this context answers on the write side. */
import { type BoundRoute, bind } from '../../infra/http/route';
import { type AuthorizationDeps, authorizationRoutes } from './authorize/routes';
import { clientRoutes } from './clients/routes';
import { discoveryRoutes } from './discovery/discovery';
import { grantRoutes } from './grants/routes';
import { jwksRoute } from './keys/keys';
import { grantRolesRoute, grantScopesRoute, withdrawRolesRoute, withdrawScopesRoute } from './principals/authority';
import { type BootstrapDeps, bootstrapRoute } from './principals/bootstrap';
import { issueCredentialRoute, revokeCredentialRoute } from './principals/credential';
import { credentialPolicyRoute } from './principals/credential-policy';
import { bumpEpochRoute, compromiseRoute, reactivateRoute, registerRoute, suspendRoute } from './principals/principal';
import { registrationRoutes, type SwitchedRegistration } from './registration/register';
import { openIssuanceLog } from './token/record-issuance';
import { type TokenDeps, tokenRoute } from './token/token';

type AllDeps = BootstrapDeps & TokenDeps & AuthorizationDeps & SwitchedRegistration;

export type IdentityDeps = Omit<AllDeps, 'issuances'>;

const routesOf = (deps: AllDeps): readonly BoundRoute[] => [
  bind(deps, bootstrapRoute),
  bind(deps, registerRoute),
  bind(deps, suspendRoute),
  bind(deps, reactivateRoute),
  bind(deps, compromiseRoute),
  bind(deps, bumpEpochRoute),
  bind(deps, grantRolesRoute),
  bind(deps, withdrawRolesRoute),
  bind(deps, grantScopesRoute),
  bind(deps, withdrawScopesRoute),
  bind(deps, issueCredentialRoute),
  bind(deps, revokeCredentialRoute),
  bind(deps, credentialPolicyRoute),
  ...clientRoutes(deps),
  ...registrationRoutes(deps),
  ...grantRoutes(deps),
  ...authorizationRoutes(deps),
  bind(deps, tokenRoute),
  bind(deps, jwksRoute),
];

export const identityRoutes = (deps: IdentityDeps): readonly BoundRoute[] => {
  const routes = routesOf({ ...deps, issuances: openIssuanceLog(deps.store) });
  return [...routes, ...discoveryRoutes(deps, routes)];
};
