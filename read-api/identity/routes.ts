/** What the query side serves of identity. */
import { type BoundRoute, bind } from '../../infra/http/route';
import type { Reading } from '../kernel/query';
import type { Streaming } from '../kernel/stream';
import { getPrincipalHistory } from './principal-history';
import { getPrincipal, listPrincipals } from './principals';
import { followSecurityEvents, listSecurityEvents } from './security-events';

export const identityRoutes = (reading: Reading, securityEvents: Streaming): readonly BoundRoute[] => [
  bind(reading, listPrincipals),
  bind(reading, getPrincipal),
  bind(reading, getPrincipalHistory),
  bind(reading, listSecurityEvents),
  bind(securityEvents, followSecurityEvents),
];
