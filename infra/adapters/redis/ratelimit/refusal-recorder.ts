/** Sums refusals for a second and appends them to a bounded stream per tenant, which lasts for a day. */
import type Redis from 'ioredis';
import type { RecordedRefusals, Refusal, RefusalKind, RefusalRecorder } from '../../../ports/rate-limit-reports';
import { refusalsKey, retentionMilliseconds } from './report-keys';

type Summed = Omit<RecordedRefusals, 'id' | 'at'>;

/** Per tenant; a flood of one tenant takes no room of another. */
const maxEntries = 2_000;
/** Different kinds in one second; more are dropped, because a flood of strangers must not fill Redis. */
const maxKinds = 200;
const everyMilliseconds = 1_000;

const kindOf = ({ enforcedBy, tenantId, principalId, clientId, group, reason, rules }: RefusalKind): string =>
  JSON.stringify([enforcedBy, tenantId, principalId, clientId, group, reason, rules]);

type Appending = Pick<Redis, 'pipeline'>;

const append = async (redis: Appending, summed: readonly Summed[]): Promise<void> => {
  // One for each tenant: their streams are in different slots of a cluster.
  const pipelines = new Map<string, ReturnType<Appending['pipeline']>>();
  for (const { tenantId, ...fields } of summed) {
    const key = refusalsKey(tenantId);
    const pipeline = pipelines.get(key) ?? redis.pipeline();
    pipelines.set(key, pipeline.xadd(key, 'MAXLEN', '~', maxEntries, '*', 'refusals', JSON.stringify(fields)));
  }
  await Promise.all([...pipelines].map(([key, pipeline]) => pipeline.pexpire(key, retentionMilliseconds).exec()));
};

export const createRefusalRecorder = (redis: Appending): RefusalRecorder => {
  let sums = new Map<string, Summed>();
  let sending: Promise<void> = Promise.resolve();
  const send = (): void => {
    if (sums.size === 0) return;
    const summed = [...sums.values()];
    sums = new Map();
    // What cannot be written is lost: nothing depends on it.
    sending = sending.then(() => append(redis, summed)).catch(() => undefined);
  };
  const timer = setInterval(send, everyMilliseconds).unref();
  return {
    record: (refusal: Refusal) => {
      const kind = kindOf(refusal);
      const before = sums.get(kind);
      if (before === undefined && sums.size >= maxKinds) return;
      sums.set(kind, { ...refusal, refusals: (before?.refusals ?? 0) + 1 });
    },
    close: async () => {
      clearInterval(timer);
      send();
      await sending;
    },
  };
};
