/** All routes that the gateway serves, in one document, as it joins them itself. */
import type { CommandContext } from '../../../commands/kernel/context';
import type { QueryContext } from '../../../read-api/kernel/context';
import { issueStreamTicket } from '../../../read-api/kernel/stream-ticket';
import { contextModules } from '../../context-modules';
import { merge } from '../../gateway/documentation';
import { platformHealthDocument } from '../../gateway/platform-health';
import { sessionDocument } from '../../gateway/session-codecs';
import { openApi } from '../../http/openapi';
import { type BoundRoute, bind } from '../../http/route';
import { rateLimitRoutes } from '../../ratelimit/service/routes';
import type { Document } from './write';

const commandRoutes = (): Record<string, readonly BoundRoute[]> => {
  const byService: Record<string, readonly BoundRoute[]> = {};
  for (const { routes } of contextModules<CommandContext>('commands', 'context'))
    for (const [service, describe] of Object.entries(routes))
      byService[service] = [...(byService[service] ?? []), ...describe()];
  return byService;
};

/** What each service answers, by the service's name. */
export const routesByService = (): { readonly [service: string]: readonly BoundRoute[] } => ({
  ...commandRoutes(),
  'read-api': [
    ...contextModules<QueryContext>('read-api', 'context').flatMap(({ routes }) => routes()),
    bind(undefined as never, issueStreamTicket),
  ],
  ratelimit: rateLimitRoutes(undefined as never),
});

export const servedRoutes = (): Document =>
  merge([
    ...Object.entries(routesByService()).map(([name, routes]) => openApi(name, routes)),
    merge([sessionDocument(), platformHealthDocument()]),
  ]);
