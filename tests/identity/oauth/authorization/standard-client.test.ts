import { commandLineFlow } from '../../../support/identity/oauth-command-line';
import {
  type AuthorizationServer,
  clientSecret,
  codeFlow,
  deviceFlow,
  dpopBoundFlow,
  publicClient,
  recordedClients,
  redirectUri,
  secretClient,
} from '../../../support/identity/oauth-flows';
import { openScriptlessBrowser } from '../../../support/identity/scriptless-browser';
import { issuer } from '../token/fixture';
import { startWithSignedInPerson } from './fixture';
import { addSecret, register } from './recorded-facts';

describe('a standard client', () => {
  let stage: Awaited<ReturnType<typeof startWithSignedInPerson>>;
  let server: AuthorizationServer;
  before(async () => {
    stage = await startWithSignedInPerson();
    const redirectUris = [redirectUri];
    const grantTypes = ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'] as const;
    await register(stage, publicClient, { firstParty: true, redirectUris, grantTypes: [...grantTypes] });
    await register(stage, secretClient, { redirectUris, authentication: 'client_secret_basic' });
    await addSecret(stage, secretClient, clientSecret);
    const [name = '', value = ''] = stage.browser.cookie.split('=');
    server = {
      issuer,
      fetch: stage.fetchIssuer,
      browser: () => openScriptlessBrowser(issuer, stage.fetchIssuer, new Map([[name, value]])),
      ...recordedClients,
      secondsAhead: Math.round((Date.parse(stage.clock.now()) - Date.now()) / 1000),
    };
  });
  after(() => stage.close());

  it('completes the code flow with PKCE and OpenID Connect', () => codeFlow(server));
  it('completes it pushed, with consent, a secret, and bound to a key to the refreshed tokens', () =>
    dpopBoundFlow(server));
  it('completes the device flow', () => deviceFlow(server));
  it('completes it from a command line that listens on this machine', () => commandLineFlow(server));
});
