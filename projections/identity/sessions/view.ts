/** Who is signed in, and since when. Device and address stay sealed: a projector that shows them would hold people's keys. */
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { AuthenticationMethod, SessionId } from '../../../domain/identity/ids';
import { Reason } from '../../../domain/identity/principal/events';
import { Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

/** One that is `ACTIVE` is over all the same once `expiresAt` is past. */
const SessionStatus = oneOf('SessionStatus', ['ACTIVE', 'ENDED']);

/** By an event of its own stream, or by the principal: its epoch was raised, or it was suspended or compromised, which raises it. */
export const EndedBy = oneOf('EndedBy', ['itself', 'security-epoch']);

export const SessionRow = record('SessionRow', {
  tenantId: TenantId,
  sessionId: SessionId,
  principalId: PrincipalId,
  status: SessionStatus,
  openedAt: Instant,
  /** When it was last proven who this is. */
  authenticatedAt: Instant,
  methods: t.array(AuthenticationMethod, 'AuthenticationMethods'),
  upstreamIssuer: nullable(text('Issuer', { maxLength: 2048 })),
  expiresAt: Instant,
  endedAt: nullable(Instant),
  reason: nullable(Reason),
  endedBy: nullable(EndedBy),
  revision: integer(0),
});
export type SessionRow = TypeOf<typeof SessionRow>;

export const sessionsView: TableView<SessionRow> = table({
  name: 'identity_sessions',
  version: 2,
  row: SessionRow,
  key: ['tenantId', 'sessionId'],
  indexes: [
    ['tenantId', 'openedAt', 'sessionId'],
    ['tenantId', 'principalId', 'openedAt', 'sessionId'],
  ],
});
