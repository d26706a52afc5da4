/** What is wrong on the platform, the worst first, each with the page that shows more. */
import { countOf, durationOf } from '../../kernel/format';
import type { HealthItem, Overview, PlatformHealth, ProcessRow, QueueRow, ViewRow } from '../api-types';

export interface PlatformProblem {
  readonly tone: 'bad' | 'warn';
  readonly title: string;
  readonly detail: string;
  readonly path: string;
  /** What an operator does, where the detail does not name it. */
  readonly advice?: string;
}

const paths = {
  health: '/console/health',
  views: '/console/views',
  processes: '/console/processes',
  deadLetters: '/console/dead-letters',
  jobs: '/console/jobs',
} as const;

/** As alerts of the operations guide have it. */
const maxLagSeconds = 10;
const maxSilenceMilliseconds = 30_000;
const maxWaitMilliseconds = 60_000;
const maxDiskUse = 0.9;

const storeNames: { readonly [part: string]: string } = {
  redis: 'Redis',
  postgres: 'Postgres',
  elasticsearch: 'Elasticsearch',
  'event-store': 'The log',
  blobs: 'Object storage',
};

/** Of `npm start`, in its data directory. */
const logFiles: { readonly [part: string]: string } = {
  redis: 'redis/output.log',
  postgres: 'postgres/output.log',
  elasticsearch: 'elasticsearch/output.log',
  'event-store': 'logs/eventstore.log',
};

const adviceOf = (part: string): string => {
  const log = logFiles[part];
  const restart = 'Restart it: what waits for it continues by itself.';
  return log === undefined
    ? restart
    : `${restart} npm start restarts one that ends by itself. One that hangs: press Ctrl-C there, and run npm start again. Its log is ${log} in the data directory.`;
};

const unhealthyParts = ({ parts }: HealthItem, views: ReadonlySet<string>): readonly HealthItem['parts'][number][] =>
  parts.filter(({ name, status }) => status !== 'ok' && !views.has(name) && storeNames[name] === undefined);

const isNoAnswer = (text: string): boolean => /does not answer\.?$/.test(text);

/** A store that does not answer is one problem, whichever processes need it. */
const ofStores = ({ items }: PlatformHealth): readonly PlatformProblem[] => {
  const found = Object.entries(storeNames).flatMap(([part, store]): readonly PlatformProblem[] => {
    const away = items.flatMap(({ parts }) => parts).filter(({ name, status }) => name === part && status !== 'ok');
    const [first] = away;
    if (first === undefined) return [];
    const why = away.map((one) => one.why ?? '').toSorted((one, other) => other.length - one.length)[0] ?? '';
    const [sentence = '', detail = ''] = why.split(/(?<=^[^.]+ does not answer)\.\s*/);
    return isNoAnswer(sentence)
      ? [{ tone: 'bad', title: sentence, detail, path: paths.health, advice: adviceOf(part) }]
      : [{ tone: 'warn', title: `${store} is not in order`, detail: why, path: paths.health }];
  });
  // Where one store is needed to query another, both have the same problem.
  return found.filter(({ title }, index) => found.findIndex((one) => one.title === title) === index);
};

/** A store that the charts or the views wait for, before the health of a process has it. */
const ofOverview = ({ history, why }: Overview): readonly PlatformProblem[] =>
  [history.why, why].flatMap((text): readonly PlatformProblem[] => {
    const [sentence = '', detail = ''] = (text ?? '').split(/(?<=^[^.]+ does not answer)\.\s*/);
    const [part] = Object.entries(storeNames).find(([, store]) => sentence === `${store} does not answer`) ?? [];
    return part === undefined
      ? []
      : [{ tone: 'bad', title: sentence, detail, path: paths.health, advice: adviceOf(part) }];
  });

/** What follows from a store that is away: checks that wait for it, and services whose readiness the gateway checks. */
const isConsequence = ({ name, why }: HealthItem['parts'][number]): boolean =>
  name === 'health' || isNoAnswer(why ?? '');

const ofHealth = (
  { items }: PlatformHealth,
  views: ReadonlySet<string>,
  isStoreSilent: boolean,
): readonly PlatformProblem[] =>
  items.flatMap((item): readonly PlatformProblem[] => {
    const { name, status, why } = item;
    if (status === 'down' && item.parts.length === 0)
      return [{ tone: 'bad', title: `${name} is down`, detail: why ?? '', path: paths.health }];
    const parts = unhealthyParts(item, views).filter((part) => !isStoreSilent || !isConsequence(part));
    return parts.map((part) => ({
      tone: status === 'down' ? 'bad' : 'warn',
      title: `${name}: ${part.name} is not in order`,
      detail: part.why ?? '',
      path: paths.health,
    }));
  });

/** Parts that the silent stores are, by the words that every process has for them. */
const silentParts = (stores: readonly PlatformProblem[]): ReadonlySet<string> =>
  new Set(
    Object.entries(storeNames)
      .filter(([, store]) => stores.some(({ title }) => title === `${store} does not answer`))
      .map(([part]) => part),
  );

const storeOfView = { postgres: 'postgres', elastic: 'elasticsearch', redis: 'redis' } as const;

/** It lags because its store, or the log, does not answer: the store is the problem. */
const waitsForStore = ({ store }: ViewRow, silent: ReadonlySet<string>): boolean =>
  silent.has('event-store') || silent.has(storeOfView[store]);

/** Views that lag for one reason are one problem. */
const lagOf = (views: readonly ViewRow[]): readonly PlatformProblem[] =>
  [...new Set(views.map(({ why }) => why))].map((why) => {
    const those = views.filter((view) => view.why === why);
    const [first] = those;
    const lag = durationOf(Math.max(...those.map(({ lagSeconds }) => lagSeconds)));
    const title =
      those.length === 1 && first !== undefined
        ? `The view ${first.name} is ${lag} behind`
        : `${those.length} views are up to ${lag} behind`;
    return { tone: 'warn', title, detail: why ?? 'Their answers are that old.', path: paths.views };
  });

