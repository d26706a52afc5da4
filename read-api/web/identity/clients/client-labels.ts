/** Labels of OAuth values. */
import type { Client } from '../wire';

export const grantNames: Readonly<Record<Client['grantTypes'][number], string>> = {
  authorization_code: 'People sign in with a browser',
  refresh_token: 'Refresh tokens, to keep access without the person',
  client_credentials: 'In its own name, without a person',
  'urn:ietf:params:oauth:grant-type:device_code': 'People sign in on another device',
};

export const authenticationNames: Readonly<Record<Client['authentication'], string>> = {
  none: 'None: a public client, which cannot keep a secret',
  client_secret_basic: 'Client secret, in the header (client_secret_basic)',
  client_secret_post: 'Client secret, in the form (client_secret_post)',
  private_key_jwt: 'Private key (private_key_jwt)',
  tls_client_auth: 'Certificate of an authority (tls_client_auth)',
  self_signed_tls_client_auth: 'Self-signed certificate (self_signed_tls_client_auth)',
};

/** People sign in to it; a client without them acts in its own name only. */
export const isForPeople = ({ grantTypes }: Pick<Client, 'grantTypes'>): boolean =>
  grantTypes.some((type) => type !== 'client_credentials');

export const hasSecret = ({ authentication }: Pick<Client, 'authentication'>): boolean =>
  authentication === 'client_secret_basic' || authentication === 'client_secret_post';
