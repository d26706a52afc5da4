/** GET /v1/sessions, and those of one principal: who is signed in. */
import { Instant, nullable, record, text } from '../../domain/kernel/codec';
import { EndedBy, type SessionRow, SessionStatus, sessionsView } from '../../projections/identity/sessions/view';
import { given } from '../kernel/given';
import { pageRoute } from '../kernel/route';
import { ownOrScoped } from './own';
import { PrincipalParams } from './principals';
import { AuthenticationMethods, EndReason, PrincipalId, SessionId } from './wire';

const scope = 'sessions:read';

const Session = record('Session', {
  sessionId: SessionId,
  principalId: PrincipalId,
  status: SessionStatus,
  openedAt: Instant,
  /** When it was last proven who this is. */
  authenticatedAt: Instant,
  methods: AuthenticationMethods,
  upstreamIssuer: nullable(text('UpstreamIssuer', { maxLength: 2048 })),
  expiresAt: Instant,
  endedAt: nullable(Instant),
  reason: EndReason,
  /** `security-epoch`: by what raised its principal's epoch, such as a suspension. */
  endedBy: nullable(EndedBy),
});

const show = ({ tenantId: _tenant, revision: _revision, ...shown }: SessionRow) => shown;

const order = [
  { field: 'openedAt', direction: 'desc' },
  { field: 'sessionId', direction: 'desc' },
] as const;

export const listSessions = pageRoute({
  path: '/v1/sessions',
  operation: 'listSessions',
  summary: 'Sessions of the tenant, the newest first.',
  scopes: [scope],
  params: record('NoParams', {}),
  item: Session,
  view: sessionsView,
  filters: { principalId: PrincipalId, status: SessionStatus },
  order,
  rows: (_params, { principalId, status }) => ({ where: given({ principalId, status }) }),
  show,
});

export const listPrincipalSessions = ownOrScoped(
  scope,
  pageRoute({
    path: '/v1/principals/:principalId/sessions',
    operation: 'listPrincipalSessions',
    summary: 'Sessions of one principal, the newest first.',
    scopes: [scope],
    params: PrincipalParams,
    item: Session,
    view: sessionsView,
    filters: { status: SessionStatus },
    order,
    rows: ({ principalId }, { status }) => ({ where: { principalId, ...given({ status }) } }),
    show,
  }),
);
