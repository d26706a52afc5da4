/** Secrets of clients. Several may be valid at once, for rotation. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import { type Rejection, reject } from '../../kernel/rejection';
import type { ApplicationId, CredentialId } from '../ids';
import type { ClientEvent, ClientMetadata } from './events';
import { checkAuthorityOver } from './metadata-rules';
import { type Application, isLiveSecret } from './state';

export interface IssueClientSecret {
  readonly type: 'IssueClientSecret';
  readonly applicationId: ApplicationId;
  readonly credentialId: CredentialId;
  readonly secretHash: string;
  readonly expiresAt: Instant | null;
  readonly grantable: readonly string[];
  readonly at: Instant;
}

export interface RevokeClientSecret {
  readonly type: 'RevokeClientSecret';
  readonly applicationId: ApplicationId;
  readonly credentialId: CredentialId;
  readonly reason: string;
}

export type SecretRejection =
  | 'client-disabled'
  | 'client-has-no-secrets'
  | 'client-secret-differs'
  | 'client-secret-unknown'
  | 'scope-not-held'
  | 'too-many-client-secrets';

type Decision = Either<Rejection<SecretRejection>, readonly ClientEvent[]>;

const maxLiveSecrets = 10;

export const usesSecrets = ({ authentication }: Pick<ClientMetadata, 'authentication'>): boolean =>
  authentication === 'client_secret_basic' || authentication === 'client_secret_post';

/** Libraries choose the header or the form by themselves, so a secret counts in both, unless the client is held to one. */
export const acceptsSecretBy = (
  { authentication, exactAuthentication }: Pick<ClientMetadata, 'authentication' | 'exactAuthentication'>,
  method: ClientMetadata['authentication'],
): boolean => authentication === method || (!exactAuthentication && usesSecrets({ authentication }));

/** Revokes all secrets of a client that stops using them, so that they stay void if it changes back. */
export const revokeAllSecrets = ({ applicationId, secrets }: Application): readonly ClientEvent[] =>
  [...secrets.values()]
    .filter(({ revoked }) => !revoked)
    .map(({ credentialId }) => ({
      type: 'ClientSecretRevoked',
      data: {
        applicationId,
        credentialId,
        reason: 'The client now authenticates in another way, or acts as another principal.',
      },
    }));

export const issueSecret = (command: IssueClientSecret, state: Application): Decision => {
  const { applicationId, credentialId, secretHash, expiresAt, at } = command;
  const secret = state.secrets.get(credentialId);
  if (secret !== undefined)
    return secret.secretHash === secretHash
      ? right([])
      : reject('client-secret-differs', 'A secret with this id exists with another value.');
  if (!state.enabled) return reject('client-disabled', 'A disabled client gets no secret.');
  if (!usesSecrets(state)) return reject('client-has-no-secrets', 'The client does not authenticate with a secret.');
  const lacking = checkAuthorityOver(state, command);
  if (lacking !== undefined)
    return reject(
      'scope-not-held',
      'It takes every scope that the client may have, credentials:write where it acts as a principal, and platform:write where it is first-party.',
    );
  if ([...state.secrets.values()].filter((one) => isLiveSecret(one, at)).length >= maxLiveSecrets)
    return reject('too-many-client-secrets', `A client has at most ${maxLiveSecrets} live secrets: revoke one.`);
  const data = { applicationId, credentialId, secretHash, createdAt: at, expiresAt };
  return right([{ type: 'ClientSecretIssued', data }]);
};

export const revokeSecret = (
  { applicationId, credentialId, reason }: RevokeClientSecret,
  state: Application,
): Decision => {
  const secret = state.secrets.get(credentialId);
  if (secret === undefined) return reject('client-secret-unknown', 'The client has no such secret.');
  return right(secret.revoked ? [] : [{ type: 'ClientSecretRevoked', data: { applicationId, credentialId, reason } }]);
};
