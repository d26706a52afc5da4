/** GET /v1/sessions and those of a principal. */
import { nullable, record, text } from '../../domain/kernel/codec';
import { SessionRow, sessionsView } from '../../projections/identity/sessions/view';
import { definedFields } from '../kernel/defined-fields';
import { IdList, idsIn } from '../kernel/id-list';
import { pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import { allowOwnList } from './access-rules';
import { PrincipalParams } from './principals';
import { AuthenticationMethods, EndReason, SessionId } from './wire';

const scope = 'sessions:read';

const fields = answerFields(SessionRow);
const { principalId, status } = fields;
const Session = record('Session', {
  ...fields,
  methods: AuthenticationMethods,
  upstreamIssuer: nullable(text('UpstreamIssuer', { examples: ['https://login.example.org'], maxLength: 2048 })),
  reason: EndReason,
});

const show = toResponseOf(Session);

const order = [
  { field: 'openedAt', direction: 'desc' },
  { field: 'sessionId', direction: 'desc' },
] as const;

export const listSessions = pageRoute({
  path: '/v1/sessions',
  operation: 'listSessions',
  summary: 'List sessions, newest first',
  scopes: [scope],
  params: record('NoParams', {}),
  item: Session,
  view: sessionsView,
  filters: { principalId, sessionId: SessionId, status, principalIds: IdList },
  order,
  rows: (_params, { principalId, sessionId, status, principalIds }) => ({
    where: definedFields({ principalId: principalId ?? idsIn(principalIds), sessionId, status }),
  }),
  show,
});

export const listPrincipalSessions = allowOwnList(
  scope,
  pageRoute({
    path: '/v1/principals/:principalId/sessions',
    operation: 'listPrincipalSessions',
    summary: 'List the sessions of a principal, newest first',
    scopes: [scope],
    params: PrincipalParams,
    item: Session,
    view: sessionsView,
    filters: { status },
    order,
    rows: ({ principalId }, { status }) => ({ where: { principalId, ...definedFields({ status }) } }),
    show,
  }),
);
