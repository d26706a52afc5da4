import assert from 'node:assert/strict';
import { adminScopes } from '../../../domain/identity/scopes';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { admin, enrolPerson, type PeopleStage, signIn, startPeople, strongPassword } from '../sign-in/fixture';

describe('people as administrators make them', () => {
  let stage: PeopleStage;
  beforeEach(async () => {
    stage = await startPeople();
  });
  afterEach(() => stage.close());

  it('gives a new link to who lost every way in; the one before is void, and each works once', async () => {
    const { principalId, enrolmentUrl } = await enrolPerson(stage);
    const path = (url: string) => new URL(url).pathname + new URL(url).search;
    assert.equal((await stage.browser().open(path(enrolmentUrl))).status, 410);
    const link = async () =>
      (
        (await (await stage.api('POST', `/v1/principals/${principalId}/enrolments`, {})).json()) as {
          enrolmentUrl: string;
        }
      ).enrolmentUrl;
    const [first, second] = [await link(), await link()];
    assert.equal((await stage.browser().open(path(first))).status, 410);
    stage.wait(24 * 3_600 - 10);
    assert.equal((await stage.browser().open(path(second))).status, 200);
    stage.wait(11);
    assert.equal((await stage.browser().open(path(second))).status, 410);
  });

  it('lets who is suspended set nothing up by a link, until they are back', async () => {
    const made = await stage.api('POST', '/v1/people', { login: 'bob', displayName: 'Bob' });
    const { principalId: id, enrolmentUrl } = (await made.json()) as { principalId: string; enrolmentUrl: string };
    const path = enrolmentUrl.replace('https://septet.example', '');
    const browser = stage.browser();
    await browser.open(path);
    const principalId = id as PrincipalId;
    await stage.record(id, { type: 'PrincipalSuspended', data: { principalId, reason: 'Left.' } });
    assert.equal((await browser.submit('/sign-in/enrol', { password: strongPassword })).status, 403);
    assert.equal((await browser.open(path)).status, 403);
    await stage.record(id, { type: 'PrincipalReactivated', data: { principalId, reason: 'Back.' } });
    assert.equal((await signIn(stage.browser(), 'bob')).status, 401);
    await browser.open(path);
    assert.match((await browser.submit('/sign-in/enrol', { password: strongPassword })).text, /Signed in as/);
  });

  it('ends every session of before with the password that a link sets', async () => {
    const { principalId, browser } = await enrolPerson(stage);
    const made = await stage.api('POST', `/v1/principals/${principalId}/enrolments`, {});
    const { enrolmentUrl } = (await made.json()) as { enrolmentUrl: string };
    const other = stage.browser();
    await other.open(enrolmentUrl.replace('https://septet.example', ''));
    assert.match((await browser.open('/account')).text, /Signed in as/);
    assert.match((await other.submit('/sign-in/enrol', { password: `${strongPassword}, still` })).text, /Signed in as/);
    assert.match((await browser.open('/account')).text, /name="password"/);
  });

  it('replaces the login; the earlier one is free again', async () => {
    const { principalId } = await enrolPerson(stage);
    const path = `/v1/principals/${principalId}/enrolments`;
    assert.equal((await stage.api('POST', path, { login: 'ada.king@example.org' })).status, 201);
    assert.equal((await signIn(stage.browser())).status, 401);
    assert.match((await signIn(stage.browser(), 'ada.king@example.org')).text, /Signed in as/);
    assert.equal((await stage.api('POST', '/v1/people', { login: 'ada@example.org', displayName: 'A' })).status, 201);
    assert.equal((await stage.api('POST', path, { login: 'ada@example.org' })).status, 409);
    assert.match((await signIn(stage.browser(), 'ada.king@example.org')).text, /Signed in as/);
  });

  it('gives no roles and links to a person with more authority than the caller', async () => {
    const promoted = await stage.api('POST', '/v1/people', { login: 'x', displayName: 'X', roles: ['admin'] });
    assert.deepEqual([promoted.status, ((await promoted.json()) as { code: string }).code], [403, 'scope-not-held']);
    assert.equal((await stage.api('POST', '/v1/people', { login: 'x', displayName: 'X' })).status, 201);
    const all = { ...admin, principalId: 'p-1', scopes: adminScopes };
    const made = await stage.api('POST', '/v1/people', { login: 'root', displayName: 'R', roles: ['admin'] }, all);
    const { principalId } = (await made.json()) as { principalId: string };
    assert.equal((await stage.api('POST', `/v1/principals/${principalId}/enrolments`, {})).status, 403);
    const oneself = { ...all, principalId };
    assert.equal((await stage.api('POST', `/v1/principals/${principalId}/enrolments`, {}, oneself)).status, 403);
    assert.equal((await stage.api('POST', `/v1/principals/${principalId}/enrolments`, {}, all)).status, 201);
  });

  it('answers a retry with the same person and link, and refuses a login that is taken', async () => {
    const make = (login: string, key: string) =>
      stage.api('POST', '/v1/people', { login, displayName: 'Ada' }, admin, key);
    const first = await make('ada', 'k');
    stage.wait(5);
    const retry = await make('ada', 'k');
    assert.match(first.headers.get('position') ?? '', /^[1-9]\d*$/);
    assert.equal(retry.headers.get('position'), first.headers.get('position'));
    const [one, same] = [await first.json(), await retry.json()];
    assert.deepEqual(same, one);
    const again = async () => {
      const { principalId } = one as { principalId: string };
      return (await stage.api('POST', `/v1/principals/${principalId}/enrolments`, {}, admin, 'l')).json();
    };
    const link = await again();
    stage.wait(5);
    assert.deepEqual(await again(), link);
    const taken = await make(' ADA ', 'other');
    assert.deepEqual([taken.status, ((await taken.json()) as { code: string }).code], [409, 'identifier-taken']);
  });
});
