/** What one pastes to connect an application: its settings as environment variables, and a program for openid-client 6. */
import { shellWord } from '../../kernel/shell-word';
import type { Client } from '../wire';
import type { KindName } from './client-kinds';

export interface Connection {
  readonly issuer: string;
  /** Only just after it was made. */
  readonly secret: string | undefined;
  readonly client: Pick<Client, 'authentication' | 'clientId' | 'dpopBound' | 'grantTypes' | 'redirectUris' | 'scopes'>;
}

export const discoveryUrlOf = (issuer: string): string =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;

/** Of a client that was registered before; the form knows the kind that was chosen. */
export const kindOf = ({ authentication, dpopBound, grantTypes, scopes }: Connection['client']): KindName => {
  if (grantTypes.includes('authorization_code')) {
    if (authentication !== 'none') return 'web';
    return dpopBound ? 'native' : 'spa';
  }
  if (grantTypes.includes('urn:ietf:params:oauth:grant-type:device_code')) return 'device';
  return scopes.length === 1 && scopes[0] === 'tokens:introspect' ? 'api' : 'machine';
};

const usesSecret = ({ authentication }: Connection['client']): boolean =>
  authentication === 'client_secret_basic' || authentication === 'client_secret_post';

const isForPeople = (kind: KindName): boolean => kind === 'web' || kind === 'spa' || kind === 'native';

/** For a POSIX shell and for `.env` files. */
export const environmentOf = ({ issuer, secret, client }: Connection): string =>
  [
    ['SEPTET', issuer],
    ['CLIENT_ID', client.clientId],
    ...(usesSecret(client) ? [['CLIENT_SECRET', secret ?? 'the secret of the client']] : []),
    ...client.redirectUris.slice(0, 1).map((uri) => ['REDIRECT_URI', uri]),
  ]
    .map(([name, value = '']) => `export ${name}=${shellWord(value)}`)
    .join('\n');

const authenticationOf = ({ authentication }: Connection['client']): string => {
  switch (authentication) {
    case 'none':
      return 'oidc.None()';
    case 'client_secret_basic':
      return 'oidc.ClientSecretBasic(CLIENT_SECRET)';
    case 'client_secret_post':
      return 'oidc.ClientSecretPost(CLIENT_SECRET)';
    case 'private_key_jwt':
      return 'oidc.PrivateKeyJwt(privateKey)';
    case 'tls_client_auth':
    case 'self_signed_tls_client_auth':
      return 'oidc.TlsClientAuth()';
  }
};

/** Programs that are delivered to others have their settings in themselves. */
const settingsOf = (kind: KindName, { issuer, client }: Connection): string => {
  const [redirectUri = ''] = client.redirectUris;
  if (kind === 'spa' || kind === 'native')
    return [
      `const SEPTET = '${issuer}';`,
      `const CLIENT_ID = '${client.clientId}';`,
      `const REDIRECT_URI = '${redirectUri.replaceAll("'", '%27')}';`,
    ].join('\n');
  const names = [
    'SEPTET',
    'CLIENT_ID',
    ...(usesSecret(client) ? ['CLIENT_SECRET'] : []),
    ...(isForPeople(kind) ? ['REDIRECT_URI'] : []),
  ];
  return `const { ${names.join(', ')} } = process.env;`;
};

const discovery = ({ issuer, client }: Connection): string => {
  // Only an installation on the developer's own machine has no https.
  const plain = issuer.startsWith('http:') ? ', { execute: [oidc.allowInsecureRequests] }' : '';
  return `const septet = await oidc.discovery(
  new URL(SEPTET), CLIENT_ID, undefined, ${authenticationOf(client)}${plain});`;
};

const scopeOf = ({ client: { scopes } }: Connection): string => scopes.join(' ');

const signIn = (connection: Connection): string => {
  const { dpopBound } = connection.client;
  return `// Store both in the visitor's session, then send the browser to url.
const verifier = oidc.randomPKCECodeVerifier();
const state = oidc.randomState();
const url = oidc.buildAuthorizationUrl(septet, {
  redirect_uri: REDIRECT_URI, scope: '${scopeOf(connection)}', state,
  code_challenge: await oidc.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
});
console.log(url.href);
${dpopBound ? '\nconst DPoP = oidc.getDPoPHandle(septet, await oidc.randomDPoPKeyPair());\n' : ''}
// Nothing here listens at REDIRECT_URI: your program does, and calls this with the whole address that the browser opened.
const tokensAt = (currentUrl) => oidc.authorizationCodeGrant(
  septet, new URL(currentUrl), { pkceCodeVerifier: verifier, expectedState: state }${dpopBound ? ', undefined, { DPoP }' : ''});`;
};

const device = (connection: Connection): string => `const device = await oidc.initiateDeviceAuthorization(
  septet, { scope: '${scopeOf(connection)}' });
console.log(\`Open \${device.verification_uri} and enter \${device.user_code}\`);
const tokens = await oidc.pollDeviceAuthorizationGrant(septet, device);`;

const machine = (
  connection: Connection,
): string => `const tokens = await oidc.clientCredentialsGrant(septet, { scope: '${scopeOf(connection)}' });
console.log(\`valid for \${tokens.expires_in} seconds\`);`;

const api = (): string => `const { active } = await oidc.tokenIntrospection(septet, process.argv[2]);
console.log(active);`;

const bodies: { readonly [kind in KindName]: (connection: Connection) => string } = {
  web: signIn,
  spa: signIn,
  native: signIn,
  device,
  machine,
  api,
};

export const programOf = (kind: KindName, connection: Connection): string =>
  [
    '// npm install openid-client',
    "import * as oidc from 'openid-client';",
    '',
    settingsOf(kind, connection),
    discovery(connection),
    '',
    bodies[kind](connection),
  ].join('\n');
