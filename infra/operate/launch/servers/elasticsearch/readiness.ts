/** Probes a starting Elasticsearch. Only a complete answer counts as ready, not a slow one. */
import * as t from 'io-ts';
import type { Progress } from '../../../../adapters/programs/program-fault';
import { type Readiness, ready, waitsFor } from '../readiness';

/** Of one question: a machine under load takes its time. */
const requestTimeoutMilliseconds = 10_000;
/** For indices of which no shard is on its way, before they are taken for damaged: a node that just started has not looked at its shards. */
const usualSettleMilliseconds = 30_000;

const Health = t.type({
  status: t.string,
  initializing_shards: t.number,
  unassigned_shards: t.number,
  number_of_pending_tasks: t.number,
  number_of_in_flight_fetch: t.number,
});
type Health = t.TypeOf<typeof Health>;

const readHealth = async (url: string): Promise<Health | undefined> => {
  try {
    const response = await fetch(`${url}/_cluster/health?timeout=1s`, {
      signal: AbortSignal.timeout(requestTimeoutMilliseconds),
    });
    const decoded = Health.decode(await response.json());
    return decoded._tag === 'Right' ? decoded.right : undefined;
  } catch {
    return undefined;
  }
};

const isRecovering = ({ initializing_shards, number_of_pending_tasks, number_of_in_flight_fetch }: Health): boolean =>
  initializing_shards > 0 || number_of_pending_tasks > 0 || number_of_in_flight_fetch > 0;

interface Probe {
  readonly url: string;
  readonly progress: Progress;
  readonly settleMilliseconds?: number;
}

/** Damaged indices do not keep it off: what is whole is served, and a damaged one can be built again from the log. */
export const readinessOf = ({ url, progress, settleMilliseconds = usualSettleMilliseconds }: Probe) => {
  let idleSince: number | undefined;
  return async (): Promise<Readiness> => {
    const health = await readHealth(url);
    if (health === undefined) {
      idleSince = undefined;
      return waitsFor('it has not answered yet');
    }
    if (health.status !== 'red') return ready;
    const shards = health.initializing_shards + health.unassigned_shards;
    if (isRecovering(health)) {
      idleSince = undefined;
      return waitsFor(`it recovers its indices, ${shards} shards are left`);
    }
    idleSince ??= performance.now();
    if (performance.now() - idleSince < settleMilliseconds)
      return waitsFor(`it looks for the files of its indices, ${shards} shards are left`);
    progress('some indices are damaged', { shards });
    return ready;
  };
};
