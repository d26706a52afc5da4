/** GET /v1/security/refused-requests: who was refused in the last day, on which route, and why. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Instant, integer, nullable, oneOf, record, text } from '../../domain/kernel/codec';
import type { RecordedRefusedRequest, RefusedRequestReader } from '../../infra/ports/identity/refused-requests';
import { commonProblems, problem, problemOf } from '../../infra/server/http/problem';
import { integerParameter } from '../../infra/server/http/routing/integer-parameter';
import { route } from '../../infra/server/http/routing/route';
import { IdList, idsIn } from '../kernel/id-list';

export interface RefusedRequestDeps {
  readonly refusedRequests: Pick<RefusedRequestReader, 'find'>;
  /** Tenant of the platform's operators. */
  readonly operators: string;
}

const word = (name: string, example: string) => text(name, { maxLength: 2_048, examples: [example] });

/** As Redis writes it: milliseconds since 1970, and a number within them. */
const RefusedRequestId = text('RefusedRequestId', {
  maxLength: 39,
  pattern: '[1-9][0-9]{0,18}-[0-9]{1,19}',
  examples: ['1767225600000-0'],
});

const principalId = word('RefusedRequestPrincipal', 'p-1');
const clientId = word('RefusedRequestClient', 'main~console');
const code = word('RefusedRequestCode', 'forbidden');
const requestId = word('RefusedRequestRequestId', '5f0c3f1e-6f5c-4d0a-9a64-1c1f4f3f0f11');

const RefusedRequest = record('RefusedRequest', {
  id: RefusedRequestId,
  at: Instant,
  /** Null: not known. */
  principalId: nullable(principalId),
  clientId: nullable(clientId),
  /** False: the caller named the principal or client, and did not prove to be it. */
  isProven: t.boolean,
  method: word('RefusedRequestMethod', 'GET'),
  /** Template of the path. */
  route: word('RefusedRequestRoute', '/v1/principals/{principalId}'),
  status: integer(0),
  code,
  reason: word('RefusedRequestReason', 'The token lacks the scope principals:read.'),
  /** `X-Request-Id` of the answer. */
  requestId,
  /** Alike and not listed, since the one before. */
  unlisted: integer(0),
});

const RefusedRequestsQuery = record(
  'RefusedRequestsQuery',
  {},
  {
    requestId,
    principalIds: IdList,
    clientIds: IdList,
    code,
    about: oneOf('RefusedRequestsAbout', ['tenant', 'strangers']),
    cursor: RefusedRequestId,
    limit: integerParameter('a whole number from 1 to 100', { minimum: 1, maximum: 100, fallback: 50, maxDigits: 3 }),
  },
);

const answered = ({ at, tenantId: _tenant, ...refused }: RecordedRefusedRequest) => ({
  ...refused,
  at: new Date(at).toISOString() as Instant,
});

export const listRefusedRequests = route<RefusedRequestDeps>()({
  method: 'get',
  path: '/v1/security/refused-requests',
  operation: 'listRefusedRequests',
  summary: 'List requests that were refused in the last day, newest first',
  description:
    'Requests answered 401, 403 or 429, and refusals of OAuth endpoints, at most a few seconds old. Of many that are alike, some are listed, and ' +
    '`unlisted` counts the others. Requests whose tenant is not known, such as those with an invalid token, are for operators of the platform: ' +
    'they see them with the others, or alone with `about=strangers`. Neither tokens nor addresses are recorded. `next` is the `cursor` of the ' +
    'next page.',
  access: { scopes: ['security:read'] },
  query: RefusedRequestsQuery,
  answers: {
    200: {
      description: 'A page; the last has no `next`.',
      body: record('RefusedRequestsPage', { items: t.readonlyArray(RefusedRequest) }, { next: RefusedRequestId }),
    },
  },
  problems: { 'service-unavailable': commonProblems['service-unavailable'] },
  handle: async (deps, { identity: { tenantId }, query }) => {
    const { about, cursor, limit = 50, requestId: id, principalIds, clientIds, code: wanted } = query;
    const isOperator = tenantId === deps.operators;
    if (about === 'strangers' && !isOperator)
      return problem('forbidden', 'Only operators of the platform see refused requests of strangers.');
    const tenants = [...(about === 'strangers' ? [] : [tenantId]), ...(isOperator && about !== 'tenant' ? [null] : [])];
    const found = await deps.refusedRequests.find(tenants, {
      requestId: id,
      code: wanted,
      principalIds: idsIn(principalIds),
      clientIds: idsIn(clientIds),
      before: cursor,
      limit: Number(limit),
    });
    if (isLeft(found)) return problemOf(found.left, {});
    const last = found.right.length < Number(limit) ? undefined : found.right.at(-1)?.id;
    return { status: 200, body: { items: found.right.map(answered), ...(last === undefined ? {} : { next: last }) } };
  },
});
