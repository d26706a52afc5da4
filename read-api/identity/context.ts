/** Identity on the query side: principals and what they hold, sessions, grants, clients, keys, and security events. */
import { bind, describedOnly } from '../../infra/http/route';
import { queryContext } from '../kernel/context';
import { identityRoutes, identityStreams } from './routes';
import { followSecurityState, getSecurityState } from './security-state';

export const context = queryContext({
  config: {},
  open: (_values, { reading, streaming, operators, security }) => ({
    routes: [
      ...identityRoutes({ ...reading, operators }, streaming),
      bind({ streaming, security, operators }, getSecurityState),
      bind({ streaming, security, operators }, followSecurityState),
    ],
    streams: identityStreams,
  }),
  routes: () => [
    ...identityRoutes(describedOnly, describedOnly),
    bind(describedOnly, getSecurityState),
    bind(describedOnly, followSecurityState),
  ],
});
