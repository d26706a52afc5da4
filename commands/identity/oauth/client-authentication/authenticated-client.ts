/** A client that asks: what it shows of itself, and what is known of it then. */
import { left } from 'fp-ts/Either';
import type { Application } from '../../../../domain/identity/client/state';
import type { ApplicationId, ClientId } from '../../../../domain/identity/ids';
import type { Credential, RegisteredPrincipal } from '../../../../domain/identity/principal/state';
import type { Instant } from '../../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
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

/** What a request shows of its client. */
export interface ClientAuthenticationRequest {
  readonly parameters: Parameters;
  readonly authorization: string | undefined;
  readonly certificate: ClientCertificate | undefined;
  /** Where it was sent, as the client knows it: `<issuer>/oauth/token`. */
  readonly endpoint: string;
  readonly at: Instant;
}

export type ClientProof<Presentation extends PresentedClientCredentials = PresentedClientCredentials> = Omit<
  ClientAuthenticationRequest,
  'parameters' | 'authorization'
> & {
  readonly presented: Presentation;
};

/** One answer for all that is wrong: what exists is told to nobody who does not know it. */
export const invalidClient = left(
  oauthError('invalid_client', 'The client is unknown, or what it authenticates with is not valid.'),
);
