/** One decision over one or three limits: by us, by a script that does nothing with the same keys and numbers, and by the rival. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Redis from 'ioredis';
import { createLimiter } from '../../../packages/ratelimit/src/decision/limiter';
import type { Policy, Rule } from '../../../packages/ratelimit/src/policy/policy';
import { openRedisStore } from '../../../packages/ratelimit/src/redis/redis-store';
import { decideScript } from '../../../packages/ratelimit/src/redis/scripts/decide';
import { rivalModule } from '../rival';

export interface Contestant {
  /** Whether it may pass. */
  readonly take: (user: string) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

export interface Limited {
  readonly points: number;
  readonly seconds: number;
}

const seconds = 60;
/** No caller comes near. */
const roomy = 1_000_000_000;
export const roomyLimits = (count: number): readonly Limited[] =>
  Array.from({ length: count }, (_, index) => ({ points: roomy + index, seconds }));

const ruleOf = ({ points, seconds: period }: Limited, index: number): Rule => ({
  name: `r${index}`,
  by: ['tenant', 'user'],
  limit: { algorithm: 'fixed-window', limit: points, periodMilliseconds: period * 1_000 },
  onStoreError: 'deny',
});

const bucketOf = (rule: Rule, { points, seconds: period }: Limited): Rule => ({
  ...rule,
  limit: { algorithm: 'token-bucket', limit: points, burst: points, periodMilliseconds: period * 1_000 },
});

export type Algorithm = 'fixed-window' | 'token-bucket';

/** Late answers count as any: it is the machine that is slow here. */
const patient = { answerMilliseconds: 10_000 };

export const ours = (url: string, limits: readonly Limited[], algorithm: Algorithm = 'token-bucket'): Contestant => {
  const rules = limits.map((limit, index) => {
    const rule = ruleOf(limit, index);
    return algorithm === 'token-bucket' ? bucketOf(rule, limit) : rule;
  });
  const policy: Policy = { version: '1', defaults: rules };
  const limiter = createLimiter({ policy, store: openRedisStore({ url, ...patient }) });
  return {
    take: async (user) => (await limiter.check({ dimensions: { tenant: 'bench', user } })).outcome === 'allow',
    close: () => limiter.close(),
  };
};

/** As large as ours, and run as ours is: it answers at once, with as many bytes. */
const emptyScript = (limits: number): string => `do return '${'0'.repeat(24 + 32 * limits)}' end\n${decideScript()}`;

/** What ours sends, as bytes that were made before. */
export const floor = async (url: string, limits: readonly Limited[]): Promise<Contestant> => {
  const redis = new Redis(url);
  const text = emptyScript(limits.length);
  await redis.script('LOAD', text);
  const hash = createHash('sha1').update(text).digest('hex');
  const packed = [Buffer.alloc(50 * limits.length, 1), Buffer.alloc(6 + 22 * limits.length, 1), '0123456789abcdef0123'];
  const sent = new Map<string, readonly (string | Buffer)[]>();
  const argumentsFor = (user: string): readonly (string | Buffer)[] => {
    const known = sent.get(user);
    if (known !== undefined) return known;
    const tag = createHash('sha256').update('bench').digest('base64url').slice(0, 27);
    const keys = limits.map((_, index) => {
      const name = createHash('sha256').update(`${index} ${user}`).digest('base64url').slice(0, 27);
      return `limit:{t${tag}}:${name}`;
    });
    const made = [...keys, ...packed];
    sent.set(user, made);
    return made;
  };
  return {
    take: async (user) => {
      await redis.evalsha(hash, limits.length, ...argumentsFor(user));
      return true;
    },
    close: async () => redis.disconnect(),
  };
};

export interface Rival {
  readonly rival: (
    url: string,
    limits: readonly Limited[],
  ) => Contestant & { readonly used: (index: number, user: string) => Promise<number> };
}

/** Loaded when it is called, because its package is installed at the first use. */
export const rival: Rival['rival'] = (url, limits) =>
  rivalModule<Rival>(join(__dirname, 'flexible')).rival(url, limits);
