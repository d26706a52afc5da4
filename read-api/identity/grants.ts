/** GET /v1/grants, /v1/grants/:grantId and those of a principal. */
import { Instant, record } from '../../domain/kernel/codec';
import { GrantRow, grantsView } from '../../projections/identity/grants/view';
import { definedFields } from '../kernel/defined-fields';
import { IdList, idsIn } from '../kernel/id-list';
import { oneRoute, pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import { allowOwnItem, allowOwnList } from './access-rules';
import { PrincipalParams } from './principals';
import * as wire from './wire';

const scope = 'grants:read';

const { grantId, principalId, principalType, refreshFamilyId, status, createdAt, expiresAt, ...fields } =
  answerFields(GrantRow);
/** The specification's GrantRecord first. */
const Grant = record('Grant', {
  grantId,
  principalId,
  principalType,
  refreshFamilyId,
  status,
  createdAt,
  expiresAt,
  ...fields,
  scopes: wire.Scopes,
  audience: wire.Audiences,
  methods: wire.AuthenticationMethods,
  reason: wire.EndReason,
});

const show = toResponseOf(Grant);

const order = [
  { field: 'createdAt', direction: 'desc' },
  { field: 'grantId', direction: 'desc' },
] as const;

interface ExpiryFilters {
  readonly expiresAfter?: string | undefined;
  readonly expiresBefore?: string | undefined;
}

/** The status of an expired grant is still `ACTIVE`: no event marks the moment. */
const expiry = ({ expiresAfter: from, expiresBefore: to }: ExpiryFilters) =>
  from === undefined && to === undefined
    ? {}
    : { between: { field: 'expiresAt' as const, ...definedFields({ from, to }) } };

export const listGrants = pageRoute({
  path: '/v1/grants',
  operation: 'listGrants',
  summary: 'List grants, newest first',
  description: 'An expired grant keeps its status: `expiresAfter` and `expiresBefore` distinguish it from others.',
  scopes: [scope],
  params: record('NoParams', {}),
  item: Grant,
  view: grantsView,
  filters: {
    principalId,
    clientId: fields.clientId,
    sessionId: wire.SessionId,
    status,
    principalIds: IdList,
    clientIds: IdList,
    expiresAfter: Instant,
    expiresBefore: Instant,
  },
  order,
  rows: (_params, { principalId, clientId, sessionId, status, principalIds, clientIds, ...ends }) => ({
    where: definedFields({
      principalId: principalId ?? idsIn(principalIds),
      clientId: clientId ?? idsIn(clientIds),
      sessionId,
      status,
    }),
    ...expiry(ends),
  }),
  show,
});

export const listPrincipalGrants = allowOwnList(
  scope,
  pageRoute({
    path: '/v1/principals/:principalId/grants',
    operation: 'listPrincipalGrants',
    summary: 'List the grants of a principal, newest first',
    scopes: [scope],
    params: PrincipalParams,
    item: Grant,
    view: grantsView,
    filters: { clientId: fields.clientId, status },
    order,
    rows: ({ principalId }, { clientId, status }) => ({
      where: { principalId, ...definedFields({ clientId, status }) },
    }),
    show,
  }),
);

/** No ETag when the principal's epoch ended the grant: its stream has no event of it. */
const isTagged = ({ endedBy }: GrantRow): boolean => endedBy !== 'security-epoch';

const missing = 'No such grant is known here.';

export const getGrant = allowOwnItem(
  scope,
  oneRoute({
    path: '/v1/grants/:grantId',
    operation: 'getGrant',
    summary: 'Get a grant',
    scopes: [scope],
    params: record('GrantParams', { grantId }),
    item: Grant,
    query: (key) => ({ view: grantsView, key, missing, show, isTagged }),
  }),
  missing,
);
