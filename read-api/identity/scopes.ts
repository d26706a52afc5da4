/** GET /v1/scopes: what can be granted, for forms that let people choose. */
import * as t from 'io-ts';
import { personScopes, Scope, scopeDescriptions } from '../../domain/identity/scopes';
import { record, text } from '../../domain/kernel/codec';
import { route } from '../../infra/server/http/routing/route';

const KnownScope = record('KnownScope', {
  name: Scope,
  /** What it allows, as a consent page puts it. */
  description: text('ScopeDescription', { maxLength: 256, examples: ['See people, pipelines and agents'] }),
  /** About a person's own data and account; every person can grant it. */
  isPersonal: t.boolean,
});
const KnownScopes = record('KnownScopes', { items: t.readonlyArray(KnownScope) });

const items = [...scopeDescriptions].map(([name, description]) => ({
  name,
  description,
  isPersonal: personScopes.some((scope) => scope === name),
}));

export const listScopes = route<object>()({
  method: 'get',
  path: '/v1/scopes',
  operation: 'listScopes',
  summary: 'List the scopes of all contexts, with what each allows',
  access: { scopes: [] },
  answers: { 200: { description: 'All of them; there are few.', body: KnownScopes } },
  handle: async () => ({ status: 200, body: { items } }),
});
