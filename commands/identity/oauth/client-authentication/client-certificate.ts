/** mTLS client authentication (RFC 8705 section 2). */
import { type Either, left, right } from 'fp-ts/Either';
import type { Application } from '../../../../domain/identity/client/state';
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';
import type { ClientJwksCache } from '../../clients/client-jwks';
import { oauthError } from '../token/oauth-error';
import type { ClientProof } from './authenticated-client';
import { isValidAt, matchesDistinguishedName } from './distinguished-name';

const unavailable = left(oauthError('temporarily_unavailable', 'The keys of the client cannot be fetched right now.'));

const matchesSubject = ({ tlsSubject }: Application, { certificate }: ClientProof): boolean =>
  certificate?.trusted === true && tlsSubject !== null && matchesDistinguishedName(certificate.der, tlsSubject);

const matchesRegisteredCertificate = async (
  clientKeys: ClientJwksCache,
  application: Application,
  { certificate, at }: ClientProof,
): Promise<Either<JsonAnswer, boolean>> => {
  if (certificate === undefined || !isValidAt(certificate.der, Date.parse(at))) return right(false);
  const isOneOf = (keys: readonly { readonly 'x5t#S256'?: string }[]): boolean =>
    keys.some((key) => key['x5t#S256'] === certificate.thumbprint);
  const registered = await clientKeys.of(application);
  if (registered === undefined) return unavailable;
  if (isOneOf(registered)) return right(true);
  return right(application.jwksUri !== null && isOneOf((await clientKeys.of(application, true)) ?? []));
};

/** A request with a client_id alone comes from a public client, or authenticates by certificate. */
export const verifyClientCertificate = async (
  { clientKeys }: { readonly clientKeys: ClientJwksCache },
  application: Application | undefined,
  proof: ClientProof,
): Promise<Either<JsonAnswer, boolean>> => {
  switch (application?.authentication) {
    case 'none':
      return right(true);
    case 'tls_client_auth':
      return right(matchesSubject(application, proof));
    case 'self_signed_tls_client_auth':
      return matchesRegisteredCertificate(clientKeys, application, proof);
    case 'client_secret_basic':
    case 'client_secret_post':
    case 'private_key_jwt':
    case undefined:
      return right(false);
  }
};
