/** A catch-up subscription as an async iterable that survives the server: each event once, in order, markers in order. */

import {
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
  type EventStoreDBClient,
  eventTypeFilter,
  type Filter,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import { connect, disconnect } from '../../../../packages/eventstore-node/src/client';
import type { EventFilter, SubscribeAll, SubscriptionSignal } from '../../../ports/event-store';
import type { LogAnchor } from '../../../ports/log-identity';
import type { Log } from '../../../ports/runtime/log';
import { backoffMilliseconds, pause } from '../../../server/runtime/backoff';
import { trackOutage } from '../../../server/runtime/outage';
import { matchesEverything, matchesFilter } from '../event-filter';
import { eventIdAt } from '../event-id-at';
import { toStoredEvent } from '../stored-event';

/** Events looked at between checkpoints while nothing matches. */
const checkpointEvery = { maxSearchWindow: 256, checkpointInterval: 4 } as const;
const buffered = 512;

interface CheckpointMarker {
  readonly checkpointReached: (subscription: AllStreamSubscription, position: { commit: bigint }) => Promise<void>;
}

/** The server filters by one of the two; the other is applied here. */
const serverFilter = (filter: EventFilter = {}, marker: CheckpointMarker): Filter => {
  const options = { ...checkpointEvery, ...marker };
  if (filter.streams !== undefined && !matchesEverything(filter.streams))
    return streamNameFilter({ prefixes: [...filter.streams], ...options });
  if (filter.types !== undefined) return eventTypeFilter({ prefixes: [...filter.types], ...options });
  return eventTypeFilter({ regex: '^[^$]', ...options });
};

/** Checkpoint signal after this many events. The client announces it before it delivers its buffered events. */
interface Marker {
  readonly after: number;
  readonly signal: SubscriptionSignal;
}

/** What happened to a subscription since it was last looked at. */
interface SubscriptionWatch {
  readonly markers: Marker[];
  taken: number;
  failure: unknown;
  over: boolean;
  wake: () => void;
}

async function* follow(
  subscription: AllStreamSubscription,
  watch: SubscriptionWatch,
): AsyncGenerator<SubscriptionSignal, void> {
  const { markers } = watch;
  for (;;) {
    while (markers[0] !== undefined && markers[0].after <= watch.taken) yield (markers.shift() as Marker).signal;
    const resolved = subscription.read() as AllStreamResolvedEvent | null;
    if (resolved !== null) {
      watch.taken += 1;
      const { event } = resolved;
      if (event !== undefined) yield { kind: 'event', event: toStoredEvent(event) };
      continue;
    }
    if (watch.failure !== undefined) throw watch.failure;
    if (watch.over) return;
    await new Promise<void>((resolve) => (watch.wake = resolve));
  }
}

const open = (client: EventStoreDBClient, { filter }: SubscribeAll, after: bigint | null) => {
  const watch: SubscriptionWatch = { markers: [], taken: 0, failure: undefined, over: false, wake: () => undefined };
  const mark = (signal: SubscriptionSignal): void => {
    watch.markers.push({ after: watch.taken + subscription.readableLength, signal });
    watch.wake();
  };
  const checkpointReached: CheckpointMarker['checkpointReached'] = (_, { commit }) => {
    mark({ kind: 'checkpoint', position: commit });
    return Promise.resolve();
  };
  const subscription: AllStreamSubscription = client.subscribeToAll(
    {
      fromPosition: after === null ? START : { commit: after, prepare: after },
      filter: serverFilter(filter, { checkpointReached }),
    },
    { highWaterMark: buffered },
  );
  const end = (): void => {
    watch.over = true;
    watch.wake();
  };
  subscription.on('caughtUp', () => mark({ kind: 'caught-up' }));
  subscription.on('readable' as 'end', () => watch.wake());
  subscription.on('end', end);
  subscription.on('close', end);
  subscription.on('error', (error) => {
    watch.failure = error;
    watch.wake();
  });
  return { subscription, signals: follow(subscription, watch) };
};

const positionOf = (signal: SubscriptionSignal): bigint | undefined => {
  if (signal.kind === 'event') return signal.event.position;
  return signal.kind === 'checkpoint' ? signal.position : undefined;
};

/** A function, because the compiler takes a flag it has just read to stay as it was. */
const isAborted = ({ signal }: SubscribeAll): boolean => signal.aborted;

interface Server {
  readonly url: string;
  readonly log: Log;
  /** Called when the server has another log than before: it was emptied, moved or restored while this process followed it. */
  readonly replaced: (detail: string) => void;
}

/** A log that was exchanged while the connection was gone has another event, or none, where the last one was delivered from. */
const checkSameLog = async (client: EventStoreDBClient, delivered: LogAnchor | undefined): Promise<void> => {
  if (delivered === undefined) return;
  const { position, eventId } = delivered;
  if ((await eventIdAt(client, position)) !== eventId)
    throw new LogReplacedError(
      `The log no longer has the event ${eventId} at position ${position}, which was read there.`,
    );
};

class LogReplacedError extends Error {}

/** A connection carries a hundred calls at most: each subscription has its own. */
export async function* subscribeAll(
  { url, log, replaced }: Server,
  request: SubscribeAll,
): AsyncGenerator<SubscriptionSignal, void> {
  const client = connect(url, request.signal);
  const outage = trackOutage(log, {
    failing: 'subscription broke; it is resumed',
    recovered: 'subscriptions to the log are back',
  });
  let last = request.after;
  let delivered: LogAnchor | undefined;
  try {
    for (let attempt = 0; !isAborted(request); attempt += 1) {
      let leave = (): void => undefined;
      try {
        await checkSameLog(client, delivered);
        log.debug({ after: String(last) }, 'subscribing to the log');
        const { subscription, signals } = open(client, request, last);
        leave = () => void subscription.destroy();
        request.signal.addEventListener('abort', leave, { once: true });
        for await (const signal of signals) {
          attempt = 0;
          outage.recovered();
          last = positionOf(signal) ?? last;
          if (signal.kind === 'event') delivered = { position: signal.event.position, eventId: signal.event.id };
          if (signal.kind !== 'event' || matchesFilter(signal.event, request.filter)) yield signal;
        }
      } catch (error) {
        if (error instanceof LogReplacedError) {
          replaced(error.message);
          throw error;
        }
        if (!isAborted(request)) outage.failed({ error, after: String(last) });
      } finally {
        request.signal.removeEventListener('abort', leave);
        leave();
      }
      await pause(backoffMilliseconds(attempt, 100), request.signal);
    }
  } finally {
    outage.end();
    await disconnect(client);
  }
}
