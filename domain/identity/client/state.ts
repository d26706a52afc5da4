/** State of a client, and the not-before time after disabling. */
import type { Instant } from '../../kernel/codec';
import type { ApplicationId, CredentialId } from '../ids';
import { skewSeconds } from '../tenant-security/decider';
import type { ClientEvent, ClientMetadata } from './events';

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
}

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
      return { kind: 'registered', enabled: true, secrets: new Map(), ...metadata };
    }
    case 'ClientChanged':
      return state.kind === 'none' ? state : { ...state, ...event.data };
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
