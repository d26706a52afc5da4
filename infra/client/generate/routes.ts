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
import { contextServices } from '../../services';
import type { Document } from './write';

const routesOf = (service: string): readonly BoundRoute[] => {
  const commands = contextModules<CommandContext>('commands', 'context').flatMap(
    ({ routes }) => routes[service]?.() ?? [],
  );
  if (service === 'ratelimit') return [...commands, ...rateLimitRoutes(undefined as never)];
  if (service !== 'read-api') return commands;
  const queries = contextModules<QueryContext>('read-api', 'context').flatMap(({ routes }) => routes());
  return [...queries, bind(undefined as never, issueStreamTicket)];
};

/** In the order in which the gateway joins their documents: it decides how types of one name are told apart. */
const services = ['commands', 'read-api', 'processes', ...contextServices.map(({ name }) => name)];

/** What each service answers, by the service's name. */
export const routesByService = (): { readonly [service: string]: readonly BoundRoute[] } =>
  Object.fromEntries(services.map((service) => [service, routesOf(service)]));

export const servedRoutes = (): Document =>
  merge([
    ...Object.entries(routesByService()).map(([name, routes]) => openApi(name, routes)),
    merge([sessionDocument(), platformHealthDocument()]),
  ]);
