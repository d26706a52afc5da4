// As the README of openid-client 6 does it. Plain http needs a word of its own there; it stands for no setting of Septet.
import * as client from 'openid-client-6';
import { clientId, clientSecret, issuer, serve } from './server.mjs';

const config = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
  execute: [client.allowInsecureRequests],
});
let verifier;

serve({
  login: async (home) => {
    verifier = client.randomPKCECodeVerifier();
    const location = client.buildAuthorizationUrl(config, {
      redirect_uri: `${home}/callback`,
      scope: 'openid email profile offline_access',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return { location: location.href };
  },
  callback: async (_home, url) => {
    const tokens = await client.authorizationCodeGrant(config, url, { pkceCodeVerifier: verifier });
    const { sub } = tokens.claims();
    const userinfo = await client.fetchUserInfo(config, tokens.access_token, sub);
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token);
    return { idToken: sub, userinfo: userinfo.sub, refreshed: refreshed.access_token !== undefined };
  },
});
