/** People of another tenant than the first: they are led back to their own pages, whatever leads there. */
import assert from 'node:assert/strict';
import { admin, type PeopleStage, startPeople, strongPassword } from '../sign-in/fixture';
import type { FormBrowser } from '../sign-in/form-browser';

const rules = { mfa: 'required', passwords: true, passkeys: true, sessionSeconds: 3_600, providers: [] };

describe('people of another tenant', () => {
  let stage: PeopleStage;
  let browser: FormBrowser;
  const beta = { ...admin, tenantId: 'beta' };
  const tenant = () => browser.fields('/sign-in').tenant;
  beforeEach(async () => {
    stage = await startPeople();
    const made = await stage.api('POST', '/v1/people', { login: 'bo', displayName: 'Bo' }, beta);
    const { enrolmentUrl } = (await made.json()) as { enrolmentUrl: string };
    browser = stage.browser();
    await browser.open(enrolmentUrl.replace('https://septet.example', ''));
    assert.match((await browser.submit('/sign-in/enrol', { password: strongPassword })).text, /Signed in as/);
  });
  afterEach(() => stage.close());

  it('authenticate again there, and can return after the session ended', async () => {
    stage.wait(301);
    await browser.open('/account/password');
    assert.equal(tenant(), 'beta');
    const page = await browser.submit('/sign-in', { login: 'bo', password: strongPassword });
    assert.match(page.text, /New password/);
    stage.wait(2 * 3_600 + 1);
    await browser.open('/account');
    assert.equal(tenant(), 'beta');
  });

  it('sign out to it, here and everywhere', async () => {
    await browser.open('/account/sign-out');
    await browser.submit('/account/sign-out');
    assert.equal(tenant(), 'beta');
    await browser.submit('/sign-in', { login: 'bo', password: strongPassword });
    await browser.submit('/account/sessions/end-all');
    assert.equal(tenant(), 'beta');
  });

  it('start again from the second step with where they were going', async () => {
    await stage.api('PUT', '/v1/sign-in-policy', rules, beta);
    const other = stage.browser();
    await other.open('/sign-in?tenant=beta&continue=/device');
    const { text } = await other.submit('/sign-in', { login: 'bo', password: strongPassword });
    const again = /href="([^"]+)">Start again/.exec(text)?.[1] ?? '';
    assert.deepEqual(
      ['tenant', 'continue'].map((name) => new URL(again.replaceAll('&amp;', '&'), 'https://x').searchParams.get(name)),
      ['beta', '/device'],
    );
  });
});
