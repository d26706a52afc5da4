/** GET /v1/platform/event-types: the types that this system records, for filters. */
import * as t from 'io-ts';
import { record } from '../../../domain/kernel/codec';
import { route } from '../../../infra/server/http/routing/route';
import type { Explorer } from '../explorer';
import { EventType, scopes } from '../schemas';

const PlatformEventTypes = record('PlatformEventTypes', { items: t.readonlyArray(EventType) });

export const listEventTypes = route<Explorer>()({
  method: 'get',
  path: '/v1/platform/event-types',
  operation: 'listPlatformEventTypes',
  summary: 'List the stored types of events, in alphabetical order',
  description: 'Earlier versions included. The log may have events of other types: of processes, and foreign ones.',
  access: { scopes },
  answers: { 200: { description: 'All of them; there are a few hundred.', body: PlatformEventTypes } },
  problems: {},
  handle: async ({ states }) => ({ status: 200, body: { items: states.storedTypes } }),
});
