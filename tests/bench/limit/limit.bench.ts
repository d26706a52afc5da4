/**
 * What a decision costs: over one limit and over three, by 1, 50 and 200 callers at once, for all keys alike, few
 * mostly, and one alone; beside a script of the same size that does nothing, and beside rate-limiter-flexible. `exact`:
 * how many of the allowed requests pass, and what refused requests take from limits.
 */
import Redis from 'ioredis';
import { stopServers, valkeyForTests } from '../../support/servers/shared-servers';
import { fromCallers, report } from '../measure';
import { contest, type Outcome } from './contest';
import { type Contestant, floor, ours, rival, roomyLimits } from './contestants';
import { callersOf, spreads } from './keys';

export const parts = ['one', 'three', 'exact'] as const;
type Part = (typeof parts)[number];

const crowds = [1, 50, 200];
const countOf = (callers: number): number => (callers === 1 ? 3_000 : 20_000);

const reportOutcomes = (name: string, { septet, bare, flexible }: { readonly [who: string]: Outcome }): void => {
  if (septet === undefined || bare === undefined || flexible === undefined) return;
  const { perSecond: value, p50, p99, storeMicroseconds } = septet;
  const unit = 'decisions/s';
  report({ name: `${name}: beside an empty script`, value, unit, baseline: bare.perSecond });
  report({ name: `${name}: beside rate-limiter-flexible`, value, unit, baseline: flexible.perSecond });
  report({ name: `${name}: p50`, value: p50, unit: 'ms', baseline: flexible.p50 });
  report({ name: `${name}: p99`, value: p99, unit: 'ms', baseline: flexible.p99 });
  const cpu = { value: storeMicroseconds, unit: 'µs' };
  report({ name: `${name}: store CPU, beside an empty script`, ...cpu, baseline: bare.storeMicroseconds });
  report({ name: `${name}: store CPU, beside rate-limiter-flexible`, ...cpu, baseline: flexible.storeMicroseconds });
  const own = { value: septet.processMicroseconds, unit: 'µs' };
  report({ name: `${name}: own CPU, beside an empty script`, ...own, baseline: bare.processMicroseconds });
  report({ name: `${name}: own CPU, beside rate-limiter-flexible`, ...own, baseline: flexible.processMicroseconds });
};

const speed = async (url: string, redis: Redis, limits: number): Promise<void> => {
  const roomy = roomyLimits(limits);
  const contestants = { septet: ours(url, roomy), bare: await floor(url, roomy), flexible: rival(url, roomy) };
  for (const spread of spreads)
    for (const callers of crowds) {
      const load = { callers, count: countOf(callers), userOf: callersOf(spread) };
      reportOutcomes(`limit.${limits}.${spread}.c${callers}`, await contest(redis, contestants, load));
    }
  for (const contestant of Object.values(contestants)) await contestant.close();
};

const requestCount = 20_000;
const narrow = 1_000;

const admitted = async ({ take }: Contestant): Promise<number> => {
  let passed = 0;
  await fromCallers(200, requestCount, async () => {
    if (await take('one')) passed += 1;
  });
  return passed;
};

/** One that may pass a thousand times within an hour: of the other limits no more than that is to be taken. */
const exact = async (url: string): Promise<void> => {
  const hour = 3_600;
  const limits = [
    { points: 100_000, seconds: hour },
    { points: narrow, seconds: hour },
    { points: 200_000, seconds: hour },
  ];
  const septet = ours(url, limits, 'fixed-window');
  const flexible = rival(url, limits);
  const [we, they] = [await admitted(septet), await admitted(flexible)];
  report({ name: 'limit.exact: admitted beside the limit', value: we, unit: 'requests', baseline: narrow });
  report({ name: 'limit.exact: admitted by rate-limiter-flexible', value: they, unit: 'requests', baseline: narrow });
  // What is left of the first limit, were the second one not there.
  const wide = ours(url, limits.slice(0, 1), 'fixed-window');
  const left = await admittedOf(wide, limits[0]?.points ?? 0);
  const burnt = { unit: 'requests' };
  report({ name: 'limit.exact: quota burnt by refusals', value: (limits[0]?.points ?? 0) - left - we, ...burnt });
  const theirs = (await flexible.used(0, 'one')) - they;
  report({ name: 'limit.exact: quota burnt by refusals, rate-limiter-flexible', value: theirs, ...burnt });
  for (const one of [septet, flexible, wide]) await one.close();
};

const admittedOf = async ({ take }: Contestant, most: number): Promise<number> => {
  let passed = 0;
  await fromCallers(200, most + 1_000, async () => {
    if (await take('one')) passed += 1;
  });
  return passed;
};

export const run = async (chosen: readonly string[]): Promise<void> => {
  const { url } = await valkeyForTests();
  const redis = new Redis(url);
  const chose = (part: Part): boolean => chosen.length === 0 || chosen.includes(part);
  if (chose('one')) await speed(url, redis, 1);
  if (chose('three')) await speed(url, redis, 3);
  if (chose('exact')) await exact(url);
  redis.disconnect();
  await stopServers();
};
