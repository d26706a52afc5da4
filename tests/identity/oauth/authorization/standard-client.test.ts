import { commandLineFlow } from '../../../support/identity/oauth-command-line';
import {
  boundFlow,
  clientSecret,
  codeFlow,
  type Door,
  deviceFlow,
  publicClient,
  redirectUri,
  secretClient,
  written,
} from '../../../support/identity/oauth-flows';
import { openBrowser } from '../../../support/identity/scriptless-browser';
import { issuer } from '../token/fixture';
import { startUsual } from './fixture';
import { giveSecret, register } from './recorded-facts';

describe('a standard client', () => {
  let stage: Awaited<ReturnType<typeof startUsual>>;
  let door: Door;
  before(async () => {
    stage = await startUsual();
    const redirectUris = [redirectUri];
    const grantTypes = ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'] as const;
    await register(stage, publicClient, { firstParty: true, redirectUris, grantTypes: [...grantTypes] });
    await register(stage, secretClient, { redirectUris, authentication: 'client_secret_basic' });
    await giveSecret(stage, secretClient, clientSecret);
    const [name = '', value = ''] = stage.browser.cookie.split('=');
    door = {
      issuer,
      fetch: stage.fetchIssuer,
      browser: () => openBrowser(issuer, stage.fetchIssuer, new Map([[name, value]])),
      ...written,
      secondsAhead: Math.round((Date.parse(stage.clock.now()) - Date.now()) / 1000),
    };
  });
  after(() => stage.close());

  it('completes the code flow with PKCE and OpenID Connect', () => codeFlow(door));
  it('completes it pushed, with consent, a secret, and bound to a key to the refreshed tokens', () => boundFlow(door));
  it('completes the device flow', () => deviceFlow(door));
  it('completes it from a command line that listens on this machine', () => commandLineFlow(door));
});
