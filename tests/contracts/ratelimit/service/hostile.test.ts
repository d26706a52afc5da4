/** What strangers may send to the limiter: refused with the field that is wrong, and nothing is taken. */
import assert from 'node:assert/strict';
import { bucket, type Stage, startLimiterService } from './fixture';

const user = (name: string, more: object = {}) => ({ dimensions: { user: name }, ...more });
const pointers = (body: object): readonly string[] =>
  (body as { readonly errors: readonly { readonly pointer: string }[] }).errors.map(({ pointer }) => pointer);

describe('hostile questions to the limiter', () => {
  let stage: Stage;
  before(async () => {
    stage = await startLimiterService({
      rules: [bucket('requests'), bucket('devices', { by: ['user', 'device'], when: { device: ['*'] } })],
    });
  });
  after(() => stage.close());

  const untouched = async (name: string): Promise<void> => {
    const { body } = await stage.post('peek', user(name));
    const limits = body.limits as { readonly remaining: number }[];
    assert.deepEqual(
      limits.map(({ remaining }) => remaining),
      [3],
    );
  };

  const wrong: readonly (readonly [what: string, body: object, pointer: string])[] = [
    ['no dimensions', {}, '/body/dimensions'],
    ['a list of them', { dimensions: [] }, '/body/dimensions'],
    ['a number for a name', { dimensions: { user: 1 } }, '/body/dimensions/user'],
    ['an empty name', { dimensions: { user: '' } }, '/body/dimensions/user'],
    ['a name without end', { dimensions: { user: 'u'.repeat(1_025) } }, '/body/dimensions/user'],
    ['half a character', { dimensions: { user: '\ud800' } }, '/body/dimensions/user'],
    ['less than nothing', user('wrong', { weight: { requests: -1 } }), '/body/weight/requests'],
    ['half a request', user('wrong', { weight: { requests: 0.5 } }), '/body/weight/requests'],
    ['more than can be counted', user('wrong', { weight: { bytes: 2 ** 53 } }), '/body/weight/bytes'],
    ['tools by words', user('wrong', { weight: { tools: { search: 'often' } } }), '/body/weight/tools/search'],
    ['another mode', user('wrong', { mode: 'refund' }), '/body/mode'],
    ['a target without end', user('wrong', { target: `/${'x'.repeat(8_192)}` }), '/body/target'],
  ];
  for (const [what, body, pointer] of wrong)
    it(`refuses ${what}, and says where`, async () => {
      const answered = await stage.post('check', body);
      assert.equal(answered.status, 400);
      assert.deepEqual(pointers(answered.body), [pointer]);
      await untouched('wrong');
    });

  it('refuses what is no JSON that anybody means', async () => {
    const deep = `${'['.repeat(70)}${']'.repeat(70)}`;
    for (const text of ['', '{', 'null', deep, '{"dimensions":{"user":1e400}}', '{"dimensions":{},"dimensions":{}}']) {
      const { status } = await stage.post('check', text);
      assert.equal(status, 400, text);
    }
  });

  it('is not taken in by names that mean something to JavaScript', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const { status, body } = await stage.post('check', user(name, { plan: name, weight: { tools: { [name]: 1 } } }));
      assert.deepEqual([status, body.outcome], [200, 'allow'], name);
    }
  });

  it('keeps values apart that join to the same text', async () => {
    for (let taken = 0; taken < 3; taken += 1) await stage.post('check', { dimensions: { user: 'a', device: 'b:c' } });
    const denied = await stage.post('check', { dimensions: { user: 'a', device: 'b:c' } });
    assert.equal(denied.body.outcome, 'deny');
    const { body } = await stage.post('peek', { dimensions: { user: 'a:b', device: 'c' } });
    const limits = body.limits as { readonly remaining: number }[];
    assert.deepEqual(
      limits.map(({ remaining }) => remaining),
      [3, 3],
    );
  });

  it('refuses a plan that the policy does not have', async () => {
    const planned = await startLimiterService({
      rules: [bucket('requests')],
      policy: { plans: { pro: [bucket('requests')] } },
    });
    const one = (plan: string) => user('planned', { plan });
    const { status, body } = await planned.post('check', one('por'));
    assert.deepEqual([status, pointers(body)], [400, ['/body/plan']]);
    const batch = await planned.post('check/batch', { requests: [one('pro'), one('por')] });
    assert.deepEqual([batch.status, pointers(batch.body)], [400, ['/body/requests/1/plan']]);
    const peeked = await planned.post('peek', one('pro'));
    assert.equal((peeked.body.limits as { readonly remaining: number }[])[0]?.remaining, 3);
    await planned.close();
  });

  it('does nothing of a batch with one wrong request, and names it', async () => {
    const { status, body } = await stage.post('check/batch', { requests: [user('batched'), { dimensions: 1 }] });
    assert.equal(status, 400);
    assert.deepEqual(pointers(body), ['/body/requests/1/dimensions']);
    const foreign = { dimensions: { user: 'batched', tenant: 'somebody' } };
    const refused = await stage.post('check/batch', { requests: [user('batched'), foreign] });
    assert.equal(refused.status, 403);
    await untouched('batched');
  });

  it('takes from 1 to 100 at once', async () => {
    for (const requests of [[], Array.from({ length: 101 }, () => user('many'))])
      for (const path of ['check/batch', 'peek/batch']) {
        const { status, body } = await stage.post(path, { requests });
        assert.equal(status, 400);
        assert.deepEqual(pointers(body), ['/body/requests']);
      }
    const hundred = Array.from({ length: 100 }, (_, index) => user(`many-${index}`));
    assert.equal((await stage.post('check/batch', { requests: hundred })).status, 200);
  });

  it('refuses requests about another tenant, also from operators of the platform', async () => {
    const operator = stage.identity({ tenantId: 'main', scopes: ['ratelimit:check', 'platform:write'] });
    const { status, body } = await stage.post('check', { dimensions: { tenant: stage.tenant, user: 'x' } }, operator);
    assert.deepEqual([status, body.code], [403, 'forbidden']);
    const own = await stage.post('check', { dimensions: { tenant: stage.tenant, user: 'x' } });
    assert.equal(own.status, 200);
  });

  it('requires its scope at every endpoint', async () => {
    const without = stage.identity({ scopes: ['ratelimit:read', 'platform:write'] });
    for (const path of ['check', 'peek', 'settle', 'check/batch', 'peek/batch', 'settle/batch']) {
      const { status, body } = await stage.post(path, user('x'), without);
      assert.deepEqual([path, status, body.code], [path, 403, 'forbidden']);
    }
  });

  it('takes requests from the gateway only', async () => {
    const response = await fetch(`${stage.base}/v1/ratelimit/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(user('x')),
    });
    assert.equal(response.status, 401);
  });

  it('settles by what it came to or by how it ended, and not by both', async () => {
    const expected = async (more: object) => {
      const { status, body } = await stage.post('settle', { reservationId: 'x', ...more });
      return [status, body.errors];
    };
    const pointer = '/body/actual';
    const neither = { pointer, expected: 'this or an outcome: there is neither' };
    assert.deepEqual(await expected({}), [400, [neither]]);
    const both = { pointer, expected: 'this or an outcome, not both' };
    assert.deepEqual(await expected({ actual: {}, outcome: 'failed' }), [400, [both]]);
    const late = await stage.post('settle', { reservationId: 'x', outcome: 'failed', final: false });
    assert.deepEqual([late.status, pointers(late.body)], [400, ['/body/final']]);
  });
});
