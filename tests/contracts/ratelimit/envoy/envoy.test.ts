/** Requests of an Envoy over gRPC, counted in a real store. */
import assert from 'node:assert/strict';
import { type RequestedDescriptor, requestBytes } from './envoy-client';
import { type EnvoyStage, entries, openEnvoyStage } from './fixture';
import { nested, number } from './protobuf-bytes';

const day = 4;

/** As Envoy's own definitions (go-control-plane 1.40.0) write it. */
const written =
  '0a046170697312320a0e0a0674656e616e74120461636d650a0c0a04757365721204c3bc2d311208080710031a0208031a060880e497d012' +
  '2001121f0a1d0a0e72656d6f74655f61646472657373120b323030313a6462383a3a3118ac02';

describe('the limiter as an Envoy asks it', () => {
  let stage: EnvoyStage;
  before(async () => {
    stage = await openEnvoyStage();
  });
  after(() => stage.close());

  it('writes in these tests what Envoy’s own definitions write', () => {
    const full = Buffer.concat([
      nested(1, nested(1, 'tenant'), nested(2, 'acme')),
      nested(1, nested(1, 'user'), nested(2, 'ü-1')),
      nested(2, number(1, 7), number(2, 3), nested(3, number(1, 3))),
      nested(3, number(1, 5_000_000_000n)),
      number(4, 1),
    ]);
    const second = requestBytes({ domain: '', descriptors: [entries({ remote_address: '2001:db8::1' })] });
    const bytes = Buffer.concat([nested(1, 'apis'), nested(2, full), second.subarray(2), number(3, 300)]);
    assert.equal(bytes.toString('hex'), written);
  });

  it('admits what is within the limit, and answers what is over it as the gateway does', async () => {
    const user = entries({ user: 'four' });
    const first = await stage.shouldRateLimit([user]);
    assert.equal(first.code, 'OK');
    assert.deepEqual(first.statuses, [
      { code: 'OK', limit: [3, day], multiplier: 1, name: 'requests', remaining: 2, resetSeconds: 28_800 },
    ]);
    assert.equal(first.headers['x-ratelimit-remaining'], '2');
    await stage.shouldRateLimit([user], 2);
    const over = await stage.shouldRateLimit([user]);
    assert.equal(over.code, 'OVER_LIMIT');
    assert.equal(over.headers['content-type'], 'application/json');
    const body = JSON.parse(over.body) as Record<string, unknown>;
    assert.equal(body.error, 'rate_limited');
    assert.equal(String(body.retryAfterSeconds), over.headers['retry-after']);
    assert.doesNotMatch(JSON.stringify(over), /users/);
  });

  it('counts in the same place as HTTP', async () => {
    await stage.shouldRateLimit([entries({ 'x-person': 'both' })], 3);
    const { body } = await stage.post('check', {
      dimensions: { user: 'both', ip: '192.0.2.9', device: 'd', model: 'm' },
    });
    assert.equal(body.outcome, 'deny');
  });

  it('takes all that the descriptors ask for, or nothing', async () => {
    await stage.shouldRateLimit([entries({ remote_address: '2001:db8:0:1::1' })], 3);
    const both = [entries({ user: 'whole' }), entries({ remote_address: '2001:db8:0:1:ffff::2' })];
    assert.equal((await stage.shouldRateLimit(both)).code, 'OVER_LIMIT');
    const contradicting = [entries({ user: 'whole' }), entries({ user: 'four-2' }), both[1] as RequestedDescriptor];
    assert.equal((await stage.shouldRateLimit(contradicting)).code, 'OVER_LIMIT');
    const { statuses } = await stage.shouldRateLimit([entries({ user: 'whole' }), entries({ user: 'four-2' })]);
    assert.deepEqual(
      statuses.map(({ code, remaining }) => [code, remaining]),
      [
        ['OK', 2],
        ['OK', 2],
      ],
    );
  });

  it('takes nothing for descriptors of a request that another one refuses', async () => {
    await stage.shouldRateLimit([entries({ user: 'used-up' })], 3);
    const requests = [entries({ user: 'spared' }), entries({ user: 'used-up' })];
    for (let refused = 0; refused < 5; refused += 1) {
      const { statuses } = await stage.shouldRateLimit(requests);
      assert.deepEqual(
        statuses.map(({ code, remaining }) => [code, remaining]),
        [
          ['OK', 3],
          ['OVER_LIMIT', 0],
        ],
      );
    }
    assert.equal((await stage.shouldRateLimit([entries({ user: 'spared' })], 3)).code, 'OK');
  });

  it('answers what is left for every descriptor of a refused request, and the longest wait', async () => {
    await stage.shouldRateLimit([entries({ user: 'first-full' })], 3);
    const later = entries({ user: 'some-left' });
    await stage.shouldRateLimit([later], 2);
    const { statuses, headers } = await stage.shouldRateLimit([entries({ user: 'first-full' }), later], 2);
    assert.deepEqual(
      statuses.map(({ code, remaining }) => [code, remaining]),
      [
        ['OVER_LIMIT', 0],
        ['OVER_LIMIT', 1],
      ],
    );
    assert.ok(Number(headers['retry-after']) > 28_800, headers['retry-after']);
  });

  it('denies callers that the policy blocks', async () => {
    const { code, body } = await stage.shouldRateLimit([entries({ user: 'bad-one' })]);
    assert.deepEqual([code, JSON.parse(body)], ['OVER_LIMIT', { error: 'blocked', message: 'Not you.' }]);
  });
});
