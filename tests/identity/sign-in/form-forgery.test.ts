import assert from 'node:assert/strict';
import { enrolPerson, origin, type PeopleStage, startPeople, strongPassword } from './fixture';

describe('forms and pages in others’ hands', () => {
  let stage: PeopleStage;
  beforeEach(async () => {
    stage = await startPeople();
  });
  afterEach(() => stage.close());

  it('cross-site request forgery: no form does anything without its token, from elsewhere, or with another browser’s', async () => {
    const { browser } = await enrolPerson(stage);
    await browser.open('/account');
    const thief = stage.browser();
    await thief.open('/sign-in');
    const theirs = thief.fields('/sign-in').csrf ?? '';
    const mine = browser.fields('/account/sessions/end-all').csrf ?? '';
    const forms = [
      ['/account/sessions/end', { session: 'a' }],
      ['/account/sessions/end-all', {}],
      ['/account/password', { password: strongPassword }],
      ['/account/password/remove', {}],
      ['/account/passkeys', { answer: '{}' }],
      ['/account/passkeys/remove', { passkey: 'x' }],
      ['/account/totp', { code: '000000' }],
      ['/account/totp/remove', {}],
      ['/account/recovery-codes', {}],
      ['/account/links/remove', { link: 'a'.repeat(64) }],
      ['/account/sign-out', {}],
      ['/sign-in', { login: 'ada@example.org', password: strongPassword }],
      ['/sign-in/passkey', { answer: '{}' }],
      ['/sign-in/first', { code: 'x' }],
      ['/sign-in/with', { provider: 'x' }],
      ['/sign-in/enrol', { token: 'x' }],
      ['/sign-in/enrol/passkey', { token: 'x' }],
    ] as const;
    for (const [action, fields] of forms) {
      const tries: readonly (readonly [Record<string, string>, Record<string, string>])[] = [
        [{}, {}],
        [{ csrf: theirs }, {}],
        [{ csrf: mine }, { 'sec-fetch-site': 'cross-site' }],
        [{ csrf: mine }, { 'sec-fetch-site': 'same-site' }],
        [{ csrf: mine }, { origin: 'https://evil.example' }],
      ];
      for (const [token, headers] of tries) {
        const answer = await browser.request(action, { ...fields, ...token }, headers);
        assert.equal(answer.status, 403, `${action} ${JSON.stringify([token, headers])}`);
      }
    }
    assert.match((await browser.open('/account')).text, /Signed in as/);
  });

  it('behind a proxy whose address was not set: one line of the log says which variable to set', async () => {
    const { browser } = await enrolPerson(stage);
    await browser.open('/account');
    const csrf = browser.fields('/account/sessions/end-all').csrf ?? '';
    const seen = 'https://sign-in.example.org';
    const headerSets: readonly Record<string, string>[] = [{}, { 'sec-fetch-site': 'same-origin' }];
    for (const headers of headerSets.map((more) => ({ origin: seen, ...more })))
      for (const action of ['/account/sessions/end-all', '/sign-in']) {
        const answer = await browser.request(action, { csrf }, headers);
        assert.deepEqual([answer.status, /This form cannot be accepted/.test(answer.text)], [403, true]);
      }
    const lines = stage.written.filter(({ level }) => level !== 'debug');
    assert.deepEqual(
      lines.map(({ level, fields }) => [level, fields]),
      [['warn', { origin: seen, publicOrigin: origin }]],
    );
    assert.match(lines[0]?.message ?? '', /PUBLIC_URL/);
  });

  it('login forgery: the form of one visit signs in in no other browser', async () => {
    await enrolPerson(stage);
    const thief = stage.browser();
    await thief.open('/sign-in');
    const form = { ...thief.fields('/sign-in'), login: 'ada@example.org', password: strongPassword };
    const victim = stage.browser();
    assert.equal((await victim.request('/sign-in', form)).status, 403);
    await victim.open('/sign-in');
    assert.equal((await victim.request('/sign-in', form)).status, 403);
  });

  it('clickjacking and leaks: no page can be framed, cached, or sends a referrer', async () => {
    const { browser } = await enrolPerson(stage);
    for (const path of [
      '/account',
      '/account/password',
      '/account/totp',
      '/account/sign-out',
      '/sign-in?prompt=login',
      '/sign-in/first',
      '/sign-in/enrol?token=x',
    ]) {
      const { headers } = await browser.request(path);
      const policy = headers.get('content-security-policy') ?? '';
      for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"])
        assert.ok(policy.includes(part), `${path} ${part}`);
      assert.ok(!/unsafe|\*/.test(policy), path);
      const [frame, referrer, cache] = ['x-frame-options', 'referrer-policy', 'cache-control'].map((name) =>
        headers.get(name),
      );
      assert.deepEqual([frame, referrer, cache], ['DENY', 'no-referrer', 'no-store'], path);
    }
  });
});
