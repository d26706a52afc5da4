// As the README of openid-client 5 does it.
import { generators, Issuer } from 'openid-client-5';
import { clientId, clientSecret, issuer, serve } from './server.mjs';

const septet = await Issuer.discover(issuer);
let client;
let verifier;

serve({
  login: async (home) => {
    client = new septet.Client({
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [`${home}/callback`],
      response_types: ['code'],
    });
    verifier = generators.codeVerifier();
    const location = client.authorizationUrl({
      scope: 'openid email profile offline_access',
      code_challenge: generators.codeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return { location };
  },
  callback: async (home, url) => {
    const parameters = client.callbackParams(url.href);
    const tokens = await client.callback(`${home}/callback`, parameters, { code_verifier: verifier });
    const userinfo = await client.userinfo(tokens);
    const refreshed = await client.refresh(tokens);
    return { idToken: tokens.claims().sub, userinfo: userinfo.sub, refreshed: refreshed.access_token !== undefined };
  },
});
