/** All routes that the gateway serves, in one document, as it joins them itself. A new context adds its line here. */
import { documentRoutes } from '../../commands/editor/documents/routes';
import { historyRoutes } from '../../commands/editor/history/routes';
import { contentRoutes } from '../../commands/editor/sessions/http/routes';
import { signingKeyRoutes } from '../../commands/identity/keys/routes';
import { peopleRoutes } from '../../commands/identity/people/routes';
import { revokeTokensRoute } from '../../commands/identity/revocation/revoke';
import { identityRoutes as identityCommands } from '../../commands/identity/routes';
import { deadLetterRoutes } from '../../commands/kernel/react/dead-letter-routes';
import { privacyRoutes } from '../../commands/privacy/routes';
import { ratelimitRoutes as ratelimitCommands } from '../../commands/ratelimit/routes';
import { merge } from '../../infra/gateway/documentation';
import { platformHealthDocument } from '../../infra/gateway/platform-health';
import { sessionDocument } from '../../infra/gateway/session-codecs';
import { openApi } from '../../infra/http/openapi';
import { bind } from '../../infra/http/route';
import { rateLimitRoutes } from '../../infra/ratelimit/service/routes';
import { editorRoutes } from '../../read-api/editor/routes';
import { identityRoutes as identityQueries } from '../../read-api/identity/routes';
import { followSecurityState, getSecurityState } from '../../read-api/identity/security-state';
import { issueStreamTicket } from '../../read-api/kernel/stream-ticket';
import { platformRoutes } from '../../read-api/platform/routes';
import { ratelimitRoutes as ratelimitQueries } from '../../read-api/ratelimit/routes';
import type { Document } from './write';

/** Nothing is asked of a route but what it says of itself. */
const nothing = undefined as never;
const without = {} as never;

/** What each service answers, by the service's name. */
export const routesByService = () => ({
  commands: [
    ...identityCommands(without),
    ...peopleRoutes(without),
    ...signingKeyRoutes(nothing),
    bind(nothing, revokeTokensRoute as never),
    ...privacyRoutes(nothing),
    ...ratelimitCommands(without),
    ...documentRoutes(without),
  ],
  'read-api': [
    ...identityQueries(nothing, nothing),
    bind(nothing, getSecurityState as never),
    bind(nothing, followSecurityState as never),
    ...ratelimitQueries(without),
    ...editorRoutes(without),
    ...platformRoutes({ explorer: without, operations: without } as never),
    bind(nothing, issueStreamTicket as never),
  ],
  processes: deadLetterRoutes(without),
  editor: [...contentRoutes(without), ...historyRoutes(without)],
  ratelimit: rateLimitRoutes(nothing),
});

export const servedRoutes = (): Document =>
  merge([
    ...Object.entries(routesByService()).map(([name, routes]) => openApi(name, routes)),
    merge([sessionDocument(), platformHealthDocument()]),
  ]);
