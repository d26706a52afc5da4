/** Metrics of streams: connections, subscriptions, fallbacks to the log, and delivery delay. */
import type { Metrics } from '../../../infra/ports/runtime/metrics';

export type Transport = 'sse' | 'websocket';

export interface StreamMetrics {
  /** Returns the function to call when the client leaves, with the end's code if the server ended the stream. */
  readonly joined: (transport: Transport) => (code?: string) => void;
  readonly subscribed: (stream: string, transport: Transport) => () => void;
  readonly fellBack: (stream: string) => void;
  /** Time from receipt by the hub to delivery to a client. */
  readonly delivered: (stream: string, milliseconds: number) => void;
}

/** One in this many deliveries is timed: their number is events times clients. */
const sampled = 32;

const levels = (set: (value: number, labels: { readonly [label: string]: string }) => void) => {
  const counts = new Map<string, number>();
  return (labels: { readonly [label: string]: string }, by: number): void => {
    const key = JSON.stringify(labels);
    const count = (counts.get(key) ?? 0) + by;
    counts.set(key, count);
    set(count, labels);
  };
};

export const createStreamMetrics = (metrics: Metrics): StreamMetrics => {
  const clients = levels(
    metrics.gauge({ name: 'stream_clients', help: 'Clients that follow a stream.', labels: ['transport'] }),
  );
  const labels = ['stream', 'transport'];
  const followers = levels(metrics.gauge({ name: 'stream_subscriptions', help: 'Open subscriptions.', labels }));
  const help = 'Subscribers that fell behind the ring buffer and read the log again.';
  const fellBack = metrics.counter({ name: 'stream_fallbacks_total', help, labels: ['stream'] });
  const endHelp = 'Clients that left or were sent away, by reason.';
  const ended = metrics.counter({ name: 'stream_ends_total', help: endHelp, labels: ['transport', 'code'] });
  const late = 'Time from receipt of an event to delivery to a client; sampled.';
  const delay = metrics.histogram({ name: 'stream_delivery_seconds', help: late, labels: ['stream'] });
  let deliveries = 0;
  return {
    joined: (transport) => {
      clients({ transport }, 1);
      return (code = 'left') => {
        clients({ transport }, -1);
        ended({ transport, code });
      };
    },
    subscribed: (stream, transport) => {
      followers({ stream, transport }, 1);
      return () => followers({ stream, transport }, -1);
    },
    fellBack: (stream) => fellBack({ stream }),
    delivered: (stream, milliseconds) => {
      deliveries += 1;
      if (deliveries % sampled === 0) delay(milliseconds / 1000, { stream });
    },
  };
};
