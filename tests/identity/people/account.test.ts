import assert from 'node:assert/strict';
import { admin, enrolPerson, type PeopleStage, signIn, startPeople } from '../sign-in/fixture';

describe('a person’s account', () => {
  let stage: PeopleStage;
  beforeEach(async () => {
    stage = await startPeople();
  });
  afterEach(() => stage.close());

  it('ends after twelve hours used, and after two unused', async () => {
    const { browser } = await enrolPerson(stage);
    for (let hours = 0; hours < 11; hours += 1) {
      stage.wait(3_600);
      assert.match((await browser.open('/account')).text, /Signed in as/);
    }
    stage.wait(3_700);
    assert.match((await browser.open('/account')).text, /name="password"/);
    await signIn(browser);
    stage.wait(2 * 3_600 + 1);
    assert.match((await browser.open('/account')).text, /name="password"/);
  });

  it('changes a password and ends every other session; shows and ends them one by one', async () => {
    const { browser } = await enrolPerson(stage);
    const others = [stage.browser(), stage.browser()];
    for (const other of others) await signIn(other);
    const page = await browser.open('/account');
    assert.equal(page.text.match(/Firefox on Linux/g)?.length, 3);
    await browser.submit('/account/sessions/end');
    assert.equal((await browser.open('/account')).text.match(/Firefox on Linux/g)?.length, 2);
    await browser.open('/account/password');
    assert.equal((await browser.submit('/account/password', { password: 'password1234' })).status, 422);
    const changed = await browser.submit('/account/password', { password: 'another lamp entirely' });
    assert.equal(changed.text.match(/Firefox on Linux/g)?.length, 1);
    for (const other of others) assert.match((await other.open('/account')).text, /name="password"/);
    assert.equal((await signIn(stage.browser())).status, 401);
  });

  it('signs out here, and everywhere', async () => {
    const { browser } = await enrolPerson(stage);
    const other = stage.browser();
    await signIn(other);
    await other.open('/account/sign-out');
    assert.match((await other.submit('/account/sign-out')).text, /name="password"/);
    await signIn(other);
    await browser.open('/account');
    await browser.submit('/account/sessions/end-all');
    for (const one of [browser, other]) assert.match((await one.open('/account')).text, /name="password"/);
  });

  it('asks for a fresh sign-in before ways to sign in are changed', async () => {
    const { browser } = await enrolPerson(stage);
    await browser.open('/account');
    stage.wait(301);
    for (const action of ['/account/password', '/account/totp'])
      assert.match((await browser.open(action)).text, /name="password"/);
    await browser.open('/account');
    assert.match((await browser.submit('/account/password/remove')).text, /name="password"/);
  });

  it('keeps one way to sign in', async () => {
    const { browser } = await enrolPerson(stage);
    await browser.open('/account');
    const refused = await browser.submit('/account/password/remove');
    assert.deepEqual([refused.status, /only way to sign in/.test(refused.text)], [422, true]);
  });

  it('ends sessions by the API: one’s own where the application may, or anybody’s with the scope', async () => {
    const { principalId, browser } = await enrolPerson(stage);
    const end = (who: typeof admin) =>
      stage.api('POST', `/v1/principals/${principalId}/sessions/end`, { reason: 'Lost.' }, who);
    assert.equal((await end({ ...admin, scopes: [] })).status, 403);
    assert.equal((await end({ ...admin, tenantId: 'other' })).status, 200);
    assert.match((await browser.open('/account')).text, /Signed in as/);
    assert.deepEqual(await (await end(admin)).json(), { ended: 1 });
    assert.match((await browser.open('/account')).text, /name="password"/);
    await signIn(browser);
    assert.equal((await end({ ...admin, principalId, scopes: ['openid', 'account:read'] })).status, 403);
    const ended = await end({ ...admin, principalId, scopes: ['account:write'] });
    assert.deepEqual(await ended.json(), { ended: 1 });
    assert.match(ended.headers.get('position') ?? '', /^[1-9]\d*$/);
    assert.equal((await end(admin)).headers.get('position'), null);
  });
});
