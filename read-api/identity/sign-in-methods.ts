/** GET /v1/sign-in-policy/methods: how many people have which sign-in methods, before a policy removes one. */
import { isLeft, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { integer, record } from '../../domain/kernel/codec';
import type { ViewReader } from '../../infra/ports/views/view-store';
import { commonProblems, problemOf } from '../../infra/server/http/problem';
import { positionHeader } from '../../infra/server/http/routing/position-header';
import { route } from '../../infra/server/http/routing/route';
import { type AuthenticatorRow, authenticatorsView } from '../../projections/identity/authenticators/view';
import { minPosition } from '../kernel/query-routes';
import { parseMinimumVersion, waitUntilVisible } from '../kernel/read-your-writes';
import { type QueryDeps, waitDeadline } from '../kernel/row-queries';

const SignInMethods = record('SignInMethods', {
  /** With a password or a passkey. */
  people: integer(0),
  withPassword: integer(0),
  withPasskey: integer(0),
  /** False: there are more people than were counted. */
  isComplete: t.boolean,
});

const pageSize = 1_000;
/** Bounds the work of one request. */
const maxPages = 20;

const readRows = async (views: ViewReader, tenantId: string) => {
  const rows: AuthenticatorRow[] = [];
  const order = (['principalId', 'kind', 'authenticatorId'] as const).map((field) => ({
    field,
    direction: 'asc' as const,
  }));
  for (let page = 0; page < maxPages; page += 1) {
    const last = rows.at(-1);
    const found = await views.page(authenticatorsView, tenantId, {
      where: { kind: ['password', 'passkey'] },
      order,
      ...(last === undefined ? {} : { after: [last.principalId, last.kind, last.authenticatorId] }),
      limit: pageSize,
    });
    if (isLeft(found)) return found;
    rows.push(...found.right);
    if (found.right.length < pageSize) return right({ rows, isComplete: true });
  }
  return right({ rows, isComplete: false });
};

const peopleWith = (rows: readonly AuthenticatorRow[], kind?: AuthenticatorRow['kind']): number =>
  new Set(rows.filter((row) => kind === undefined || row.kind === kind).map(({ principalId }) => principalId)).size;

export const getSignInMethods = route<QueryDeps>()({
  method: 'get',
  path: '/v1/sign-in-policy/methods',
  operation: 'getSignInMethods',
  summary: 'Count the people of the tenant by their sign-in methods',
  description:
    'People who sign in by an enterprise provider alone are not counted. Counting ends after 20,000 methods, and `isComplete` is false then.',
  access: { scopes: ['security:read'] },
  headers: [minPosition],
  answers: { 200: { description: 'The current state.', body: SignInMethods, headers: ['Position'] } },
  problems: {
    'not-yet-visible': commonProblems['not-yet-visible'],
    'view-store-unavailable': commonProblems['view-store-unavailable'],
  },
  handle: async ({ views, positions }, { headers, identity: { tenantId }, signal }) => {
    const floor = parseMinimumVersion(headers, { revisions: false });
    if (isLeft(floor)) return floor.left;
    const { position: wanted } = floor.right;
    const deadline = waitDeadline(signal, floor.right);
    const position = await waitUntilVisible(positions, {
      view: authenticatorsView,
      position: wanted,
      signal: deadline,
    });
    if (isLeft(position)) return position.left;
    const read = await readRows(views, tenantId);
    if (isLeft(read)) return problemOf(read.left, {});
    const { rows, isComplete } = read.right;
    const counts = { withPassword: peopleWith(rows, 'password'), withPasskey: peopleWith(rows, 'passkey') };
    return {
      status: 200,
      body: { people: peopleWith(rows), ...counts, isComplete },
      headers: positionHeader(position.right),
    };
  },
});
