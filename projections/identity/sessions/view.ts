/** Sessions. User agent and address stay encrypted: decrypting them would require personal keys in projectors. */
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { AuthenticationMethod, SessionId } from '../../../domain/identity/ids';
import { Reason } from '../../../domain/identity/principal/events';
import { Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

/** `ACTIVE` includes expired sessions: see `expiresAt`. */
const SessionStatus = oneOf('SessionStatus', ['ACTIVE', 'ENDED']);

/** By its own event, by the principal's security epoch, or because its client changed. */
export const EndedBy = oneOf('EndedBy', ['itself', 'security-epoch', 'client-change']);

export const SessionRow = record('SessionRow', {
  tenantId: TenantId,
  sessionId: SessionId,
  principalId: PrincipalId,
  status: SessionStatus,
  openedAt: Instant,
  /** Last authentication. */
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
