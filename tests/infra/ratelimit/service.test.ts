/**
 * The limiter's service without a store: how policies are stored, decisions summed up, and what is reported while no
 * consumer takes it.
 */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import {
  createDecisionAggregates,
  type DecisionBatch,
  startDecisionTelemetry,
} from '../../../infra/ratelimit/service/decision-telemetry';
import { perTenant, readPolicy, whenDimensionsPresent } from '../../../infra/ratelimit/service/policy-variants';
import { parseJson } from '../../../infra/server/http/untrusted-json';
import { openMetrics } from '../../../infra/server/runtime/metrics';
import type { Decision } from '../../../packages/ratelimit/src/decision/decision';
import type { Entries } from '../../../packages/ratelimit/src/policy/entries';
import { parsePolicy } from '../../../packages/ratelimit/src/policy/parse-policy';
import { countOnly, type Policy, type PolicySource, type Rule } from '../../../packages/ratelimit/src/policy/policy';
import { anyPolicy } from '../../packages/ratelimit/policy/any-policy';
import { capturedLog } from '../../support/http/http-service';
import { deferred } from '../../support/waiting/deferred';

const rule = (changes: Partial<Rule> = {}): Rule => ({
  name: 'one',
  by: ['user'],
  limit: { algorithm: 'fixed-window', limit: 1, periodMilliseconds: 1_000 },
  onStoreError: 'deny',
  ...changes,
});
const policy = (changes: Partial<Policy> = {}): Policy => ({ version: '1', defaults: [rule()], ...changes });

const entriesOf = <Entry>(entries: Entries<Entry>) =>
  Array.from({ length: entries.length }, (_, index) => entries.at(index));

const parsed = (text: string): boolean => {
  const json = parseJson(Buffer.from(text));
  return isRight(json) && parsePolicy(json.right).ok;
};

const readText = async (text: string) => {
  const read = await readPolicy(Buffer.from(text));
  assert.ok(read !== undefined);
  return read;
};

describe('policies of the limiter’s service', () => {
  it('are read as JSON with everything that is wrong said at once, and never the values', async () => {
    const read = await readText(
      JSON.stringify({ version: '1', defaults: [{ ...rule(), by: ['hunter2'], secret: 'x' }] }),
    );
    assert.ok(isLeft(read));
    assert.equal(read.left.length, 2);
    assert.doesNotMatch(read.left.join(), /hunter2/);
    for (const text of ['', 'null', '[]', '{"a":1,"a":2}', '['.repeat(100_000)])
      assert.ok(isLeft(await readText(text)));
  });

  it('count by tenant in plans and overrides, too', () => {
    const { defaults, plans, overrides } = perTenant(
      policy({ plans: { pro: [rule({ by: [] })] }, overrides: [{ match: { user: ['a'] }, rules: [rule()] }] }),
    );
    assert.deepEqual(
      [defaults[0]?.by, plans?.pro?.[0]?.by, overrides?.at(0)?.rules[0]?.by],
      [['tenant', 'user'], ['tenant'], ['tenant', 'user']],
    );
    assert.deepEqual(perTenant(policy({ defaults: [rule({ by: ['ip', 'tenant'] })] })).defaults[0]?.by, [
      'ip',
      'tenant',
    ]);
  });

  it('hold for descriptors only where these say all that is counted by', () => {
    const { defaults } = whenDimensionsPresent(
      policy({ defaults: [rule({ by: ['tenant', 'user', 'ip'], when: { user: ['a-*'], method: ['GET'] } })] }),
    );
    assert.deepEqual(defaults[0]?.when, { user: ['a-*'], method: ['GET'], ip: ['0.0.0.0/0', '::/0'] });
    const groups = [{ name: 'dear', paths: ['/dear'] }];
    const grouped = whenDimensionsPresent(policy({ routeGroups: groups, defaults: [rule({ by: ['route'] })] }));
    assert.equal(grouped.defaults[0]?.when, undefined);
  });

  it('are usable at every door once they were read', () => {
    const written = ({ overrides, ...rest }: PolicySource) => ({
      ...rest,
      ...(overrides === undefined ? {} : { overrides: entriesOf(overrides) }),
    });
    fc.assert(
      fc.property(anyPolicy, (one) => {
        for (const changed of [perTenant(one), countOnly(whenDimensionsPresent(perTenant(one)))])
          assert.equal(parsePolicy(written(changed)).ok, true);
      }),
    );
  });

  it('are read from text as they are from JSON, or are wrong at the same places', () =>
    fc.assert(
      fc.asyncProperty(anyPolicy, fc.nat(), fc.nat(9), async (one, seed, indent) => {
        const text = JSON.stringify(one, undefined, indent);
        const read = await readText(text);
        assert.ok(isRight(read));
        const { overrides, allow, blocks, ...frame } = read.right.policy;
        const lists = Object.entries({ overrides, allow, blocks }).flatMap(([name, entries]) =>
          entries === undefined ? [] : [[name, entriesOf<unknown>(entries)]],
        );
        assert.deepEqual({ ...frame, ...Object.fromEntries(lists) }, JSON.parse(text));
        // One character is lost, or doubled: a text that is no JSON by then is refused, and one that is, is read as it
        // is.
        const at = seed % text.length;
        for (const broken of [text.slice(0, at) + text.slice(at + 1), text.slice(0, at + 1) + text.slice(at)])
          assert.equal(isRight(await readText(broken)), parsed(broken));
      }),
    ));
});

