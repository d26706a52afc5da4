/** Policies from a file: what holds while a large one is read, and afterwards. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import { openLimiterSet } from '../../../infra/ratelimit/service/limiter-set';
import { watchPolicyFile } from '../../../infra/ratelimit/service/policy-file-watcher';
import { readPolicy } from '../../../infra/ratelimit/service/policy-variants';
import { createLimiterAsync } from '../../../packages/ratelimit/src/decision/limiter';
import type { Policy } from '../../../packages/ratelimit/src/policy/policy';
import { memoryStore } from '../../../packages/ratelimit/src/store/memory-store';
import { policy, rule } from '../../packages/ratelimit/decision/fixture';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { capturedLog } from '../../support/http/http-service';

const window = (limit: number) =>
  rule('r', { limit: { algorithm: 'fixed-window', limit, periodMilliseconds: 60_000 } });

/** Enough for many slices; the number of an override is in its limit. */
const large = (version: string, base: number, overrides = 20_000): Policy =>
  policy([window(base)], {
    version,
    overrides: Array.from({ length: overrides }, (_, index) => ({
      match: { tenant: [`tenant-${index}`] },
      rules: [window(base + 1 + index)],
    })),
  });

const openStage = async () => {
  const { path: home, remove } = temporaryDirectory('policy-file');
  const path = join(home, 'policy.json');
  const write = (written: unknown): void =>
    writeFileSync(path, typeof written === 'string' ? written : JSON.stringify(written));
  const first = JSON.stringify(policy([window(10)], { version: '1' }));
  const read = await readPolicy(Buffer.from(first));
  assert.ok(read !== undefined && isRight(read));
  const limiters = openLimiterSet({ store: memoryStore(), processes: 1, policy: read.right });
  const log = capturedLog();
  const options = { path, read: readPolicy, use: limiters.use, log, everyMilliseconds: 3_600_000 };
  const file = watchPolicyFile(options, first);
  const close = async (): Promise<void> => {
    await file.close();
    await limiters.close();
    remove();
  };
  /** Over HTTP and by Envoy. */
  const limitsOf = async (tenant: string) => {
    const request = { dimensions: { tenant } };
    const decisions = [await limiters.http().peek(request), await limiters.envoy().peek(request)];
    return decisions.map(({ policyVersion, limits: [one] }) => [policyVersion, one?.limit]);
  };
  return { write, file, limiters, log, close, limitsOf };
};

const both = (version: string, limit: number) => [
  [version, limit],
  [version, limit],
];

describe('a policy’s file', () => {
  let stage: Awaited<ReturnType<typeof openStage>>;
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(() => stage.close());

  it('is read while decisions go on by the policy before, and is in force as a whole at once', async () => {
    stage.write(large('2', 100));
    const reading = { isOver: false };
    const looked = stage.file.checkNow().then(() => {
      reading.isOver = true;
    });
    let decisions = 0;
    const limitBy = new Map<unknown, number>([
      ['1', 10],
      ['2', 20_100],
    ]);
    for (; !reading.isOver; decisions += 1) {
      for (const [version, limit] of await stage.limitsOf('tenant-19999')) assert.equal(limit, limitBy.get(version));
      await new Promise(setImmediate);
    }
    await looked;
    assert.ok(decisions > 2, `${decisions} decisions were made meanwhile`);
    assert.deepEqual(await stage.limitsOf('tenant-0'), both('2', 101));
    assert.deepEqual(await stage.limitsOf('tenant-19999'), both('2', 20_100));
    assert.deepEqual(await stage.limitsOf('nobody’s'), both('2', 100));
  });

  it('is in force as it was written last, also while another one was read', async () => {
    stage.write(large('2', 100));
    const first = stage.file.checkNow();
    await new Promise(setImmediate);
    stage.write(large('3', 200, 10));
    await Promise.all([first, stage.file.checkNow()]);
    assert.deepEqual(await stage.limitsOf('tenant-9'), both('3', 210));
    assert.deepEqual(await stage.limitsOf('tenant-10'), both('3', 200));
  });

  it('is refused where one of many entries is wrong, with its place, and the one before stays', async () => {
    const text = JSON.stringify(large('2', 100));
    stage.write(text.replace('"tenant-19998"', '7'));
    await stage.file.checkNow();
    assert.deepEqual(await stage.limitsOf('tenant-0'), both('1', 10));
    const { ok, detail = '' } = stage.file.health();
    assert.equal(ok, false);
    assert.match(detail, /\/overrides\/19998\/match\/tenant\/0 is to be a text/);
    stage.write(text.replace('{"match":{"tenant":["tenant-7"]', '{"match":{"tenant":["tenant-7"'));
    await stage.file.checkNow();
    assert.match(stage.file.health().detail ?? '', /: The policy is not JSON\.|\/overrides\/7 cannot be read\./);
    stage.write(text);
    await stage.file.checkNow();
    assert.equal(stage.file.health().ok, true);
    assert.deepEqual(await stage.limitsOf('tenant-7'), both('2', 108));
  });

  it('is let go of in the middle when its process ends', async () => {
    stage.write(large('2', 100));
    const reading = stage.file.checkNow();
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    await stage.file.close();
    await reading;
    assert.deepEqual([stage.limiters.version(), stage.file.health().ok], ['1', true]);
  });
});

describe('a limiter of a large policy', () => {
  it('is made while others decide, and decides as one that was made at once', async () => {
    const store = memoryStore();
    const limiter = await createLimiterAsync({ store, policy: large('2', 100) });
    const [{ limit } = { limit: 0 }] = (await limiter.peek({ dimensions: { tenant: 'tenant-5' } })).limits;
    assert.equal(limit, 106);
    await limiter.close();
  });

  it('is not made of a policy that is wrong, nor when that is no longer wanted', async () => {
    const store = memoryStore();
    const wrong = { ...large('2', 100), blocks: [{ match: {} }] };
    await assert.rejects(createLimiterAsync({ store, policy: wrong }), /^TypeError: \/blocks\/0\/match: is to name/);
    const unwanted = AbortSignal.abort(new Error('no longer wanted'));
    await assert.rejects(createLimiterAsync({ store, policy: large('2', 100) }, unwanted), /no longer wanted/);
  });
});
