/** The limiter over HTTP, counting in a real store. */
import assert from 'node:assert/strict';
import { bucket, type Stage, startLimiterService, tokens } from './fixture';

const user = (name: string, more: object = {}) => ({ dimensions: { user: name }, ...more });

describe('the limiter over HTTP', () => {
  let stage: Stage;
  before(async () => {
    const byModel = tokens('secret-tokens', { by: ['user', 'model'], when: { model: ['*'] } });
    const watched = bucket('secret-watched', { strictness: 'watched' });
    stage = await startLimiterService({ rules: [bucket('secret-requests'), byModel, watched] });
  });
  after(() => stage.close());

  it('lets so many pass, answers 200 with a denial, and says when to come back', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => stage.post('check', user('four'))));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    const denied = answers.filter(({ body }) => body.outcome === 'deny').map(({ body }) => body);
    const [{ reason, retryAfterSeconds, configVersion } = {}, ...more] = denied;
    assert.deepEqual([reason, configVersion, more.length], ['limited', '1', 0]);
    assert.ok(Number(retryAfterSeconds) > 28_000);
  });

  it('shows limits by unit, no name of a rule, and nothing of a dry run', async () => {
    const { body } = await stage.post('peek', user('shown'));
    assert.deepEqual(body.limits, [
      { unit: 'requests', limit: 3, remaining: 3, resetSeconds: 0, windowSeconds: 86_400, over: false },
    ]);
    assert.doesNotMatch(JSON.stringify(body), /secret/);
  });

  it('takes nothing when it is only looked', async () => {
    for (let look = 0; look < 5; look += 1)
      assert.equal((await stage.post('peek', user('looked'))).body.outcome, 'allow');
  });

  it('says for good that a request is larger than its limit', async () => {
    const { status, body } = await stage.post('check', {
      dimensions: { user: 'large', model: 'gpt' },
      weight: { inputTokens: 1_001, outputTokens: 0 },
    });
    assert.deepEqual(
      [status, body.outcome, body.reason, body.retryAfterSeconds, body.reservationId],
      [200, 'deny', 'too-large', 0, undefined],
    );
  });

  it('decides each of a batch by itself', async () => {
    const requests = [1, 2, 3, 4].map(() => user('batch')).concat([user('other')]);
    const { body } = await stage.post('check/batch', { requests });
    const outcomes = (body.answers as { readonly outcome: string }[]).map(({ outcome }) => outcome);
    assert.deepEqual(outcomes.slice(0, 4).sort(), ['allow', 'allow', 'allow', 'deny']);
    assert.equal(outcomes[4], 'allow');
    const peeked = await stage.post('peek/batch', { requests: [user('batch'), user('other')] });
    assert.deepEqual(
      (peeked.body.answers as { readonly outcome: string }[]).map(({ outcome }) => outcome),
      ['deny', 'allow'],
    );
  });

  it('counts each tenant by itself, whatever a rule says', async () => {
    const other = stage.identity({ tenantId: `${stage.tenant}-other` });
    for (let taken = 0; taken < 3; taken += 1) await stage.post('check', user('same'), other);
    assert.equal((await stage.post('check', user('same'), other)).body.outcome, 'deny');
    assert.equal((await stage.post('check', user('same'))).body.outcome, 'allow');
  });

  it('publishes metrics without any value of callers', async () => {
    await stage.post('check', user('figure-user'));
    const metrics = await stage.get('/metrics');
    assert.match(metrics, /^ratelimit_decisions_total\{outcome="allow",reason="none",source="store"[^}]*\} [1-9]/m);
    assert.match(metrics, /^ratelimit_limits_over_total\{unit="requests",mode="enforced"[^}]*\} [1-9]/m);
    assert.match(metrics, /^ratelimit_store_breaker_state\{[^}]*\} 0$/m);
    assert.doesNotMatch(metrics, /figure-user|secret-|t-[0-9a-f]{8}-/);
  });
});