const decision = (changes: Partial<Decision> = {}): Decision => ({
  outcome: 'allow',
  limits: [],
  retryAfterSeconds: 0,
  turnMilliseconds: 0,
  policyVersion: '1',
  source: 'store',
  ...changes,
});
const about = (tenant: string, weight = {}) => ({ request: { dimensions: { tenant }, weight }, seconds: 0 });

describe('sums of decisions', () => {
  it('are by tenant and outcome, with what was asked for', () => {
    const sums = createDecisionAggregates();
    sums.onDecision(decision(), about('a', { inputTokens: 2 }));
    sums.onDecision(decision(), about('a', { inputTokens: 3, outputTokens: 0, requests: 4 }));
    sums.onDecision(decision({ outcome: 'deny', reason: 'blocked' }), about('a'));
    const [allowed, denied, ...more] = sums.takeAll();
    assert.deepEqual([allowed?.decisions, allowed?.requests, allowed?.inputTokens], [2, 5, 5]);
    assert.deepEqual([allowed?.estimated, denied?.estimated], [1, 0]);
    assert.deepEqual([denied?.outcome, denied?.reason, denied?.decisions, more.length], ['deny', 'blocked', 1, 0]);
    assert.deepEqual(sums.takeAll(), []);
  });

  it('are bounded: further callers are summed as one, and none is lost', () => {
    const sums = createDecisionAggregates();
    for (let index = 0; index < 3_000; index += 1) sums.onDecision(decision(), about(`tenant-${index}`));
    const all = sums.takeAll();
    assert.equal(all.length, 1_001);
    assert.equal(all.find(({ tenant }) => tenant === null)?.decisions, 2_000);
  });
});

describe('telemetry of decisions', () => {
  const open = (append: (batch: DecisionBatch) => Promise<void>) => {
    const [metrics, log] = [openMetrics('test'), capturedLog()];
    const telemetry = startDecisionTelemetry({ append, metrics, log, everyMilliseconds: 1 });
    const count = async (name: string): Promise<number> =>
      Number(
        new RegExp(`^ratelimit_telemetry_${name}_total\\{[^}]*\\} (\\d+)`, 'm').exec(await metrics.text())?.[1] ?? 0,
      );
    return { telemetry, log, count };
  };

  it('drops and counts decisions that cannot be sent, and logs it once', async () => {
    const refused: (() => void)[] = [];
    const { telemetry, log, count } = open(
      () => new Promise((_, reject) => refused.push(() => reject(new Error('x')))),
    );
    for (let batch = 1; batch <= 3; batch += 1) {
      telemetry.onDecision(decision(), about('a'));
      while (refused.length < batch) await new Promise(setImmediate);
      refused.at(-1)?.();
      while ((await count('dropped')) < batch) await new Promise(setImmediate);
    }
    await telemetry.close();
    assert.equal(log.lines.length, 1);
    assert.equal(await count('told'), 0);
  });

  it('sends one batch at a time, and tells what is left at its end', async () => {
    const batches: DecisionBatch[] = [];
    const first = deferred();
    const { telemetry, count } = open(async (batch) => {
      batches.push(batch);
      await first.promise;
    });
    telemetry.onDecision(decision(), about('a'));
    while (batches.length === 0) await new Promise(setImmediate);
    telemetry.onDecision(decision(), about('b'));
    while ((await count('dropped')) === 0) await new Promise(setImmediate);
    first.resolve();
    while ((await count('told')) === 0) await new Promise(setImmediate);
    telemetry.onDecision(decision(), about('c'));
    await telemetry.close();
    assert.deepEqual([await count('told'), await count('dropped')], [2, 1]);
    assert.equal(new Set(batches.map(({ batch }) => batch)).size, 2);
  });
});
