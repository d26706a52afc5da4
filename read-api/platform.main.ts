/** The platform's queries with what they are made of: the log without its secrets, how events become state, and the ledgers. */
import { isLeft, left, right } from 'fp-ts/Either';
import { openStreamPages } from '../infra/eventstore/stream-pages';
import type { BoundRoute } from '../infra/http/route';
import type { Clock } from '../infra/ports/clock';
import type { EventStore } from '../infra/ports/event-store';
import { maskedPages } from '../infra/vault/masked-pages';
import { aggregates } from '../projections/aggregates.main';
import { openAudit } from '../projections/kernel/audit';
import type { Step } from '../projections/kernel/audited';
import type { Reading } from './kernel/query';
import type { Stream } from './kernel/stream';
import type { Streaming } from './kernel/streaming';
import { platformStreams } from './platform/live';
import { platformRoutes } from './platform/routes';
import type { States } from './platform/states';
import { openLedger, openProcesses, type StoreConfig } from './stores.main';

const aggregateOf = (stream: string) => aggregates.find(({ prefix }) => stream.startsWith(prefix));

export const states: States = {
  has: (stream) => aggregateOf(stream) !== undefined,
  secretsOf: (stream, storedType) => aggregateOf(stream)?.secretsOf(storedType) ?? [],
  around: (events) => {
    const audit = openAudit(aggregates);
    let last: Step | undefined;
    for (const stored of events) {
      const step = audit(stored);
      if (isLeft(step)) return left(`Revision ${stored.revision} cannot be read. ${step.left.reason}`.slice(0, 256));
      last = step.right;
    }
    return last === undefined ? left('There are no events.') : right({ before: last.before, after: last.after });
  },
};

export interface PlatformOptions {
  readonly config: StoreConfig;
  /** Of the log itself: what is sealed in it is not opened, and said to be sealed. */
  readonly readAll: EventStore['readAll'];
  readonly reading: Reading;
  readonly streaming: Streaming;
  readonly clock: Clock;
  readonly operators: string;
}

export interface OpenedPlatform {
  readonly routes: readonly BoundRoute[];
  readonly streams: readonly Stream[];
  readonly close: () => Promise<unknown>;
}

export const openPlatform = (options: PlatformOptions): OpenedPlatform => {
  const { config, readAll, reading, streaming, clock, operators } = options;
  const pages = maskedPages({ ...openStreamPages({ url: config.EVENTSTORE_URL }), readAll });
  const explorer = { reading, pages, states, operators };
  const ledger = openLedger(config);
  const processes = openProcesses(config);
  return {
    routes: platformRoutes({ explorer, operations: { processes, clock, operators }, ledger, streaming }),
    streams: platformStreams(explorer),
    close: () => Promise.all([pages.close(), ledger.close(), processes.close()]),
  };
};
