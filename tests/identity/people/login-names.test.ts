import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import { createPerson } from '../../../commands/identity/people/create-person';
import { enrolmentPath, issueEnrolment } from '../../../commands/identity/sign-in/enrolment/enrolment-link';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { jsonOf } from '../command-api';
import { bootstrapCode, enrolPerson, type PeopleStage, signIn, startPeople, strongPassword } from '../sign-in/fixture';

describe('logins that look like each other', () => {
  let stage: PeopleStage;
  beforeEach(async () => {
    stage = await startPeople();
  });
  afterEach(() => stage.close());

  const faultOf = async (body: object) => {
    const answer = await stage.api('POST', '/v1/people', body);
    const { errors } = (await jsonOf(answer)) as { errors?: readonly unknown[] };
    return [answer.status, ...(errors ?? [])];
  };

  for (const [what, character, code] of [
    ['a zero-width space', '\u200b', 'U+200B'],
    ['a soft hyphen', '\u00ad', 'U+00AD'],
    ['a tag', '\u{e0061}', 'U+E0061'],
    ['a variation selector', '\ufe0f', 'U+FE0F'],
    ['a joiner', '\u200d', 'U+200D'],
    ['a direction override', '\u202e', 'U+202E'],
  ] as const)
    it(`are no two by ${what}`, async () => {
      await enrolPerson(stage);
      assert.deepEqual(await faultOf({ login: `ada${character}@example.org`, displayName: 'Ada' }), [
        400,
        { pointer: '/body/login', expected: `text without ${code}` },
      ]);
    });

  it('are one, whatever case, width and form', async () => {
    await enrolPerson(stage, 'café');
    for (const login of ['CAFÉ', 'cafe\u0301', 'ｃａｆé', ' café '])
      assert.equal((await stage.api('POST', '/v1/people', { login, displayName: 'Ada' })).status, 409, login);
    assert.match((await signIn(stage.browser(), 'ＣＡＦÉ')).text, /Signed in as/);
  });

  it('have no spaces within, at the API and at the first sign-in, which says so besides a wrong code', async () => {
    for (const login of ['a b c', 'ada\u00a0b', 'a\u3000b'])
      assert.deepEqual(await faultOf({ login, displayName: 'Ada' }), [
        400,
        { pointer: '/body/login', expected: 'text without spaces' },
      ]);
    const browser = stage.browser();
    await browser.open('/sign-in/first');
    const refused = await browser.submit('/sign-in/first', { code: 'no', login: 'a b', displayName: 'Ada' });
    assert.match(refused.text, /not a code of a first start[^<]*Enter a login and your name, as text without spaces\./);
  });

  it('are of one alphabet in each word', async () => {
    assert.deepEqual(await faultOf({ login: 'аda@example.org', displayName: 'Ada' }), [
      400,
      { pointer: '/body/login', expected: 'words of one alphabet each' },
    ]);
  });

  it('have no letters of another script among those of an alphabet, and no second dot', async () => {
    for (const [login, expected] of [
      ['\ua4dada@example.org', 'words of one alphabet each'],
      ['ad\u05e1@example.org', 'words of one alphabet each'],
      ['i\u0307da@example.org', 'text without U+0307'],
      ['\u0131\u0307da@example.org', 'text without U+0307'],
      ['ad\ufffd@example.org', 'text without U+FFFD'],
    ] as const)
      assert.deepEqual(
        await faultOf({ login, displayName: 'Ada' }),
        [400, { pointer: '/body/login', expected }],
        login,
      );
    for (const login of ['İbrahim', 'Tシャツ', 'иван', 'Łukasz', '김Kim'])
      assert.equal((await stage.api('POST', '/v1/people', { login, displayName: 'Ada' })).status, 201, login);
  });

  it('are refused before they are normalised where they are far too long', async () => {
    const login = `a${'\u0301\u0316'.repeat(200_000)}`;
    const [status, fault] = await faultOf({ login, displayName: 'Ada' });
    assert.equal(status, 400);
    assert.equal((fault as { readonly pointer: string }).pointer, '/body/login');
  });

  it('are still signed in by where they were taken before', async () => {
    const [tenantId, principalId, login] = ['acme' as TenantId, 'p-old' as PrincipalId, 'a\u200bda'];
    const context = { requestId: 'r', actor: 'admin' };
    const done = { commandId: randomUUID(), context };
    const person = { tenantId, principalId, login, displayName: '\u202eAda', email: null };
    assert.ok(isRight(await createPerson(stage.deps, person, { ...done, more: [] })));
    const enrolment = await issueEnrolment(stage.deps, { tenantId, principalId }, done);
    assert.ok(isRight(enrolment));
    const browser = stage.browser();
    await browser.open(enrolmentPath(enrolment.right));
    assert.equal((await browser.submit('/sign-in/enrol', { password: strongPassword })).status, 200);
    const page = await signIn(stage.browser(), login);
    assert.match(page.text, /Signed in as/);
    assert.ok(!/[\u200b\u202e]/.test(page.text) && page.text.includes('\ufffd'));
  });

  it('and names are refused on the page of the first sign-in', async () => {
    const browser = stage.browser();
    await browser.open('/sign-in/first');
    const page = await browser.submit('/sign-in/first', {
      code: bootstrapCode,
      login: 'ro\u200bot',
      displayName: 'Root',
    });
    assert.equal(page.status, 403);
    assert.match(page.text, /U\+200B/);
  });
});
