/** Types of presented and authenticated clients. */
import { left } from 'fp-ts/Either';
import type { Application, ClientSecret } from '../../../../domain/identity/client/state';
import type { ApplicationId, ClientId } from '../../../../domain/identity/ids';
import type { Credential, RegisteredPrincipal } from '../../../../domain/identity/principal/state';
import type { Instant } from '../../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import type { RefusalNote } from '../../../../infra/server/http/refusal-note';
import type { ClientCertificate } from '../../../../packages/resource-server/src/verification/index';
import { oauthError } from '../token/oauth-error';
import type { Parameters } from '../token/oauth-form';
import type { PresentedClientCredentials } from './presented-credentials';

export interface ApplicationClient {
  readonly kind: 'application';
  readonly clientId: ClientId;
  readonly tenantId: TenantId;
  readonly applicationId: ApplicationId;
  readonly application: Application;
  /** By which it authenticated, if it did by one. */
  readonly secret?: ClientSecret;
}

export interface PrincipalClient {
  readonly kind: 'principal';
  readonly clientId: ClientId;
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
  readonly principal: RegisteredPrincipal;
  readonly credential: Credential;
}

export type AuthenticatedClient = ApplicationClient | PrincipalClient;

/** What a request presents of its client. */
export interface ClientAuthenticationRequest {
  readonly parameters: Parameters;
  readonly authorization: string | undefined;
  readonly certificate: ClientCertificate | undefined;
  /** The endpoint's URL as the client knows it, such as `<issuer>/oauth/token`. */
  readonly endpoint: string;
  readonly at: Instant;
}

export type ClientProof<Presentation extends PresentedClientCredentials = PresentedClientCredentials> = Omit<
  ClientAuthenticationRequest,
  'parameters' | 'authorization'
> & {
  readonly presented: Presentation;
};

/** For issued tokens: the name by which the client knows itself. */
export const metadataUrlOf = ({
  application,
}: Pick<ApplicationClient, 'application'>): { readonly metadataUrl?: string } => {
  const url = application.registeredItself?.metadataUrl ?? null;
  return url === null ? {} : { metadataUrl: url };
};

/** One error for all failures: it does not reveal which clients exist. Operators read the reason in the list of refused requests. */
export const invalidClient = (refused: RefusalNote) =>
  left({
    ...oauthError('invalid_client', 'The client is unknown, or what it authenticates with is not valid.'),
    refused,
  });
