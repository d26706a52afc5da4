/** Limits counted in Redis or Valkey, one server or a cluster: answers within a bound, or says that it cannot. */
import { openAcrossTags, type Scripts } from './across-tags';
import type { Decided, Mode } from './asked';
import type { BreakerFigures, BreakerOptions } from './breaker';
import { callerScript } from './caller-script';
import { callerStore } from './caller-store';
import { decide } from './decide';
import { decideScript } from './decide-script';
import { type KeptAnswers, keptAnswers, keptAnswersScript } from './kept-answers';
import { orphanList, orphanScript } from './orphan-list';
import { openRedisClient, type RedisClient, type RedisPlace } from './redis-client';
import { type Guarded, guarded } from './redis-guard';
import { contextOf, settle } from './settle';
import { settleScript } from './settle-script';
import type { LimitStore } from './store';
import { healthOf, type StoreHealth, type StoreWarning } from './store-health';
import { tagOf } from './tags';

export type RedisStoreOptions = RedisPlace & {
  /** Later than that is no answer; 50 when left out. */
  readonly answerMilliseconds?: number;
  /** How long the first questions wait for the first connection, unless it fails; 2,000 when left out. */
  readonly startMilliseconds?: number;
  readonly breaker?: Partial<BreakerOptions>;
  /** Told at every connection what is wrong with the server for limits. */
  readonly onWarning?: (warning: StoreWarning) => void;
};

export interface RedisStore extends LimitStore {
  readonly figures: () => BreakerFigures;
  /** Asks the server; for whoever watches over it. */
  readonly health: () => Promise<StoreHealth>;
  /** For requests that may be asked again. */
  readonly answers: KeptAnswers;
}

const answerDefault = 50;
const startDefault = 2_000;

/** Whoever asked has gone on without it and will not settle it: nothing is to be held for them. */
const givingBack =
  (settled: Scripts['settle']) =>
  (mode: Mode, { outcome, limits }: Decided): void => {
    if (typeof mode === 'string' || outcome !== 'admitted') return;
    settled({ reservation: mode.reservation, actual: limits.map(() => 0), final: true }).catch(() => undefined);
  };

const scriptsOn = (client: RedisClient, longestMilliseconds: number): Scripts => {
  const settlement = client.script(settleScript());
  const settled = settle(settlement);
  const apart = client.isCluster ? { placeOf: tagOf } : {};
  return {
    decide: decide(client.byteScript(decideScript()), { ...apart, longestMilliseconds, late: givingBack(settled) }),
    settle: settled,
    context: contextOf(settlement),
  };
};

/** A script gives up by itself; where one comes after the other, all of them have the time of one. */
const decidingBy = ({ ask, askInTime }: Guarded, scripts: Scripts, isCluster: boolean): LimitStore['decide'] => {
  if (!isCluster) return (mode, id, asked) => ask(() => scripts.decide(mode, id, asked));
  const giveBack = givingBack(scripts.settle);
  return (mode, id, asked) =>
    askInTime(
      () => scripts.decide(mode, id, asked),
      (decided) => giveBack(mode, decided),
    );
};

const warned = ({ redis, isReady, onReady }: RedisClient, onWarning: (warning: StoreWarning) => void): void => {
  const tell = async (): Promise<void> => (await healthOf(redis)).warnings.forEach(onWarning);
  onReady(() => void tell());
  if (isReady()) void tell();
};

export const openRedisStore = (options: RedisStoreOptions): RedisStore => {
  const { answerMilliseconds = answerDefault, startMilliseconds = startDefault } = options;
  const client = openRedisClient(options);
  const guard = guarded(client, { ...options, answerMilliseconds, startMilliseconds });
  const own = scriptsOn(client, answerMilliseconds);
  const scripts = client.isCluster ? openAcrossTags(own) : own;
  if (options.onWarning !== undefined) warned(client, options.onWarning);
  const [listed, kept] = [client.script(orphanScript()), client.script(keptAnswersScript)];
  const byHand = client.script(callerScript());
  return {
    decide: decidingBy(guard, scripts, client.isCluster),
    settle: (settlement) => guard.askInTime(() => scripts.settle(settlement)),
    context: (reservation) => guard.askInTime(() => scripts.context(reservation)),
    callers: callerStore((keys, values) => guard.askInTime(() => byHand(keys, values))),
    orphans: orphanList((keys, values) => guard.askInTime(() => listed(keys, values))),
    answers: keptAnswers((keys, values) => guard.askInTime(() => kept(keys, values))),
    figures: guard.figures,
    health: () => healthOf(client.redis),
    close: client.close,
  };
};
