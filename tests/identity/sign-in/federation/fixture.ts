/** Sign-in pages, and an enterprise provider with responses set by the test. */
import assert from 'node:assert/strict';
import { openIdentityProviders } from '../../../../infra/adapters/oidc/identity-providers';
import { type PeopleStage, startPeople } from '../fixture';
import type { FormBrowser } from '../form-browser';
import { clientPassword, startProvider } from './controlled-provider';

export type Provider = Awaited<ReturnType<typeof startProvider>>;

export const rules = { mfa: 'enrolled', passwords: true, passkeys: true, sessionSeconds: 3_600 };
export const ada = { email: 'ada@example.org', email_verified: true, name: 'Ada' };

export const useProvider = () => {
  let stage: PeopleStage;
  let provider: Provider;
  beforeEach(async () => {
    provider = await startProvider();
    stage = await startPeople({ providers: openIdentityProviders({ allowPrivate: true, milliseconds: 2_000 }) });
  });
  afterEach(async () => {
    await stage.close();
    await provider.close();
  });

  const allow = async (more: object = {}, issuer = provider.origin, changed: object = {}) => {
    const one = { providerId: 'p', name: 'Example Ltd', issuer, clientId: 'septet', provisioning: 'on', domains: [] };
    const providers = [{ ...one, password: clientPassword, ...more }];
    const set = await stage.api('PUT', '/v1/sign-in-policy', {
      ...rules,
      ...changed,
      providers,
      confirmsRemovedMethods: true,
    });
    assert.equal(set.status, 200, await set.text());
  };
  const leave = async (browser: FormBrowser): Promise<string> => {
    await browser.open('/sign-in');
    const page = await browser.submit('/sign-in/with');
    const url = browser.onward(page) ?? '';
    assert.ok(url.startsWith(`${provider.origin}/auth?`), page.text);
    return url;
  };
  return { stage: () => stage, provider: () => provider, allow, leave };
};
