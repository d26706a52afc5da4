/** What the query side serves of identity. */
import { type BoundRoute, bind } from '../../infra/http/route';
import type { Reading } from '../kernel/query';
import type { Stream } from '../kernel/stream';
import { streamRoute } from '../kernel/stream-route';
import type { Streaming } from '../kernel/streaming';
import { getPrincipalHistory } from './principal-history';
import { getPrincipal, listPrincipals } from './principals';
import { listSecurityEvents, securityEventsStream } from './security-events';

export const identityStreams: readonly Stream[] = [securityEventsStream];

export const identityRoutes = (reading: Reading, streaming: Streaming): readonly BoundRoute[] => [
  bind(reading, listPrincipals),
  bind(reading, getPrincipal),
  bind(reading, getPrincipalHistory),
  bind(reading, listSecurityEvents),
  ...identityStreams.map((stream) => bind(streaming, streamRoute(stream))),
];
