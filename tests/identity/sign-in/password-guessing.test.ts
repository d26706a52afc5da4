import assert from 'node:assert/strict';
import { left } from 'fp-ts/Either';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { fault } from '../../../domain/kernel/rejection';
import { enrolPerson, type PeopleStage, signIn, startPeople, strongPassword } from './fixture';

const passwordField = /name="password"/;

describe('guessing, and what is left of it', () => {
  let stage: PeopleStage;
  beforeEach(async () => {
    stage = await startPeople();
  });
  afterEach(() => stage.close());

  it('guessing: after ten tries a login waits, others and other ways do not; then it may be tried again', async () => {
    await enrolPerson(stage);
    for (let tries = 0; tries < 10; tries += 1)
      assert.equal((await signIn(stage.browser(), 'ada@example.org', 'wrong')).status, 401);
    const locked = await signIn(stage.browser());
    assert.deepEqual([locked.status, locked.headers.get('retry-after')], [429, '900']);
    assert.equal((await signIn(stage.browser(), 'someone@example.org', 'wrong')).status, 401);
    stage.wait(15 * 60 + 1);
    assert.match((await signIn(stage.browser())).text, /Signed in as/);
  });

  it('guessing from one place over many logins: the place waits, by its network where it is of version 6', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const tryOne = async (index: number, address: string) => {
      const browser = stage.browser();
      await browser.open('/sign-in');
      return (await browser.submit('/sign-in', { login: `l${index}`, password: 'wrong' }, from(address))).status;
    };
    for (let index = 0; index < 100; index += 1)
      assert.equal(await tryOne(index, `2001:db8:1:2::${index.toString(16)}`), 401);
    assert.equal(await tryOne(200, '2001:db8:1:2:ffff::1'), 429);
    assert.equal(await tryOne(201, '2001:db8:1:3::1'), 401);
  });

  it('guessing while attempts cannot be counted: refused', async () => {
    await enrolPerson(stage);
    const away = async () => left(fault('service-unavailable', 'Away.'));
    const blind = await startPeople({
      attempts: { take: away, close: async () => undefined },
    });
    assert.equal((await signIn(blind.browser())).status, 503);
    await blind.close();
  });

  it('a person who is suspended, or whose epoch has risen, is signed in nowhere', async () => {
    const { browser, principalId: id } = await enrolPerson(stage);
    const principalId = id as PrincipalId;
    const bumped = { principalId, from: 1, to: 2, grants: 'kept', reason: 'Lost.' } as const;
    await stage.record(id, { type: 'SecurityEpochBumped', data: bumped });
    assert.match((await browser.open('/account')).text, passwordField);
    await signIn(browser);
    const account = (await browser.open('/account')).text;
    assert.match(account, /Signed in as/);
    assert.equal(account.match(/Firefox on Linux/g)?.length, 1, 'nor is it in the list');
    await stage.record(id, { type: 'PrincipalSuspended', data: { principalId, reason: 'Left.' } });
    assert.match((await browser.open('/account')).text, passwordField);
    assert.equal((await signIn(browser)).status, 401);
  });

  it('reading the log, its ids and the service’s own lines: no password, code, link, key or cookie is there', async () => {
    const { browser, enrolmentUrl } = await enrolPerson(stage);
    const key = /data-key>([A-Z2-7]+)</.exec((await browser.open('/account/totp')).text)?.[1] ?? 'none';
    await signIn(browser, 'ada@example.org', 'a wrong password here');
    const text = await stage.everything();
    const secrets = [strongPassword, 'a wrong password here', enrolmentUrl.split('.').at(-1) ?? '', key];
    const cookies = [...browser.jar.values()].map((value) => value.split('.').at(-1) ?? '');
    for (const secret of [...secrets, ...cookies]) assert.ok(secret.length > 8 && !text.includes(secret), secret);
  });
});
