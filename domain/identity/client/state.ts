/** State of a client, and the not-before time after disabling. */
import type { Instant } from '../../kernel/codec';
import type { ApplicationId, CredentialId } from '../ids';
import { skewSeconds } from '../tenant-security/decider';
import type { ClientDescription, ClientEvent, ClientMetadata } from './events';

export interface ClientSecret {
  readonly credentialId: CredentialId;
  readonly secretHash: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly revoked: boolean;
}

export interface Application extends ClientMetadata {
  readonly kind: 'registered';
  readonly applicationId: ApplicationId;
  readonly enabled: boolean;
  readonly secrets: ReadonlyMap<CredentialId, ClientSecret>;
  /** Consents of lower epochs are void. */
  readonly consentEpoch: number;
  /** Codes, device approvals and grants of lower epochs are void. */
  readonly grantEpoch: number;
  /** When consents were last voided; null: never. */
  readonly voidedAt: Instant | null;
  /** Absent: an administrator registered it. */
  readonly registeredItself?: { readonly metadataUrl: string | null };
}

type ClientEpochs = Pick<Application, 'consentEpoch' | 'grantEpoch'>;

/** Grants from before epochs were recorded have none: they end with consents. */
export const isGrantVoid = ({ consentEpoch, grantEpoch }: ClientEpochs, epoch: number | null): boolean =>
  epoch === null ? consentEpoch > 0 : epoch < grantEpoch;

export const describeClient = ({ name, redirectUris, authentication }: ClientDescription): ClientDescription => ({
  name,
  redirectUris: [...redirectUris],
  authentication,
});

/** Built-in clients have no registration but can be disabled. */
export type ClientState =
  | { readonly kind: 'none'; readonly enabled: boolean; readonly grantEpoch: number }
  | Application;

export const isLiveSecret = ({ revoked, expiresAt }: ClientSecret, at: Instant): boolean =>
  !revoked && (expiresAt === null || at < expiresAt);

/** Confidential client: it can keep a secret or key. */
export const isConfidential = ({ authentication }: Pick<ClientMetadata, 'authentication'>): boolean =>
  authentication !== 'none';

/** Whether its requests may come without PKCE (RFC 9700 section 2.1.1). */
export const waivesPkce = ({ authentication, pkce }: Pick<ClientMetadata, 'authentication' | 'pkce'>) =>
  pkce === 'optional' && isConfidential({ authentication });

const withSecret = (state: Application, secret: ClientSecret): Application => ({
  ...state,
  secrets: new Map(state.secrets).set(secret.credentialId, secret),
});

type SecretEvent = Extract<ClientEvent, { type: 'ClientSecretIssued' | 'ClientSecretRevoked' }>;

const secretEvolved = (state: Application, event: SecretEvent): Application => {
  if (event.type === 'ClientSecretIssued') {
    const { credentialId, secretHash, createdAt, expiresAt } = event.data;
    return withSecret(state, { credentialId, secretHash, createdAt, expiresAt, revoked: false });
  }
  const existing = state.secrets.get(event.data.credentialId);
  return existing === undefined ? state : withSecret(state, { ...existing, revoked: true });
};

/** Of a client whose consents were never voided. */
export const firstEpochs = { consentEpoch: 0, grantEpoch: 0, voidedAt: null };

export const evolve = (state: ClientState, event: ClientEvent): ClientState => {
  switch (event.type) {
    case 'ClientRegistered': {
      const { tenantId: _tenant, createdAt: _at, ...metadata } = event.data;
      return { kind: 'registered', enabled: true, secrets: new Map(), ...firstEpochs, ...metadata };
    }
    case 'ClientLoosened':
      return state;
    case 'ClientRegisteredItself':
      return state.kind === 'none' ? state : { ...state, registeredItself: { metadataUrl: event.data.metadataUrl } };
    case 'ClientChanged':
      return state.kind === 'none' ? state : { ...state, ...event.data };
    case 'ClientGrantsVoided':
      return state.kind === 'none'
        ? state
        : {
            ...state,
            consentEpoch: state.consentEpoch + 1,
            grantEpoch: state.grantEpoch + 1,
            voidedAt: event.data.at,
          };
    case 'ClientSecretIssued':
    case 'ClientSecretRevoked':
      return state.kind === 'none' ? state : secretEvolved(state, event);
    case 'ClientDisabled':
      return { ...state, enabled: false, grantEpoch: state.grantEpoch + 1 };
    case 'ClientEnabled':
      return { ...state, enabled: true };
  }
};

/** Earliest valid `iat`: enabling a client does not revive its earlier tokens. Milliseconds since 1970. */
export const notBeforeOfDisabled = (disabledAt: number): number => disabledAt + skewSeconds * 1000;

/**
 * Earliest valid `iat` once grants were voided. `iat` is whole seconds, so tokens of the same second are void; later ones of that second are dated
 * to the next. Milliseconds since 1970.
 */
export const notBeforeOfVoided = (voidedAt: number): number => Math.ceil(voidedAt / 1000) * 1000;
