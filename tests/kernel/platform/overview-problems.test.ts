/** What the overview names as wrong, and that a healthy platform has no problems. */
import assert from 'node:assert/strict';
import type { PlatformHealthItem, PlatformOverview } from '../../../packages/client/src/schemas';
import { problemsOf, recentOf } from '../../../read-api/web/platform/overview/problems';

const now = Date.UTC(2026, 5, 1);
const ago = (seconds: number): string => new Date(now - seconds * 1_000).toISOString();

const item = (fields: Partial<PlatformHealthItem> = {}): PlatformHealthItem => ({
  name: 'commands',
  status: 'ok',
  why: null,
  version: '1',
  uptimeSeconds: 5,
  answeredInMilliseconds: 1,
  recent: [],
  parts: [],
  ...fields,
});

type View = NonNullable<PlatformOverview['views']>[number];
const view = (fields: Partial<View> = {}): View => ({
  name: 'sample_things',
  version: 1,
  store: 'postgres',
  phase: 'live',
  why: null,
  generation: 1,
  checkpoint: '7',
  lagSeconds: 0,
  lagEvents: 0,
  skippedEvents: 0,
  seenAt: ago(1),
  lastRebuild: null,
  ...fields,
});

const titles = (items: readonly PlatformHealthItem[], fields: Partial<PlatformOverview> = {}): readonly string[] => {
  const known = { views: [view()], processes: [], queues: [], why: null, ...fields };
  const history = { stepSeconds: 15, from: ago(3_600), series: [], why: null };
  const overview: PlatformOverview = { at: ago(0), audience: 'platform', history, ...known };
  const health = { status: 'ok', at: ago(0), items } as const;
  return problemsOf({ health, overview, now }).map(({ title }) => title);
};

const queue = { queue: 'mail', waiting: 0, delayed: 0, running: 0, dead: 0, oldestWaitingAt: null, oldestDeadAt: null };

describe('problems of the platform', () => {
  it('are none when all is well, or nothing is known yet', () => {
    assert.deepEqual(titles([item()]), []);
    assert.deepEqual(problemsOf({ health: undefined, overview: undefined, now }), []);
  });

  it('are stores that do not answer, once, with what does not work meanwhile', () => {
    const why = 'Redis does not answer. Meanwhile, nobody can sign in.';
    const redis = (text: string) => ({ name: 'redis', status: 'down' as const, why: text });
    const items = [
      item({ name: 'editor', status: 'degraded', parts: [redis('Redis cannot be reached right now.')] }),
      item({
        name: 'gateway',
        status: 'degraded',
        parts: [redis(why), { name: 'command-API', status: 'down', why: 'The command API does not answer.' }],
      }),
      item({ name: 'search', status: 'degraded', parts: [{ name: 'health', status: 'down', why: 'It takes long.' }] }),
    ];
    const [problem, ...others] = problemsOf({
      health: { status: 'degraded', at: ago(0), items },
      overview: undefined,
      now,
    });
    assert.deepEqual(others, []);
    assert.deepEqual(problem, {
      tone: 'bad',
      title: 'Redis does not answer',
      detail: 'Meanwhile, nobody can sign in.',
      path: '/console/health',
      advice:
        'Restart it: what waits for it continues by itself. npm start restarts one that ends by itself. One that hangs: press Ctrl-C there, and run npm start again. Its log is redis/output.log in the data directory.',
    });
  });

  it('are stores that charts or views wait for, before the health of a process has them', () => {
    const history = { stepSeconds: 15, from: ago(3_600), series: [], why: 'Redis does not answer.' };
    const why = 'Postgres does not answer. Meanwhile, jobs wait.';
    assert.deepEqual(titles([item()], { history, views: null, why }), [
      'Redis does not answer',
      'Postgres does not answer',
    ]);
    assert.deepEqual(titles([item()], { history: { ...history, why: 'Redis is off. It was not found.' } }), []);
    const redis = { name: 'redis', status: 'down', why: 'Redis does not answer.' } as const;
    assert.deepEqual(titles([item({ parts: [redis] })], { history }), ['Redis does not answer']);
  });

  it('are processes that are down, and parts that are not in order, but not views twice', () => {
    const parts = [
      { name: 'postgres', status: 'down', why: 'It is away.' },
      { name: 'sample_things', status: 'down', why: 'stopped' },
    ] as const;
    assert.deepEqual(titles([item({ status: 'down' })]), ['commands is down']);
    assert.deepEqual(titles([item({ status: 'degraded', parts })]), ['Postgres is not in order']);
  });

  it('are views that stopped, lag, or have no projector', () => {
    assert.deepEqual(titles([], { views: [view({ phase: 'stopped' })] }), ['The view sample_things is stopped']);
    assert.deepEqual(titles([], { views: [view({ lagSeconds: 42 })] }), ['The view sample_things is 42 s behind']);
    assert.deepEqual(titles([], { views: [view({ seenAt: ago(60) })] }), ['No projector runs']);
  });

  it('are not what waits for a store that does not answer, and views that lag for one reason are one', () => {
    const late = ['one', 'two', 'three'].map((name) => view({ name, lagSeconds: 13, why: 'It waits.' }));
    const silent = item({ parts: [{ name: 'event-store', status: 'down', why: 'The log does not answer.' }] });
    assert.deepEqual(titles([silent], { views: late }), ['The log does not answer']);
    const search = item({ parts: [{ name: 'elasticsearch', status: 'down', why: 'Elasticsearch does not answer.' }] });
    assert.deepEqual(titles([search], { views: [view({ store: 'elastic', lagSeconds: 13 })] }), [
      'Elasticsearch does not answer',
    ]);
    assert.deepEqual(titles([search], { views: late }), [
      'Elasticsearch does not answer',
      '3 views are up to 13 s behind',
    ]);
  });

  it('are dead letters, and jobs that no worker takes; failures come before warnings', () => {
    const waiting = { ...queue, waiting: 3, oldestWaitingAt: ago(90) };
    assert.deepEqual(titles([], { queues: [{ ...queue, dead: 2 }, waiting] }), [
      'No worker takes jobs of mail',
      '2 dead letters in mail',
    ]);
    assert.deepEqual(titles([], { queues: [{ ...waiting, running: 1 }] }), []);
  });

  it('are disks that are nearly full, and commands that fail', () => {
    const recent = [
      { series: 'disk-used/data', value: 0.93, merge: 'max' },
      { series: 'commands-failed', value: 0.2, merge: 'sum' },
    ] as const;
    assert.deepEqual(titles([item({ recent })]), ['The disk is 93 % full', 'Commands fail']);
  });
});

describe('the latest samples of all processes', () => {
  it('are added, or the highest of what several observe', () => {
    const sample = (value: number) => [
      { series: 'commands', value, merge: 'sum' as const },
      { series: 'lag/sample_things', value, merge: 'max' as const },
    ];
    const recent = recentOf({ items: [item({ recent: sample(2) }), item({ recent: sample(3) })] });
    assert.deepEqual(Object.fromEntries(recent), { commands: 5, 'lag/sample_things': 3 });
  });
});
