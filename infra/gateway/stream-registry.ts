/**
 * Open SSE streams and WebSockets. Services end streams of revoked tokens with a reason; shortly afterwards the gateway ends the streams that a
 * service missed.
 */

import {
  maxStalenessMilliseconds,
  type RevocationChecker,
} from '../../packages/resource-server/src/verification/index';
import type { Metrics } from '../ports/runtime/metrics';
import { revocableOf } from '../server/http/identity/revocable-claims';
import type { Identity } from '../server/http/routing/route';
import { type StreamEnd, streamEnds } from '../server/http/streaming/stream-end';

export interface OpenStream {
  readonly transport: 'sse' | 'websocket';
  /** Undefined: a public stream. */
  readonly identity: Identity | undefined;
  readonly end: (end: StreamEnd) => void;
}

export interface StreamRegistry {
  /** Returns a function that removes the stream. */
  readonly add: (stream: OpenStream) => () => void;
  readonly close: () => void;
}

export interface StreamRegistryOptions {
  readonly revocations: RevocationChecker;
  readonly metrics: Metrics;
  readonly draining: AbortSignal;
  readonly everyMilliseconds?: number;
}

export const openStreamRegistry = ({
  revocations,
  metrics,
  draining,
  everyMilliseconds = 250,
}: StreamRegistryOptions): StreamRegistry => {
  const open = new Set<OpenStream>();
  const due = new WeakSet<OpenStream>();
  const gauge = metrics.gauge({
    name: 'gateway_streams',
    help: 'Streams and sockets that are open through the gateway.',
    labels: ['transport'],
  });
  const counts = { sse: 0, websocket: 0 };
  const count = (transport: OpenStream['transport'], by: number): void => {
    counts[transport] += by;
    gauge(counts[transport], { transport });
  };
  for (const transport of ['sse', 'websocket'] as const) count(transport, 0);
  const withdrawn = (identity: Identity): boolean =>
    revocations.refusal(revocableOf(identity), identity.keyId ?? '') !== undefined;
  const look = (): void => {
    const stale = revocations.stalenessMilliseconds() > maxStalenessMilliseconds;
    let isGuarded = false;
    for (const stream of open) {
      if (stream.identity === undefined) continue;
      isGuarded = true;
      if (stale) stream.end(streamEnds.stale);
      else if (!withdrawn(stream.identity)) continue;
      else if (due.has(stream)) stream.end(streamEnds.revoked);
      else due.add(stream);
    }
    if (!isGuarded) rest();
  };
  /** Only while a stream is open that a revocation could end. */
  let timer: NodeJS.Timeout | undefined;
  const rest = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const drain = (): void => {
    for (const stream of open) stream.end(streamEnds.draining);
  };
  draining.addEventListener('abort', drain, { once: true });
  return {
    add: (stream) => {
      open.add(stream);
      count(stream.transport, 1);
      if (stream.identity !== undefined) timer ??= setInterval(look, everyMilliseconds);
      if (draining.aborted) stream.end(streamEnds.draining);
      return () => {
        if (open.delete(stream)) count(stream.transport, -1);
      };
    },
    close: () => {
      rest();
      draining.removeEventListener('abort', drain);
    },
  };
};
