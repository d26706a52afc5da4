/** The log, with metrics of every call and, where something is traced, a span for each. */
import { type Either, isLeft } from 'fp-ts/Either';
import type { EventStore } from '../../ports/event-store';
import type { Metrics } from '../../ports/runtime/metrics';
import type { SpanEnd, Tracer } from '../../ports/runtime/trace';

export interface StoreTracing {
  readonly metrics: Metrics;
  readonly trace?: Tracer | undefined;
}

type Refused = { readonly kind: 'fault'; readonly code: string } | { readonly kind: 'wrong-revision' };

const outcomeOf = (answer: Either<Refused, unknown>): string => {
  if (!isLeft(answer)) return 'ok';
  return answer.left.kind === 'fault' ? answer.left.code : answer.left.kind;
};

const ended = (answer: Either<Refused, unknown>): SpanEnd => {
  const outcome = outcomeOf(answer);
  return outcome === 'ok' ? {} : { failed: outcome };
};

/** The stream's category: what comes after it are ids. */
const categoryOf = (stream: string): string => stream.split('-', 1)[0] ?? '';

const createStoreMetrics = (metrics: Metrics) => ({
  seconds: metrics.histogram({
    name: 'event_store_call_seconds',
    help: 'Time until the log answered.',
    labels: ['call', 'outcome'],
  }),
  events: metrics.counter({ name: 'event_store_events_total', help: 'Events by call.', labels: ['call'] }),
  subscriptions: metrics.counter({ name: 'event_store_subscriptions_total', help: 'Subscriptions that were opened.' }),
});

export const tracedEventStore = <Store extends EventStore>(store: Store, { metrics, trace }: StoreTracing): Store => {
  const storeMetrics = createStoreMetrics(metrics);
  /** Only within a trace: background calls would be traces of one span each. */
  const spanned = <A extends Either<Refused, unknown>>(call: string, stream: string, run: () => Promise<A>) =>
    trace?.current() === undefined
      ? run()
      : trace.traceCall(
          { name: `log ${call}`, kind: 'client', attributes: { 'septet.category': categoryOf(stream) } },
          run,
          ended,
        );
  const timed = async <A extends Either<Refused, unknown>>(call: string, stream: string, run: () => Promise<A>) => {
    const began = performance.now();
    const answer = await spanned(call, stream, run);
    storeMetrics.seconds((performance.now() - began) / 1000, { call, outcome: outcomeOf(answer) });
    return answer;
  };
  return {
    ...store,
    append: async (stream, expected, events) => {
      const appended = await timed('append', stream, () => store.append(stream, expected, events));
      if (!isLeft(appended)) storeMetrics.events({ call: 'append' }, events.length);
      return appended;
    },
    read: async (stream, from) => {
      const found = await timed('read', stream, () => store.read(stream, from));
      if (!isLeft(found)) storeMetrics.events({ call: 'read' }, found.right.length);
      return found;
    },
    head: () => timed('head', '', store.head),
    subscribeAll: async function* (request) {
      storeMetrics.subscriptions();
      for await (const signal of store.subscribeAll(request)) {
        if (signal.kind === 'event') storeMetrics.events({ call: 'subscribe' });
        yield signal;
      }
    },
  };
};
