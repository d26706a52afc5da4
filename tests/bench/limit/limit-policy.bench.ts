/**
 * Loading a policy of 100,000 overrides while a service decides: how long that takes, how long the event loop is held at the longest, and
 * what decisions wait for it; beside the same seconds without a load.
 */
import { copyFileSync, openSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import { type LimiterSet, openLimiterSet } from '../../../infra/ratelimit/service/limiter-set';
import { watchPolicyFile } from '../../../infra/ratelimit/service/policy-file-watcher';
import { readPolicy } from '../../../infra/ratelimit/service/policy-variants';
import type { Rule } from '../../../packages/ratelimit/src/policy/policy';
import { openRedisStore } from '../../../packages/ratelimit/src/redis/redis-store';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { capturedLog } from '../../support/http/http-service';
import { stopServers, valkeyForTests } from '../../support/servers/shared-servers';
import { percentile, report } from '../measure';

const overrides = 100_000;
const loads = 3;
const callers = 4;

const rule = (limit: number): Rule => ({
  name: 'per-user',
  by: ['tenant', 'user'],
  limit: { algorithm: 'token-bucket', limit, periodMilliseconds: 60_000, burst: limit },
  onStoreError: { local: 0.5 },
});

const policyText = (version: string): string =>
  JSON.stringify({
    version,
    defaults: [rule(1_000_000)],
    overrides: Array.from({ length: overrides }, (_, index) => ({
      match: { tenant: [`tenant-${index}`] },
      rules: [rule(1_000_000 + index)],
    })),
  });

interface Observed {
  readonly longestTurn: number;
  /** By the processor time of its thread: what a turn takes where nothing else runs. To a tick of the kernel, 4 ms at most. */
  readonly costliestTurn: number;
  readonly decisions: readonly number[];
  readonly milliseconds: number;
  readonly processor: number;
}

const processorMilliseconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

const runTime = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
const text = Buffer.alloc(64);

const threadMilliseconds = (): number =>
  Number.parseInt(text.toString('latin1', 0, readSync(runTime, text, 0, text.length, 0)), 10) / 1e6;

/** While `work` is under way, callers decide one after the other. */
const observe = async (limiters: LimiterSet, work: () => Promise<unknown>): Promise<Observed> => {
  let isOver = false;
  let [longestTurn, costliestTurn] = [0, 0];
  const decisions: number[] = [];
  const turns = async (): Promise<void> => {
    let [last, lastUsed] = [performance.now(), threadMilliseconds()];
    while (!isOver) {
      await new Promise(setImmediate);
      const [now, used] = [performance.now(), threadMilliseconds()];
      longestTurn = Math.max(longestTurn, now - last);
      costliestTurn = Math.max(costliestTurn, used - lastUsed);
      [last, lastUsed] = [now, used];
    }
  };
  const decide = async (caller: number): Promise<void> => {
    for (let count = 0; !isOver; count += 1) {
      const began = performance.now();
      const tenant = `tenant-${(caller * 7_919 + count * 31) % overrides}`;
      const { source } = await limiters.http().check({ dimensions: { tenant, user: 'someone' } });
      if (source !== 'store') throw new Error('The store does not answer.');
      decisions.push(performance.now() - began);
    }
  };
  const [began, used] = [performance.now(), processorMilliseconds()];
  const running = [turns(), ...Array.from({ length: callers }, (_, caller) => decide(caller))];
  await work();
  const milliseconds = performance.now() - began;
  const processor = processorMilliseconds() - used;
  isOver = true;
  await Promise.all(running);
  return { longestTurn, costliestTurn, decisions, milliseconds, processor };
};

const pause = (milliseconds: number) => () => new Promise((resolve) => setTimeout(resolve, milliseconds));

export const run = async (): Promise<void> => {
  const { url } = await valkeyForTests();
  const { path: home, remove } = temporaryDirectory('limit-policy');
  const path = join(home, 'policy.json');
  // Written beforehand: what that leaves to be collected is no part of a load.
  for (let load = 1; load <= loads; load += 1) writeFileSync(`${path}.${load}`, policyText(String(load)));
  const small = await readPolicy(Buffer.from(JSON.stringify({ version: '0', defaults: [rule(1_000_000)] })));
  if (small === undefined || !isRight(small)) throw new Error('The small policy is not usable.');
  const store = openRedisStore({ url, answerMilliseconds: 10_000, startMilliseconds: 10_000 });
  const limiters = openLimiterSet({ store, processes: 1, policy: small.right });
  const options = { path, read: readPolicy, use: limiters.use, log: capturedLog(), everyMilliseconds: 3_600_000 };
  const file = watchPolicyFile(options, '');
  await observe(limiters, pause(3_000));
  for (let load = 1; load <= loads; load += 1) {
    copyFileSync(`${path}.${load}`, path);
    const loaded = await observe(limiters, file.checkNow);
    if (limiters.version() !== String(load)) throw new Error('The policy is not in force.');
    const idle = await observe(limiters, pause(loaded.milliseconds));
    const name = `limit-policy.load${load}`;
    const unit = 'ms';
    report({ name: `${name}: until it is in force`, value: loaded.milliseconds, unit });
    report({ name: `${name}: processor`, value: loaded.processor, unit, baseline: idle.processor });
    report({ name: `${name}: longest turn`, value: loaded.longestTurn, unit, baseline: idle.longestTurn });
    const baseline = idle.costliestTurn;
    report({ name: `${name}: longest turn, processor of its thread`, value: loaded.costliestTurn, unit, baseline });
    for (const share of [0.5, 0.99, 1])
      report({
        name: `${name}: decisions, p${share * 100}`,
        value: percentile(loaded.decisions, share),
        unit,
        baseline: percentile(idle.decisions, share),
      });
  }
  await file.close();
  await limiters.close();
  remove();
  await stopServers();
};
