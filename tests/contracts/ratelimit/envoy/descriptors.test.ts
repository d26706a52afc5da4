/** Descriptors of an Envoy, and the charges that they become. */
import assert from 'node:assert/strict';
import { status } from '@grpc/grpc-js';
import { type EnvoyStage, entries, openEnvoyStage } from './fixture';

const minute = 2;

const refusedWith = async (code: status, asking: Promise<unknown>): Promise<void> =>
  assert.rejects(asking, (error: { readonly code?: number }) => error.code === code);

describe('descriptors of an Envoy', () => {
  let stage: EnvoyStage;
  before(async () => {
    stage = await openEnvoyStage();
  });
  after(() => stage.close());

  it('lets pass what no limit is for: other keys, and descriptors with too few keys', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const { code, statuses } = await stage.shouldRateLimit([
        entries({ header_match: 'x' }),
        entries({ region: 'eu' }),
      ]);
      assert.equal(code, 'OK');
      assert.deepEqual(
        statuses.map(({ limit }) => limit),
        [undefined, undefined],
      );
    }
    assert.match(await stage.get('/metrics'), /^ratelimit_descriptors_unmatched_total\{[^}]*\} 5$/m);
  });

  it('only looks when a descriptor adds no hits', async () => {
    const looking = [entries({ user: 'looked' }, { hits: 0 })];
    for (let attempt = 0; attempt < 4; attempt += 1) assert.equal((await stage.shouldRateLimit(looking)).code, 'OK');
    await stage.shouldRateLimit([entries({ user: 'looked' }, { hits: 3 })]);
    assert.equal((await stage.shouldRateLimit(looking)).code, 'OVER_LIMIT');
  });

  it('owes tokens that were used, room or not, and requires room otherwise', async () => {
    const user = { user: 'model-user', model: 'gpt' };
    const used = await stage.shouldRateLimit([entries({ ...user, unit: 'used-tokens' }, { hits: 1_400 })]);
    assert.equal(used.code, 'OK');
    const more = await stage.shouldRateLimit([entries({ ...user, unit: 'tokens' }, { hits: 1 })]);
    assert.equal(more.code, 'OVER_LIMIT');
    const reports = [1, 2].map(() => stage.shouldRateLimit([entries({ ...user, unit: 'used-tokens' }, { hits: 100 })]));
    await Promise.all(reports);
    const { body } = await stage.post('peek', {
      dimensions: { ...user, ip: '192.0.2.1', device: 'd' },
      weight: { inputTokens: 1, outputTokens: 0 },
    });
    const limits = body.limits as { readonly unit: string; readonly resetSeconds: number }[];
    const { resetSeconds = 0 } = limits.find(({ unit }) => unit === 'tokens') ?? {};
    assert.ok(resetSeconds > 1_590 * 86.4 && resetSeconds <= 1_601 * 86.4, String(resetSeconds));
  });

  it('owes requests that were made already, too', async () => {
    for (const hits of [2, 1]) {
      const { code } = await stage.shouldRateLimit([entries({ user: 'reported', unit: 'used-requests' }, { hits })]);
      assert.equal(code, 'OK');
    }
    assert.equal((await stage.shouldRateLimit([entries({ user: 'reported' })])).code, 'OVER_LIMIT');
  });

  it('gives back hits that are negative, of requests and of tokens', async () => {
    const chargeHits = async (hits: number, isNegative: boolean, more: Readonly<Record<string, string>> = {}) => {
      const { code, statuses } = await stage.shouldRateLimit([
        entries({ user: 'given-back', ...more }, { hits, isNegative }),
      ]);
      return [code, statuses[0]?.remaining];
    };
    assert.deepEqual(await chargeHits(3, false), ['OK', 0]);
    assert.deepEqual(await chargeHits(2, true), ['OK', 2]);
    assert.deepEqual(await chargeHits(9, true), ['OK', 3]);
    const tokens = { model: 'gpt', unit: 'tokens' };
    assert.deepEqual(await chargeHits(1_000, false, tokens), ['OK', 0]);
    assert.deepEqual(await chargeHits(400, true, tokens), ['OK', 400]);
  });

  it('forwards to the service behind that it should serve less, and when its turn is', async () => {
    const full = [entries({ region: 'full-eu' })];
    assert.deepEqual((await stage.shouldRateLimit(full, 3)).forwarded, {});
    const over = await stage.shouldRateLimit(full);
    assert.deepEqual([over.code, over.forwarded], ['OK', { 'x-ratelimit-degrade': 'smaller' }]);
    assert.equal(over.headers['x-ratelimit-degrade'], 'smaller');
    const device = entries({ device: 'queued' });
    assert.deepEqual((await stage.shouldRateLimit([device])).forwarded, {});
    const turn = Number((await stage.shouldRateLimit([device])).forwarded['x-ratelimit-turn-ms']);
    assert.ok(turn > 0 && turn <= 60_000, String(turn));
  });

  it('takes a limit that a descriptor brings along, where that is allowed', async () => {
    const own = entries({ user: 'own-limit' }, { limit: [5, minute] });
    const answers = [];
    for (let attempt = 0; attempt < 5; attempt += 1) answers.push(await stage.shouldRateLimit([own]));
    assert.deepEqual([...new Set(answers.map(({ code }) => code))], ['OK']);
    assert.deepEqual(answers[0]?.statuses[0]?.limit, [5, minute]);
    for (const limit of [
      [0, minute],
      [5, 0],
      [5, 99],
    ] as const)
      await refusedWith(status.INVALID_ARGUMENT, stage.shouldRateLimit([entries({ user: 'x' }, { limit })]));
  });
});
