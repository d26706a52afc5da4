/** A program of a command line: it listens on this machine, sends the person's browser off, and waits for it to come back (RFC 8252). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as client from 'openid-client';
import type { AuthorizationServer } from './oauth-flows';

const fetchWith = ({ fetch }: AuthorizationServer) => ({
  execute: [client.allowInsecureRequests],
  [client.customFetch]: fetch as never,
});

/** With openid-client, over the built-in application for command lines. */
export const commandLineFlow = async (authorizationServer: AuthorizationServer): Promise<void> => {
  const skew = { [client.clockSkew]: authorizationServer.secondsAhead };
  const config = await client.discovery(
    new URL(authorizationServer.issuer),
    `${authorizationServer.tenant}~cli`,
    skew,
    client.None(),
    fetchWith(authorizationServer),
  );
  const server = createServer((_request, response) => response.end('Back to the command line.'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const redirectUri = `http://127.0.0.1:${port}/callback`;
  const [pkceCodeVerifier, expectedState] = [client.randomPKCECodeVerifier(), client.randomState()];
  const target = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid offline_access principals:read',
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const came = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  const browser = authorizationServer.browser();
  const consent = await browser.go(target);
  assert.ok('text' in consent && consent.text.includes('an application on this device'));
  const gone = await browser.press(consent, { decision: 'allow' });
  assert.ok('left' in gone);
  await fetch(gone.left);
  const [request] = await came;
  const back = new URL(request.url ?? '', redirectUri);
  const checks = { pkceCodeVerifier, expectedState, idTokenExpected: true };
  const tokens = await client.authorizationCodeGrant(config, back, checks);
  assert.equal(tokens.claims()?.sub, authorizationServer.person);
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  assert.ok(refreshed.access_token);
  server.close();
  server.closeAllConnections();
};
