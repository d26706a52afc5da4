/** Labels of OAuth values. */
import type { Client } from '../wire';

export const grantNames: Readonly<Record<Client['grantTypes'][number], string>> = {
  authorization_code: 'People sign in with a browser',
  refresh_token: 'Refresh tokens, to keep access without the person',
  client_credentials: 'In its own name, without a person',
  'urn:ietf:params:oauth:grant-type:device_code': 'People sign in on another device',
};

export const authenticationNames: Readonly<Record<Client['authentication'], string>> = {
  none: 'None: a public client, which keeps no secret (PKCE)',
  client_secret_basic: 'A secret, in the header',
  client_secret_post: 'A secret, in the form',
  private_key_jwt: 'A private key (private_key_jwt)',
  tls_client_auth: 'A certificate issued by an authority (mTLS)',
  self_signed_tls_client_auth: 'A self-signed certificate (mTLS)',
};

/** People sign in to it; a client without them acts in its own name only. */
export const isForPeople = ({ grantTypes }: Pick<Client, 'grantTypes'>): boolean =>
  grantTypes.some((type) => type !== 'client_credentials');

export const hasSecret = ({ authentication }: Pick<Client, 'authentication'>): boolean =>
  authentication === 'client_secret_basic' || authentication === 'client_secret_post';
