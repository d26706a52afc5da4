/** A client that asks: what it shows of itself, and what is known of it then. */
import { left } from 'fp-ts/Either';
import type { Application } from '../../../domain/identity/client/state';
import type { ApplicationId, ClientId } from '../../../domain/identity/ids';
import type { Credential, Registered } from '../../../domain/identity/principal/state';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { ClientCertificate } from '../../../packages/resource-server/src/verification/index';
import type { Parameters } from './form';
import { oauthError } from './oauth-error';
import type { Presented } from './presented';

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
  readonly principal: Registered;
  readonly credential: Credential;
}

export type AuthenticatedClient = ApplicationClient | PrincipalClient;

/** What a request shows of its client. */
export interface Shown {
  readonly parameters: Parameters;
  readonly authorization: string | undefined;
  readonly certificate: ClientCertificate | undefined;
  /** Where it was sent, as the client knows it: `<issuer>/oauth/token`. */
  readonly endpoint: string;
  readonly at: Instant;
}

export type Told<Presentation extends Presented = Presented> = Omit<Shown, 'parameters' | 'authorization'> & {
  readonly presented: Presentation;
};

/** One answer for all that is wrong: what exists is told to nobody who does not know it. */
export const notAuthenticated = left(
  oauthError('invalid_client', 'The client is unknown, or what it authenticates with is not valid.'),
);
