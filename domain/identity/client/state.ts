/** State of a client, and the not-before time after disabling. */
import type { Instant } from '../../kernel/codec';
import type { ApplicationId, CredentialId } from '../ids';
import { skewSeconds } from '../tenant-security/decider';
import type { ClientEvent, ClientMetadata, FormerClient } from './events';

export interface ClientSecret {
  readonly credentialId: CredentialId;
  readonly secretHash: string;
  readonly expiresAt: Instant | null;
  readonly revoked: boolean;
}

export interface Application extends ClientMetadata {
  readonly kind: 'registered';
  readonly applicationId: ApplicationId;
  readonly enabled: boolean;
  readonly secrets: ReadonlyMap<CredentialId, ClientSecret>;
  /** The latest times before which consents and grants are void, oldest first, with the client as it was. */
  readonly voidings: readonly GrantsVoiding[];
}

export interface GrantsVoiding {
  readonly at: Instant;
  readonly was: FormerClient;
}

/** Older ones only matter to a page that says what changed. */
const maxVoidings = 20;

/** Consents and grants from before this time are void; null: none are. */
export const grantsNotBefore = ({ voidings }: Pick<Application, 'voidings'>): Instant | null =>
  voidings.at(-1)?.at ?? null;

/** Whether what a person approved at that time is void by now. */
export const isApprovalVoid = (application: Pick<Application, 'voidings'>, approvedAt: Instant): boolean => {
  const floor = grantsNotBefore(application);
  return floor !== null && approvedAt < floor;
};

/** The client as the person knew it at that time; undefined: what was approved then is not void. */
export const clientAsApproved = (
  { voidings }: Pick<Application, 'voidings'>,
  approvedAt: Instant,
): FormerClient | undefined => voidings.find(({ at }) => approvedAt < at)?.was;

/** Built-in clients have no registration but can be disabled. */
export type ClientState = { readonly kind: 'none'; readonly enabled: boolean } | Application;

export const isLiveSecret = ({ revoked, expiresAt }: ClientSecret, at: Instant): boolean =>
  !revoked && (expiresAt === null || at < expiresAt);

/** Confidential client: it can keep a secret or key. */
export const isConfidential = ({ authentication }: Pick<ClientMetadata, 'authentication'>): boolean =>
  authentication !== 'none';

const withSecret = (state: Application, secret: ClientSecret): Application => ({
  ...state,
  secrets: new Map(state.secrets).set(secret.credentialId, secret),
});

type SecretEvent = Extract<ClientEvent, { type: 'ClientSecretIssued' | 'ClientSecretRevoked' }>;

const secretEvolved = (state: Application, event: SecretEvent): Application => {
  if (event.type === 'ClientSecretIssued') {
    const { credentialId, secretHash, expiresAt } = event.data;
    return withSecret(state, { credentialId, secretHash, expiresAt, revoked: false });
  }
  const existing = state.secrets.get(event.data.credentialId);
  return existing === undefined ? state : withSecret(state, { ...existing, revoked: true });
};

export const evolve = (state: ClientState, event: ClientEvent): ClientState => {
  switch (event.type) {
    case 'ClientRegistered': {
      const { tenantId: _tenant, createdAt: _at, ...metadata } = event.data;
      return { kind: 'registered', enabled: true, secrets: new Map(), voidings: [], ...metadata };
    }
    case 'ClientChanged':
      return state.kind === 'none' ? state : { ...state, ...event.data };
    case 'ClientGrantsVoided': {
      if (state.kind === 'none') return state;
      const { at, was } = event.data;
      return { ...state, voidings: [...state.voidings, { at, was }].slice(-maxVoidings) };
    }
    case 'ClientSecretIssued':
    case 'ClientSecretRevoked':
      return state.kind === 'none' ? state : secretEvolved(state, event);
    case 'ClientDisabled':
      return { ...state, enabled: false };
    case 'ClientEnabled':
      return { ...state, enabled: true };
  }
};

/** Earliest valid `iat`: enabling a client does not revive its earlier tokens. Milliseconds since 1970. */
export const notBeforeOfDisabled = (disabledAt: number): number => disabledAt + skewSeconds * 1000;

/**
 * Earliest valid `iat` once grants were voided. Rounded down to the second of `iat`, so that a sign-in right after the change gets a valid
 * token. Milliseconds since 1970.
 */
export const notBeforeOfVoided = (voidedAt: number): number => Math.floor(voidedAt / 1000) * 1000;
