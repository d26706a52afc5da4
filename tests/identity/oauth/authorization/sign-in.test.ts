/** From an application to the sign-in and back, with nothing in between left out. */
import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import { openIssuanceLog } from '../../../../commands/identity/oauth/token/issuance-log';
import { tokenRoute } from '../../../../commands/identity/oauth/token/token-endpoint';
import { authorizationRoutes, peopleRoutes } from '../../../../commands/identity/routes';
import { memoryKms } from '../../../../infra/adapters/kms/memory-keystore';
import { bind } from '../../../../infra/server/http/routing/route';
import { memoryReplayCache } from '../../../../packages/resource-server/src/dpop/replay-cache';
import { startHttpService } from '../../../support/http/http-service';
import { workloadDeps } from '../../../support/identity/workloads';
import { enrolPerson, startPeople, strongPassword } from '../../sign-in/fixture';
import { type FormBrowser, openFormBrowser, type Page } from '../../sign-in/form-browser';
import { issuer } from '../token/fixture';
import { verifier } from './examples';
import { authorizationRequest, clientId, jsonOf } from './fixture';
import { register } from './recorded-facts';

const startWhole = async () => {
  const stage = await startPeople();
  const replay = memoryReplayCache(stage.now);
  const deps = {
    ...stage.deps,
    kms: { ...memoryKms(), derive: stage.deps.kms.derive },
    issuer,
    audiences: ['septet'],
    assertions: replay,
    proofs: { replay },
    issuances: openIssuanceLog(stage.deps.store),
    clientKeys: { of: async () => [] },
    ...workloadDeps(),
  };
  const routes = [...peopleRoutes(deps), ...authorizationRoutes(deps), bind(deps, tokenRoute)];
  const service = await startHttpService(routes);
  await register(deps, clientId, { firstParty: true });
  const close = async (): Promise<void> => {
    await Promise.all([service.close(), stage.close()]);
  };
  return { ...stage, call: service.call, browser: () => openFormBrowser(service.call), close };
};

describe('authorization and sign-in together', () => {
  let stage: Awaited<ReturnType<typeof startWhole>>;
  beforeEach(async () => {
    stage = await startWhole();
  });
  afterEach(() => stage.close());

  const begin = (browser: FormBrowser, changes: Record<string, string> = {}): Promise<Page> =>
    browser.open(`/oauth/authorize?${new URLSearchParams(authorizationRequest({ scope: 'openid', ...changes }))}`);
  /** Out of a page of the sign-in, back to the application. */
  const back = async (browser: FormBrowser, page: Page): Promise<URL> => {
    const resumed = browser.onward(page) ?? assert.fail(page.text);
    assert.match(resumed, /^\/oauth\/authorize\?resume=/);
    return new URL(browser.onward(await browser.request(resumed)) ?? assert.fail('the way ends'));
  };
  const claimsOf = async (there: URL): Promise<Record<string, unknown>> => {
    const form = { grant_type: 'authorization_code', client_id: clientId, code: there.searchParams.get('code') ?? '' };
    const answer = await stage.call('/oauth/token', {
      method: 'POST',
      identity: 'anonymous',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(
        new URLSearchParams({ ...form, redirect_uri: 'https://app.example/callback', code_verifier: verifier }),
      ),
    });
    return decodeJwt(String((await jsonOf(answer)).id_token));
  };

  it('leads through the password to the code', async () => {
    const { principalId } = await enrolPerson(stage);
    const browser = stage.browser();
    assert.match((await begin(browser)).path, /^\/sign-in/);
    const there = await back(
      browser,
      await browser.submit('/sign-in', { login: 'ada@example.org', password: strongPassword }),
    );
    const { sub, amr, acr } = await claimsOf(there);
    assert.deepEqual([sub, amr, acr], [principalId, ['pwd'], '1']);
  });

  it('asks who is signed in for nothing, and again for the prompt login', async () => {
    const { browser } = await enrolPerson(stage);
    stage.wait(60);
    assert.match(browser.onward(await begin(browser)) ?? '', /^https:\/\/app.example\/callback\?code=/);
    const page = await begin(browser, { prompt: 'login' });
    assert.match(page.path, /^\/sign-in/);
    const there = await back(
      browser,
      await browser.submit('/sign-in', { login: 'ada@example.org', password: strongPassword }),
    );
    const { auth_time: at } = await claimsOf(there);
    assert.equal(at, stage.now() / 1000);
  });

  it('asks for a second factor where the application does', async () => {
    const { browser } = await enrolPerson(stage);
    stage.wait(60);
    const page = await begin(browser, { acr_values: '2' });
    assert.match(page.path, /^\/sign-in.*acr=mfa/);
    const after = await browser.submit('/sign-in', { login: 'ada@example.org', password: strongPassword });
    assert.doesNotMatch(browser.onward(after) ?? '', /^\/oauth\/authorize/);
  });
});
