/** The log as it is written: for a tenant its own events, for operators of the platform all. */

import type { StoredEvent } from '../../../infra/ports/event-store';
import type { ExplorerEvent } from '../../../infra/ports/stream-pages';
import { problem } from '../../../infra/server/http/problem';
import type { Route } from '../../../infra/server/http/routing/route';
import { followFrom, streamRoute } from '../../kernel/streams/sse-route';
import { type Stream, stream } from '../../kernel/streams/stream-definition';
import type { StreamService } from '../../kernel/streams/stream-service';
import type { Explorer } from '../explorer';
import { Context, PlatformEvent, scopes, WantedType } from '../schemas';
import { isOfType } from './event-type-filter';
import { redactEvent } from './redaction';

type LiveOptions = Pick<Explorer, 'operators' | 'states'>;

/** Streams are followed without keys: sealed fields read as forgotten, and the metadata list them. */
const seenOf = (event: StoredEvent): ExplorerEvent => {
  const { opened, ...metadata } = (event.metadata ?? {}) as { readonly opened?: unknown };
  if (!Array.isArray(opened)) return { ...event, sealedWith: {} };
  const sealedWith = Object.fromEntries(opened.map((field): [string, string] => [String(field), '']));
  return { ...event, metadata: { ...metadata, sealed: opened }, sealedWith };
};

const spec = ({ states }: LiveOptions) => ({
  path: '/v1/platform/all/live',
  scopes,
  item: PlatformEvent,
  filters: {
    context: Context,
    type: WantedType,
  },
  matches: { type: isOfType },
  followed: {
    show: (event: StoredEvent) => {
      // Erased keys are not looked up here; secrets of live events read as sealed.
      const body = redactEvent({ states, isForgotten: () => false }, seenOf(event));
      return { event: 'recorded', body };
    },
  },
});

/** Two streams by name on the WebSocket; their shared path selects one by the caller's tenant. */
export const platformStreams = (options: LiveOptions): readonly [own: Stream, all: Stream] => {
  const common = spec(options);
  const own = stream({
    ...common,
    name: 'platform-events',
    operation: 'followPlatformLog',
    summary: 'Follow the log as it is written: the tenant’s events, or all for operators of the platform',
  });
  const all = stream({
    ...common,
    name: 'platform-all',
    operation: 'followWholePlatformLog',
    summary: 'Follow the log as it is written, of all tenants',
    followed: { ...common.followed, whole: true },
    refuse: async ({ tenantId }) =>
      tenantId === options.operators ? undefined : problem('forbidden', 'Only operators of the platform follow all.'),
  });
  return [own, all];
};

export const followLog = (options: LiveOptions): Route<StreamService, unknown, never> => {
  const [own, all] = platformStreams(options);
  const common = streamRoute(own);
  return {
    ...common,
    description: `${common.description} For operators of the platform it is that of \`${all.name}\`.`,
    handle: (streaming, request) =>
      followFrom(streaming, request.identity.tenantId === options.operators ? all : own, request),
  } as Route<StreamService, unknown, never>;
};