interface Circumstances {
  readonly now: number;
  /** Stores that do not answer. */
  readonly silent: ReadonlySet<string>;
}

const ofViews = (views: readonly ViewRow[], { now, silent }: Circumstances): readonly PlatformProblem[] => {
  if (views.length === 0) return [];
  const isSilent = ({ seenAt }: ViewRow): boolean => now - Date.parse(seenAt) > maxSilenceMilliseconds;
  if (views.every(isSilent))
    return [{ tone: 'bad', title: 'No projector runs', detail: 'Read models are not updated.', path: paths.views }];
  const isStopped = ({ phase }: ViewRow): boolean => ['stopped', 'failed', 'isolated'].includes(phase);
  const late = views.filter(
    (view) => !isStopped(view) && !isSilent(view) && view.lagSeconds > maxLagSeconds && !waitsForStore(view, silent),
  );
  const ended = views.flatMap((view): readonly PlatformProblem[] => {
    const { name, phase, why } = view;
    if (isStopped(view))
      return [{ tone: 'bad', title: `The view ${name} is ${phase}`, detail: why ?? '', path: paths.views }];
    return isSilent(view)
      ? [{ tone: 'bad', title: `No projector reports ${name}`, detail: 'It is not updated.', path: paths.views }]
      : [];
  });
  return [...ended, ...lagOf(late)];
};

const ofProcesses = (
  processes: readonly ProcessRow[],
  { silent }: Pick<Circumstances, 'silent'>,
): readonly PlatformProblem[] =>
  processes.flatMap(({ name, state, why, lagSeconds }): readonly PlatformProblem[] => {
    if (state === 'gone' || state === 'stopped')
      return [{ tone: 'bad', title: `The process ${name} is ${state}`, detail: why ?? '', path: paths.processes }];
    if (lagSeconds <= maxLagSeconds || silent.has('event-store') || silent.has('postgres')) return [];
    const title = `The process ${name} is ${durationOf(lagSeconds)} behind`;
    return [{ tone: 'warn', title, detail: 'Reactions to events are delayed.', path: paths.processes }];
  });

const ofQueues = (queues: readonly QueueRow[], now: number): readonly PlatformProblem[] =>
  queues.flatMap(({ queue, dead, running, waiting, oldestWaitingAt }): readonly PlatformProblem[] => {
    const isIdle = running === 0 && oldestWaitingAt !== null && now - Date.parse(oldestWaitingAt) > maxWaitMilliseconds;
    const title = `No worker takes jobs of ${queue}`;
    const detail = `${countOf(waiting, 'job waits', 'jobs wait')}.`;
    return [
      ...(dead === 0
        ? []
        : [
            {
              tone: 'warn' as const,
              title: `${countOf(dead, 'dead letter')} in ${queue}`,
              detail: 'Their work was not done.',
              path: paths.deadLetters,
            },
          ]),
      ...(isIdle ? [{ tone: 'bad' as const, title, detail, path: paths.jobs }] : []),
    ];
  });

/** The latest value of each series: shares of a sum are added, of several observations the highest counts. */
export const recentOf = ({ items }: Pick<PlatformHealth, 'items'>): ReadonlyMap<string, number> => {
  const found = new Map<string, number>();
  for (const { series, value, merge } of items.flatMap(({ recent }) => recent)) {
    const before = found.get(series);
    found.set(series, before === undefined ? value : merge === 'sum' ? before + value : Math.max(before, value));
  }
  return found;
};

const ofSamples = (recent: ReadonlyMap<string, number>): readonly PlatformProblem[] => [
  ...[...recent].flatMap(([series, value]): readonly PlatformProblem[] =>
    series.startsWith('disk-used/') && value > maxDiskUse
      ? [
          {
            tone: 'bad',
            title: `The disk is ${Math.floor(value * 100)} % full`,
            detail: 'Stores refuse writes when it is full.',
            path: paths.health,
          },
        ]
      : [],
  ),
  ...((recent.get('commands-failed') ?? 0) > 0
    ? [
        {
          tone: 'bad' as const,
          title: 'Commands fail',
          detail: 'A store that they need did not answer.',
          path: paths.health,
        },
      ]
    : []),
];

/** Undefined: not known yet, or not answered. */
export interface PlatformState {
  readonly health: PlatformHealth | undefined;
  readonly overview: Overview | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export const problemsOf = ({ health, overview, now }: PlatformState): readonly PlatformProblem[] => {
  const views = new Set(overview?.views?.map(({ name }) => name) ?? []);
  const byHealth = health === undefined ? [] : ofStores(health);
  const others = overview === undefined ? [] : ofOverview(overview);
  const stores = [
    ...byHealth,
    ...others.filter(({ title }, index, all) =>
      [...byHealth, ...all.slice(0, index)].every((one) => one.title !== title),
    ),
  ];
  const silent = silentParts(stores);
  const isStoreSilent = stores.some(({ title }) => isNoAnswer(title));
  const found = [
    ...stores,
    ...(health === undefined ? [] : [...ofSamples(recentOf(health)), ...ofHealth(health, views, isStoreSilent)]),
    ...ofViews(overview?.views ?? [], { now, silent }),
    ...ofProcesses(overview?.processes ?? [], { silent }),
    ...ofQueues(overview?.queues ?? [], now),
  ];
  return found.toSorted((one, other) => Number(one.tone === 'warn') - Number(other.tone === 'warn'));
};
