/** The limiter while its policy changes, and while its store is away. */
import assert from 'node:assert/strict';
import { startDedicatedValkey } from '../../../support/servers/dedicated-valkey';
import { openProxy, type ServerProxy } from '../../../support/servers/proxy';
import { valkeyForTests } from '../../../support/servers/shared-servers';
import { eventually } from '../../../support/waiting/eventually';
import { bucket, type Stage, startLimiterService } from './fixture';

const user = (name: string, more: object = {}) => ({ dimensions: { user: name, ...more } });

describe('the policy of the limiter', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await startLimiterService({ rules: [bucket('requests')] });
  });
  afterEach(() => stage.close());

  const inForce = async (version: string): Promise<void> => {
    const { body } = await stage.post('peek', user('looked'));
    assert.equal(body.configVersion, version);
  };

  it('is exchanged while the limiter serves, and what was used stays used', async () => {
    for (let taken = 0; taken < 3; taken += 1) await stage.post('check', user('before'));
    const { body: reserved } = await stage.post('check', { ...user('reserved'), mode: 'reserve' });
    const limit = { algorithm: 'token-bucket', limit: 5, periodMilliseconds: 86_400_000, burst: 5 } as const;
    stage.writePolicy('2', [bucket('requests', { limit })]);
    await eventually(() => inForce('2'));
    const allowed = [await stage.post('check', user('before')), await stage.post('check', user('before'))];
    assert.deepEqual(
      allowed.map(({ body }) => body.outcome),
      ['allow', 'allow'],
    );
    assert.equal((await stage.post('check', user('before'))).body.outcome, 'deny');
    const settled = await stage.post('settle', { reservationId: reserved.reservationId, actual: { requests: 1 } });
    assert.equal(settled.body.outcome, 'settled');
  });

  it('stays when its file is invalid, logs the reason, and is exchanged once the file is valid', async () => {
    const refused = async (why: RegExp): Promise<void> => {
      const { parts, ready } = await stage.health();
      assert.ok(ready);
      assert.equal(parts.policy?.ok, false);
      assert.match(String(parts.policy.detail), why);
    };
    stage.write('{"version":"2","defaults":[');
    await eventually(() => refused(/JSON/));
    stage.write(JSON.stringify({ version: '3', defaults: [{ ...bucket('requests'), by: ['shoe-size'] }] }));
    await eventually(() => refused(/\/defaults\/0\/by\/0/));
    await inForce('1');
    stage.writePolicy('4', [bucket('requests')]);
    await eventually(() => inForce('4'));
    const { parts } = await stage.health();
    assert.deepEqual(parts.policy, { ok: true, detail: 'Version 4 is in force.' });
  });

  it('ends the process at its start when it is no good', async () => {
    const rules = [bucket('requests'), bucket('requests')];
    await assert.rejects(startLimiterService({ rules }), /\/defaults\/1\/name requests is there twice/);
  });
});

describe('the limiter while its store is away', () => {
  let stage: Stage;
  let proxy: ServerProxy;
  before(async () => {
    proxy = await openProxy((await valkeyForTests()).url);
    const limit = { algorithm: 'token-bucket', limit: 10, periodMilliseconds: 86_400_000, burst: 10 } as const;
    stage = await startLimiterService({
      redis: proxy.url,
      env: { RATELIMIT_STORE_MILLISECONDS: '2000' },
      rules: [
        bucket('closed', { when: { user: ['login-*'] } }),
        bucket('open', { when: { user: ['read-*'] }, onStoreError: 'allow' }),
        bucket('local', { when: { user: ['core-*'] }, limit, onStoreError: { local: 0.5 } }),
      ],
    });
  });
  after(async () => {
    await stage.close();
    await proxy.close();
  });

  const decided = async (name: string) => {
    const { status, body } = await stage.post('check', user(name));
    return [status, body.outcome, body.reason ?? body.source];
  };

  it('decides by each rule, says so, and counts again once it is back', async () => {
    assert.deepEqual(await decided('login-1'), [200, 'allow', 'store']);
    const { body: reserved } = await stage.post('check', { ...user('login-1'), mode: 'reserve' });
    proxy.away();
    await eventually(async () => assert.deepEqual(await decided('login-1'), [200, 'deny', 'store-unavailable']));
    assert.deepEqual(await decided('read-1'), [200, 'allow', 'policy']);
    const local = await Promise.all(Array.from({ length: 10 }, () => decided('core-1')));
    assert.equal(local.filter(([, outcome]) => outcome === 'allow').length, 5);
    const unsettled = await stage.post('settle', { reservationId: reserved.reservationId, outcome: 'failed' });
    assert.deepEqual([unsettled.status, unsettled.body.code], [503, 'service-unavailable']);
    await eventually(async () => {
      await decided('login-1');
      const { ready, parts } = await stage.health();
      assert.deepEqual([ready, parts.store?.ok], [true, false]);
    });
    proxy.back();
    await eventually(async () => assert.deepEqual(await decided('login-2'), [200, 'allow', 'store']));
    await eventually(async () => {
      await decided('login-3');
      assert.equal((await stage.health()).parts.store?.ok, true);
    });
    assert.equal(
      (await stage.post('settle', { reservationId: reserved.reservationId, outcome: 'failed' })).status,
      200,
    );
    assert.match(await stage.get('/metrics'), /^ratelimit_store_faults_total\{[^}]*\} [1-9]/m);
  });

  it('says within a second that a store is frozen, although no request is decided', async () => {
    const frozen = await startDedicatedValkey();
    const idle = await startLimiterService({ rules: [bucket('closed')], env: { REDIS_URL: frozen.url } });
    try {
      await eventually(async () => assert.equal((await idle.health()).parts.store?.ok, true));
      frozen.pause();
      const { ready, parts } = await idle.health();
      assert.deepEqual([ready, parts.store?.ok], [true, false]);
      assert.match(parts.store?.detail ?? '', /^Redis does not answer\./);
      frozen.resume();
      await eventually(async () => assert.equal((await idle.health()).parts.store?.ok, true));
    } finally {
      frozen.resume();
      await idle.close();
      await frozen.stop();
    }
  });

  it('decides without any store by each rule', async () => {
    const alone = await startLimiterService({ rules: [bucket('closed')], env: { REDIS_URL: '' } });
    const { body } = await alone.post('check', user('x'));
    assert.deepEqual([body.outcome, body.reason], ['deny', 'store-unavailable']);
    const { ready, parts } = await alone.health();
    assert.deepEqual([ready, parts.store?.ok], [true, false]);
    await alone.close();
  });
});
