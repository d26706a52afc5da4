/** Every flow, completed by a third-party client (oauth4webapi), against any server. */
import assert from 'node:assert/strict';
import * as oauth from 'oauth4webapi';
import type { Fetch, LeftSite, Page, ScriptlessBrowser } from './scriptless-browser';

export interface AuthorizationServer {
  readonly issuer: string;
  readonly fetch: Fetch;
  /** Has the session of a person with `principals:read`. */
  readonly browser: () => ScriptlessBrowser;
  /** The id of that person. */
  readonly person: string;
  readonly tenant: string;
  /** A public application with every grant type, registered as ours. */
  readonly open: string;
  /** A third-party application with a secret: people must consent. */
  readonly thirdParty: { readonly id: string; readonly secret: string };
  /** What the server's clock is ahead of this one by. */
  readonly secondsAhead: number;
}

export const redirectUri = 'https://app.example/callback';

export const publicClient = 'acme~flows';
export const secretClient = 'acme~asks';
export const clientSecret = 'c2VjcmV0IG9mIHRoZSBmbG93cyBvZiB0aGlzIHRlc3Qgb25seQ';

/** The applications that tests write into the log. */
export const recordedClients = {
  person: 'p-1',
  tenant: 'acme',
  open: publicClient,
  thirdParty: { id: secretClient, secret: clientSecret },
} as const;

const insecure = { [oauth.allowInsecureRequests]: true } as const;

/** Plain http is for loopback addresses, which is where tests are. */
const openClient = async (authorizationServer: AuthorizationServer, client_id: string) => {
  const options = { [oauth.customFetch]: authorizationServer.fetch as never, ...insecure };
  const found = await oauth.discoveryRequest(new URL(authorizationServer.issuer), { ...options, algorithm: 'oauth2' });
  const server = await oauth.processDiscoveryResponse(new URL(authorizationServer.issuer), found);
  const client: oauth.Client = { client_id, [oauth.clockSkew]: authorizationServer.secondsAhead };
  return { options, server, client };
};

const leftFor = async (step: Promise<Page | LeftSite>): Promise<URL> => {
  const found = await step;
  assert.ok('left' in found, 'left' in found ? '' : `stayed at ${found.url.pathname}: ${found.status}`);
  return found.left;
};

const began = async () => {
  const verifier = oauth.generateRandomCodeVerifier();
  const challenge = await oauth.calculatePKCECodeChallenge(verifier);
  return { verifier, challenge, state: oauth.generateRandomState(), nonce: oauth.generateRandomNonce() };
};

type Began = Awaited<ReturnType<typeof began>>;

const authorizationParameters = (
  client: oauth.Client,
  { challenge, state, nonce }: Began,
  scope: string,
): URLSearchParams =>
  new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope,
    state,
    nonce,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });

/** Once more where the server wants a nonce of its own in the proof. */
const withNonce = async <Answer>(send: () => Promise<Response>, read: (answer: Response) => Promise<Answer>) => {
  try {
    return await read(await send());
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error;
    return read(await send());
  }
};

export const codeFlow = async (authorizationServer: AuthorizationServer): Promise<void> => {
  const { options, server, client } = await openClient(authorizationServer, authorizationServer.open);
  const begin = await began();
  const target = `${server.authorization_endpoint}?${authorizationParameters(client, begin, 'openid principals:read')}`;
  const back = await leftFor(authorizationServer.browser().go(target));
  const answer = oauth.validateAuthResponse(server, client, back, begin.state);
  const response = await oauth.authorizationCodeGrantRequest(
    ...([server, client, oauth.None(), answer, redirectUri, begin.verifier, options] as const),
  );
  const expected = { expectedNonce: begin.nonce, requireIdToken: true };
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, expected);
  assert.equal(oauth.getValidatedIdTokenClaims(tokens)?.sub, authorizationServer.person);
  assert.equal(tokens.scope, 'openid principals:read');
  await oauth.validateApplicationLevelSignature(server, response, options);
};

/** PAR, consent, a secret, and a DPoP key from the first request to the refreshed tokens. */
export const dpopBoundFlow = async (authorizationServer: AuthorizationServer): Promise<void> => {
  const { options, server, client } = await openClient(authorizationServer, authorizationServer.thirdParty.id);
  const [begin, keys] = [await began(), await oauth.generateKeyPair('ES256')];
  const bound = { ...options, DPoP: oauth.DPoP(client, keys) };
  const secret = oauth.ClientSecretBasic(authorizationServer.thirdParty.secret);
  const parameters = authorizationParameters(client, begin, 'principals:read offline_access');
  const { request_uri: pushed } = await withNonce(
    () => oauth.pushedAuthorizationRequest(server, client, secret, parameters, bound),
    (answer) => oauth.processPushedAuthorizationResponse(server, client, answer),
  );
  const browser = authorizationServer.browser();
  const query = new URLSearchParams({ client_id: client.client_id, request_uri: pushed });
  const consent = await browser.go(`${server.authorization_endpoint}?${query}`);
  assert.ok('text' in consent && consent.text.includes('Stay connected'));
  const back = await leftFor(browser.press(consent, { decision: 'allow' }));
  const answer = oauth.validateAuthResponse(server, client, back, begin.state);
  const tokens = await withNonce(
    () => oauth.authorizationCodeGrantRequest(server, client, secret, answer, redirectUri, begin.verifier, bound),
    (response) => oauth.processAuthorizationCodeResponse(server, client, response),
  );
  assert.equal(tokens.token_type, 'dpop');
  const refreshed = await withNonce(
    () => oauth.refreshTokenGrantRequest(server, client, secret, tokens.refresh_token ?? '', bound),
    (response) => oauth.processRefreshTokenResponse(server, client, response),
  );
  assert.equal(refreshed.token_type, 'dpop');
  assert.notEqual(refreshed.refresh_token, tokens.refresh_token);
};

export const deviceFlow = async (authorizationServer: AuthorizationServer): Promise<void> => {
  const { options, server, client } = await openClient(authorizationServer, authorizationServer.open);
  const scope = new URLSearchParams({ scope: 'principals:read' });
  const response = await oauth.deviceAuthorizationRequest(server, client, oauth.None(), scope, options);
  const device = await oauth.processDeviceAuthorizationResponse(server, client, response);
  const browser = authorizationServer.browser();
  const page = await browser.go(device.verification_uri);
  assert.ok('text' in page);
  const looked = await browser.press(page, { user_code: device.user_code });
  assert.ok('text' in looked && looked.text.includes(device.user_code));
  const allowed = await browser.press(looked, { decision: 'allow' });
  assert.ok('text' in allowed && allowed.text.includes('The device is allowed'));
  const polled = await oauth.deviceCodeGrantRequest(server, client, oauth.None(), device.device_code, options);
  const tokens = await oauth.processDeviceCodeResponse(server, client, polled);
  assert.equal(tokens.scope, 'principals:read');
};
