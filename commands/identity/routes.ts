/** All API routes of the identity commands. The context's manifest binds them to their dependencies. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import type { CommandDeps } from '../kernel/command-spec';
import {
  type ApprovalDeps,
  approveRoute,
  denyRoute,
  issueCapabilityRoute,
  requestApprovalRoute,
  withdrawRoute,
} from './approvals/approval-routes';
import { consumeCapabilityRoute, ofGateway, recordAnswerRoute } from './approvals/gateway-routes';
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
import { createDelegationRoute, type DelegationDeps, revokeDelegationRoute } from './delegations/delegation-routes';
import { setDetectionRuleRoute, setExpectedRuntimeRoute } from './detection/detection-routes';
import { revokeFamilyRoute, revokeGrantRoute } from './grants/grant-routes';
import { drillRoute } from './incidents/drill';
import { closeIncidentRoute, type IncidentDeps, openIncidentRoute } from './incidents/incident-routes';
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
  draftPolicyRoute,
  endShadowRoute,
  enforcePolicyRoute,
  type PolicyDeps,
  shadowPolicyRoute,
  turnOffPolicyRoute,
} from './policy/policy-routes';
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
import {
  changeApiRoute,
  type ProtectedApiDeps,
  registerApiRoute,
  removeApiRoute,
  removeToolRoute,
  setToolRoute,
} from './protected-apis/api-routes';
import { withHeldScopes } from './protected-apis/held-scopes';
import { administratorRecoveryRoute } from './recovery/administrator-recovery';
import { recoverRoute } from './recovery/recover-route';
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
import { exchangeRoute } from './token-exchange/exchange-route';
import {
  changeIssuerRoute,
  endIssuerRoute,
  trustIssuerRoute,
  type WorkloadTrustDeps,
} from './workload-trust/issuer-routes';
import { changeRuleRoute, endRuleRoute, makeRuleRoute } from './workload-trust/rule-routes';
import { testRulesRoute } from './workload-trust/test-route';

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

const delegationRoutes = (deps: DelegationDeps): readonly BoundRoute[] => [
  bind(deps, createDelegationRoute),
  bind(deps, revokeDelegationRoute),
];

export const protectedApiRoutes = (deps: ProtectedApiDeps): readonly BoundRoute[] => [
  bind(deps, registerApiRoute),
  bind(deps, changeApiRoute),
  bind(deps, removeApiRoute),
  bind(deps, setToolRoute),
  bind(deps, removeToolRoute),
];

const approvalRoutes = (deps: ApprovalDeps): readonly BoundRoute[] => [
  bind(deps, requestApprovalRoute),
  bind(deps, approveRoute),
  bind(deps, denyRoute),
  bind(deps, withdrawRoute),
  bind(deps, issueCapabilityRoute),
  bind(deps, ofGateway(consumeCapabilityRoute)),
  bind(deps, ofGateway(recordAnswerRoute)),
];

export const workloadRoutes = (deps: WorkloadTrustDeps): readonly BoundRoute[] => [
  bind(deps, trustIssuerRoute),
  bind(deps, changeIssuerRoute),
  bind(deps, endIssuerRoute),
  bind(deps, makeRuleRoute),
  bind(deps, changeRuleRoute),
  bind(deps, endRuleRoute),
  bind(deps, testRulesRoute),
];

const incidentRoutes = (deps: IncidentDeps): readonly BoundRoute[] => [
  bind(deps, openIncidentRoute),
  bind(deps, closeIncidentRoute),
  bind(deps, drillRoute),
];

const policyRoutes = (deps: PolicyDeps): readonly BoundRoute[] => [
  bind(deps, draftPolicyRoute),
  bind(deps, shadowPolicyRoute),
  bind(deps, endShadowRoute),
  bind(deps, enforcePolicyRoute),
  bind(deps, turnOffPolicyRoute),
];

type AllDeps = IncidentDeps & BootstrapDeps & TenantDeps & TokenDeps & AuthorizationDeps & OptionalRegistrationDeps;

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
  bind(deps, administratorRecoveryRoute),
  bind(deps, credentialPolicyRoute),
  ...clientRoutes(deps),
  bind(deps, registerTenantRoute),
  ...registrationRoutes(deps),
  ...grantRoutes(deps),
  ...delegationRoutes(deps),
  ...incidentRoutes(deps),
  ...approvalRoutes(deps),
  ...authorizationRoutes(deps),
  ...protectedApiRoutes(deps),
  ...workloadRoutes(deps),
  bind(deps, setDetectionRuleRoute),
  bind(deps, setExpectedRuntimeRoute),
  ...policyRoutes(deps),
  bind(deps, tokenRoute),
  bind(deps, exchangeRoute),
  bind(deps, recoverRoute),
  bind(deps, jwksRoute),
];

export const identityRoutes = (deps: IdentityDeps): readonly BoundRoute[] => {
  const routes = routesOf({ ...deps, issuances: openIssuanceLog(deps.store) });
  return [...routes, ...discoveryRoutes(deps, routes)].map((route) => withHeldScopes(deps, route));
};

/** Routes of platform operators, bound separately because they need the keystore. */

export const signingKeyRoutes = (deps: SigningKeyRouteDeps): readonly BoundRoute[] => [
  bind(deps, rotateKeysRoute),
  bind(deps, revokeKeyRoute),
  bind(deps, retireKeyRoute),
];

/** Pages and routes about people. */
export const peopleRoutes = (deps: SignInDeps): readonly BoundRoute[] =>
  [
    ...loginPageRoutes(deps),
    ...accountPageRoutes(deps),
    bind(deps, registerPersonRoute),
    bind(deps, enrolPersonRoute),
    bind(deps, removeTotpRoute),
    bind(deps, removePasskeyRoute),
    bind(deps, signInPolicyRoute),
    bind(deps, endSessionRoute),
    bind(deps, endSessionsRoute),
  ].map((route) => withHeldScopes(deps, route));
