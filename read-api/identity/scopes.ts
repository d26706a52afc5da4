/** GET /v1/scopes: what can be granted, for forms that let people choose. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { personScopes, Scope, scopeDescriptions } from '../../domain/identity/scopes';
import { nullable, record, text } from '../../domain/kernel/codec';
import { commonProblems, problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { activeApisLimit, protectedApisView } from '../../projections/identity/protected-apis/view';
import type { QueryDeps } from '../kernel/row-queries';

const KnownScope = record('KnownScope', {
  name: Scope,
  /** What it allows, as a consent page puts it. */
  description: text('ScopeDescription', { maxLength: 256, examples: ['See people, pipelines and agents'] }),
  /** About a person's own data and account; every person can grant it. */
  isPersonal: t.boolean,
  /** Of the registered API that it is of; null: Septet's own. */
  audience: nullable(text('ScopeAudience', { maxLength: 256, examples: ['https://tickets.example.org'] })),
});
const KnownScopes = record('KnownScopes', { items: t.readonlyArray(KnownScope) });

const ownItems = [...scopeDescriptions].map(([name, description]) => ({
  name,
  description,
  isPersonal: personScopes.some((scope) => scope === name),
  audience: null,
}));

export const listScopes = route<QueryDeps>()({
  method: 'get',
  path: '/v1/scopes',
  operation: 'listScopes',
  summary: 'List the scopes of all contexts and of registered APIs, with what each allows',
  access: { scopes: [] },
  answers: { 200: { description: 'All of them; there are few.', body: KnownScopes } },
  problems: { 'view-store-unavailable': commonProblems['view-store-unavailable'] },
  handle: async ({ views }, { identity: { tenantId } }) => {
    const found = await views.page(protectedApisView, tenantId, {
      where: { status: 'ACTIVE' },
      order: [{ field: 'apiId', direction: 'asc' }],
      limit: activeApisLimit,
    });
    if (isLeft(found)) return problemOf(found.left, {});
    const registered = found.right.flatMap(({ audience, scopes }) =>
      scopes.map(({ name, description }) => ({ name, description, isPersonal: false, audience })),
    );
    return { status: 200, body: { items: [...ownItems, ...registered] } };
  },
});
