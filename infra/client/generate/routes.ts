/** All routes that the gateway serves, in one document, as it joins them itself. A new context adds its line here. */
import { identityRoutes as identityCommands } from '../../../commands/identity/routes';
import { deadLetterRoutes } from '../../../commands/kernel/react/dead-letter-routes';
import { privacyRoutes } from '../../../commands/privacy/routes';
import { identityRoutes as identityQueries } from '../../../read-api/identity/routes';
import { issueStreamTicket } from '../../../read-api/kernel/stream-ticket';
import { platformRoutes } from '../../../read-api/platform/routes';
import { merge } from '../../gateway/documentation';
import { platformHealthDocument } from '../../gateway/platform-health';
import { sessionDocument } from '../../gateway/session-codecs';
import { openApi } from '../../http/openapi';
import { bind } from '../../http/route';
import type { Document } from './write';

/** Nothing is asked of a route but what it says of itself. */
const nothing = undefined as never;
const without = {} as never;

export const servedRoutes = (): Document => {
  const commands = [...identityCommands(nothing), ...privacyRoutes(nothing)];
  const queries = [
    ...identityQueries(nothing, nothing),
    ...platformRoutes({ explorer: without, operations: without } as never),
    bind(nothing, issueStreamTicket as never),
  ];
  return merge([
    openApi('commands', commands),
    openApi('read-api', queries),
    openApi('processes', deadLetterRoutes(without)),
    merge([sessionDocument(), platformHealthDocument()]),
  ]);
};
