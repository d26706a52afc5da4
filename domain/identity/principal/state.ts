/** State of a principal. */
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import {
  type ApplicationId,
  type CredentialId,
  firstAdmin,
  type IncidentId,
  type PrincipalType,
  type TrustRuleId,
} from '../ids';
import type { Role, Scope } from '../scopes';
import type { PrincipalEvent } from './events';

export interface Credential {
  readonly credentialId: CredentialId;
  readonly secretHash: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly revoked: boolean;
}

export interface RegisteredPrincipal {
  readonly kind: 'registered';
  readonly principalType: PrincipalType;
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'COMPROMISED';
  /** Incidents that made it compromised, since it was last active. */
  readonly incidents: readonly IncidentId[];
  /** Tokens of lower epochs are void. */
  readonly securityEpoch: number;
  /** Grants and refresh tokens of lower epochs are void, after suspension, compromise or revocation. */
  readonly grantsNotBeforeEpoch: number;
  readonly roles: readonly Role[];
  readonly scopes: readonly Scope[];
  readonly credentials: ReadonlyMap<CredentialId, Credential>;
  /** Scopes of every credential so far, less withdrawn ones: a principal is no weaker between two credentials. */
  readonly credentialScopes: readonly Scope[];
  /** Applications that act as the principal, with their maximum scopes. */
  readonly serviceClients: ReadonlyMap<ApplicationId, readonly Scope[]>;
  /** Trust rules whose workloads act as the principal, with their maximum scopes. They have no secret that an epoch would have to end. */
  readonly trustRules: ReadonlyMap<TrustRuleId, readonly Scope[]>;
  /** Whether applications from before principals knew them may still act as it. */
  readonly admitsUnknownClients: boolean;
}

export type PrincipalState = { readonly kind: 'none' } | RegisteredPrincipal;

type Raised = Extract<PrincipalEvent, { type: 'SecurityEpochBumped' }>['data'];

const firstEpoch = 1;

export const isLive = ({ revoked, expiresAt }: Credential, at: Instant): boolean =>
  !revoked && (expiresAt === null || at < expiresAt);

export const liveCredentials = ({ credentials }: RegisteredPrincipal, at: Instant): readonly Credential[] =>
  [...credentials.values()].filter((one) => isLive(one, at));

const withCredential = (state: RegisteredPrincipal, credential: Credential): RegisteredPrincipal => ({
  ...state,
  credentials: new Map(state.credentials).set(credential.credentialId, credential),
});

/** The first admin is an administrator from registration, also in logs from before roles. */
const registered = (principalId: PrincipalId, principalType: PrincipalType): RegisteredPrincipal => ({
  kind: 'registered',
  principalType,
  status: 'ACTIVE',
  incidents: [],
  securityEpoch: firstEpoch,
  grantsNotBeforeEpoch: firstEpoch,
  roles: principalId === firstAdmin ? ['admin'] : [],
  scopes: [],
  credentials: new Map(),
  credentialScopes: [],
  serviceClients: new Map(),
  trustRules: new Map(),
  admitsUnknownClients: true,
});

const union = <Word>(some: readonly Word[], more: readonly Word[]): readonly Word[] => [...new Set([...some, ...more])];
const difference = <Word>(some: readonly Word[], gone: readonly Word[]): readonly Word[] =>
  some.filter((word) => !gone.includes(word));

/** What ends credentials ends what applications may do as the principal, until they are authorized again. */
const withoutServiceClients = (state: RegisteredPrincipal): RegisteredPrincipal => ({
  ...state,
  serviceClients: new Map([...state.serviceClients.keys()].map((id) => [id, []])),
  admitsUnknownClients: false,
});

const withEpoch = (state: RegisteredPrincipal, { to, grants }: Raised): RegisteredPrincipal => ({
  ...withoutServiceClients(state),
  securityEpoch: Math.max(state.securityEpoch, to),
  grantsNotBeforeEpoch: grants === 'ended' ? Math.max(state.grantsNotBeforeEpoch, to) : state.grantsNotBeforeEpoch,
});

const withoutEach = <Id>(scopesById: ReadonlyMap<Id, readonly Scope[]>, withdrawn: readonly Scope[]) =>
  new Map([...scopesById].map(([id, scopes]) => [id, difference(scopes, withdrawn)]));

const withoutScopes = (state: RegisteredPrincipal, withdrawn: readonly Scope[]): RegisteredPrincipal => ({
  ...state,
  scopes: difference(state.scopes, withdrawn),
  credentialScopes: difference(state.credentialScopes, withdrawn),
  serviceClients: withoutEach(state.serviceClients, withdrawn),
  trustRules: withoutEach(state.trustRules, withdrawn),
});

const withCompromise = (state: RegisteredPrincipal, incidentId: IncidentId | null): RegisteredPrincipal => ({
  ...withoutServiceClients(state),
  status: 'COMPROMISED',
  incidents: incidentId === null ? state.incidents : union(state.incidents, [incidentId]),
  grantsNotBeforeEpoch: state.securityEpoch + 1,
});

export const evolve = (state: PrincipalState, event: PrincipalEvent): PrincipalState => {
  if (event.type === 'PrincipalRegistered') return registered(event.data.principalId, event.data.principalType);
  if (state.kind === 'none') return state;
  switch (event.type) {
    case 'PrincipalSuspended':
      return { ...withoutServiceClients(state), status: 'SUSPENDED', grantsNotBeforeEpoch: state.securityEpoch + 1 };
    case 'PrincipalMarkedCompromised':
      return withCompromise(state, event.data.incidentId);
    case 'RolesGranted':
      return { ...state, roles: union(state.roles, event.data.roles) };
    case 'RolesWithdrawn':
      return { ...state, roles: difference(state.roles, event.data.roles) };
    case 'ScopesGranted':
      return { ...state, scopes: union(state.scopes, event.data.scopes) };
    case 'ScopesWithdrawn':
      return withoutScopes(state, event.data.scopes);
    case 'PrincipalRecovered':
    case 'PrincipalReactivated':
      return { ...state, status: 'ACTIVE', incidents: [] };
    case 'AdministratorRecovered':
      return { ...state, status: 'ACTIVE', incidents: [], roles: union(state.roles, ['admin']) };
    case 'SecurityEpochBumped':
      return withEpoch(state, event.data);
    case 'CredentialIssued': {
      const { credentialId, secretHash, scopes, createdAt, expiresAt } = event.data;
      const issued = withCredential(state, { credentialId, secretHash, scopes, createdAt, expiresAt, revoked: false });
      return { ...issued, credentialScopes: union(state.credentialScopes, scopes) };
    }
    case 'CredentialRevoked': {
      const existing = state.credentials.get(event.data.credentialId);
      return existing === undefined ? state : withCredential(state, { ...existing, revoked: true });
    }
    case 'ServiceClientAuthorized': {
      const { applicationId, scopes } = event.data;
      return { ...state, serviceClients: new Map(state.serviceClients).set(applicationId, scopes) };
    }
    case 'TrustRuleAuthorized': {
      const { ruleId, scopes } = event.data;
      return { ...state, trustRules: new Map(state.trustRules).set(ruleId, scopes) };
    }
  }
};
