/** All API routes of the identity commands. The context's manifest binds them to their dependencies. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import type { CommandDeps } from '../kernel/command-spec';
import {
  changeClientRoute,
  disableClientRoute,
  enableClientRoute,
  type RegistryDeps,
  registerClientRoute,
} from './clients/client-routes';
import { registrationPolicyRoute } from './clients/registration-policy-route';
import { type ClientSecretDeps, issueClientSecretRoute, revokeClientSecretRoute } from './clients/secret-routes';
import { type ApplicationsDeps, applicationsPageRoute, revokeConsentRoute } from './consent/applications-page';
import { consentPageRoute, consentRoute } from './consent/consent-page';
import { revokeFamilyRoute, revokeGrantRoute } from './grants/grant-routes';
import { type AuthorizeDeps, authorizeByFormRoute, authorizeRoute } from './oauth/authorization/authorization-endpoint';
import { type ParDeps, parRoute } from './oauth/authorization/par-endpoint';
import { type OptionalRegistrationDeps, registrationRoutes } from './oauth/client-registration/registration-endpoint';
import { type DeviceDeps, deviceAuthorizationRoute } from './oauth/device-authorization/device-authorization-endpoint';
import { type DevicePageDeps, devicePageRoute, deviceRoute } from './oauth/device-authorization/verification-endpoint';
import { discoveryRoutes, jwksRoute } from './oauth/discovery-endpoints';
import { type IntrospectDeps, introspectRoute } from './oauth/issued-tokens/introspection-endpoint';
import { type RevokeTokenDeps, revokeTokenRoute } from './oauth/issued-tokens/revocation-endpoint';
import { type UserinfoDeps, userinfoByPostRoute, userinfoRoute } from './oauth/issued-tokens/userinfo-endpoint';
import { openIssuanceLog } from './oauth/token/issuance-log';
import { type TokenDeps, tokenRoute } from './oauth/token/token-endpoint';
import { accountPageRoutes, loginPageRoutes } from './page-routes';
import { removePasskeyRoute, removeTotpRoute } from './people/authenticator-routes';
import { enrolPersonRoute, registerPersonRoute } from './people/person-routes';
import { signInPolicyRoute } from './people/sign-in-policy-route';
import {
  grantRolesRoute,
  grantScopesRoute,
  withdrawRolesRoute,
  withdrawScopesRoute,
} from './principals/authority-routes';
import { type BootstrapDeps, bootstrapRoute } from './principals/bootstrap';
import { credentialPolicyRoute } from './principals/credential-policy-route';
import { issueCredentialRoute, revokeCredentialRoute } from './principals/credential-routes';
import { labelRoute } from './principals/label-route';
import { bumpEpochRoute, compromiseRoute, reactivateRoute, suspendRoute } from './principals/principal-routes';
import { registerRoute } from './principals/register-route';
import { type LogoutDeps, logoutByFormRoute, logoutRoute } from './sessions/end-session-endpoint';
import { endSessionRoute, endSessionsRoute } from './sessions/session-routes';
import type { SignInDeps } from './sign-in/dependencies';
import {
  retireKeyRoute,
  revokeKeyRoute,
  rotateKeysRoute,
  type SigningKeyRouteDeps,
} from './signing-keys/signing-key-routes';
import { registerTenantRoute, type TenantDeps } from './tenants/tenant-routes';

export type AuthorizationDeps = AuthorizeDeps & ParDeps & DeviceDeps & DevicePageDeps & ApplicationsDeps;

export const authorizationRoutes = (deps: AuthorizationDeps): readonly BoundRoute[] => [
  bind(deps, authorizeRoute),
  bind(deps, authorizeByFormRoute),
  bind(deps, consentPageRoute),
  bind(deps, consentRoute),
  bind(deps, parRoute),
  bind(deps, deviceAuthorizationRoute),
  bind(deps, devicePageRoute),
  bind(deps, deviceRoute),
  bind(deps, applicationsPageRoute),
  bind(deps, revokeConsentRoute),
];

export type ClientsDeps = RegistryDeps & ClientSecretDeps;

const clientRoutes = (deps: ClientsDeps): readonly BoundRoute[] => [
  bind(deps, registerClientRoute),
  bind(deps, changeClientRoute),
  bind(deps, disableClientRoute),
  bind(deps, enableClientRoute),
  bind(deps, issueClientSecretRoute),
  bind(deps, revokeClientSecretRoute),
  bind(deps, registrationPolicyRoute),
];

export type GrantRouteDeps = CommandDeps & IntrospectDeps & RevokeTokenDeps & UserinfoDeps & LogoutDeps;

export const grantRoutes = (deps: GrantRouteDeps): readonly BoundRoute[] => [
  bind(deps, revokeGrantRoute),
  bind(deps, revokeFamilyRoute),
  bind(deps, revokeTokenRoute),
  bind(deps, introspectRoute),
  bind(deps, userinfoRoute),
  bind(deps, userinfoByPostRoute),
  bind(deps, logoutRoute),
  bind(deps, logoutByFormRoute),
];

type AllDeps = BootstrapDeps & TenantDeps & TokenDeps & AuthorizationDeps & OptionalRegistrationDeps;

export type IdentityDeps = Omit<AllDeps, 'issuances'>;

const routesOf = (deps: AllDeps): readonly BoundRoute[] => [
  bind(deps, bootstrapRoute),
  bind(deps, registerRoute),
  bind(deps, labelRoute),
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
  bind(deps, registerTenantRoute),
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

/** Routes of platform operators, bound separately because they need the keystore. */

export const signingKeyRoutes = (deps: SigningKeyRouteDeps): readonly BoundRoute[] => [
  bind(deps, rotateKeysRoute),
  bind(deps, revokeKeyRoute),
  bind(deps, retireKeyRoute),
];

/** Pages and routes about people. */
export const peopleRoutes = (deps: SignInDeps): readonly BoundRoute[] => [
  ...loginPageRoutes(deps),
  ...accountPageRoutes(deps),
  bind(deps, registerPersonRoute),
  bind(deps, enrolPersonRoute),
  bind(deps, removeTotpRoute),
  bind(deps, removePasskeyRoute),
  bind(deps, signInPolicyRoute),
  bind(deps, endSessionRoute),
  bind(deps, endSessionsRoute),
];
