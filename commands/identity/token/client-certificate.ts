/** A client that is known by the certificate of its connection (RFC 8705 section 2). */
import { type Either, left, right } from 'fp-ts/Either';
import type { Application } from '../../../domain/identity/client/state';
import type { JsonAnswer } from '../../../infra/http/route';
import type { ClientKeys } from '../clients/client-keys';
import type { Told } from './client';
import { holdsAt, isSubject } from './distinguished-name';
import { oauthError } from './oauth-error';

const unavailable = left(oauthError('temporarily_unavailable', 'The keys of the client cannot be had right now.'));

const bySubject = ({ tlsSubject }: Application, { certificate }: Told): boolean =>
  certificate?.trusted === true && tlsSubject !== null && isSubject(certificate.der, tlsSubject);

const byItself = async (
  clientKeys: ClientKeys,
  application: Application,
  { certificate, at }: Told,
): Promise<Either<JsonAnswer, boolean>> => {
  if (certificate === undefined || !holdsAt(certificate.der, Date.parse(at))) return right(false);
  const isOneOf = (keys: readonly { readonly 'x5t#S256'?: string }[]): boolean =>
    keys.some((key) => key['x5t#S256'] === certificate.thumbprint);
  const kept = await clientKeys.of(application);
  if (kept === undefined) return unavailable;
  if (isOneOf(kept)) return right(true);
  return right(application.jwksUri !== null && isOneOf((await clientKeys.of(application, true)) ?? []));
};

/** Who shows nothing but a name is a public client, or has shown its certificate before it said anything. */
export const provedByConnection = async (
  { clientKeys }: { readonly clientKeys: ClientKeys },
  application: Application | undefined,
  told: Told,
): Promise<Either<JsonAnswer, boolean>> => {
  switch (application?.authentication) {
    case 'none':
      return right(true);
    case 'tls_client_auth':
      return right(bySubject(application, told));
    case 'self_signed_tls_client_auth':
      return byItself(clientKeys, application, told);
    case 'client_secret_basic':
    case 'client_secret_post':
    case 'private_key_jwt':
    case undefined:
      return right(false);
  }
};
