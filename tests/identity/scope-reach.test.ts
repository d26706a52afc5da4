/**
 * What each scope reaches by itself, and on which principals, against docs/scopes.md; a route that is missing there
 * fails here.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RevokeDeps, revokeTokensRoute } from '../../commands/identity/revocation/revoke-tokens-route';
import { type IdentityDeps, identityRoutes, peopleRoutes } from '../../commands/identity/routes';
import type { PrincipalType } from '../../domain/identity/ids';
import { type PrincipalEvent, principalStream, principals } from '../../domain/identity/principal/events';
import type { Scope } from '../../domain/identity/scopes';
import type { Instant } from '../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../domain/kernel/ids';
import { bind, type Identity } from '../../infra/server/http/routing/route';
import { memoryReplayCache } from '../../packages/resource-server/src/dpop/replay-cache';
import { startHttpService } from '../support/http/http-service';
import { type ServedOperation, servedOperations } from '../support/http/served-operations';
import { jsonOf } from './command-api';
import { startPeople } from './sign-in/fixture';

const page = join(__dirname, '..', '..', 'docs', 'scopes.md');
const [tenant, elsewhere] = ['acme' as TenantId, 'globex' as TenantId];

const operations = servedOperations;

const lineOf = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const headOf = (...cells: readonly string[]): readonly string[] => [
  lineOf(...cells),
  lineOf(...cells.map(() => '---')),
];

const byScope = (): readonly string[] => {
  const scopes = [...new Set(operations.flatMap((one) => one.scopes))].sort();
  const named = (reads: boolean, scope: string): string =>
    operations
      .filter((one) => one.scopes.includes(scope) && (one.method === 'GET') === reads)
      .map(({ operation }) => `\`${operation}\``)
      .join(', ');
  return [
    ...headOf('Scope', 'Reads', 'Changes'),
    ...scopes.map((scope) => lineOf(`\`${scope}\``, named(true, scope), named(false, scope))),
  ];
};

const reason = 'Tried.';
const onPrincipals = operations.filter(
  ({ method, path }) => method !== 'GET' && path.startsWith('/v1/principals/{principalId}/'),
);
const revokeByPrincipal = { operation: 'revokeTokens', path: '/v1/tokens/revoke', scopes: ['tokens:revoke'] };

const bodyOf = (operation: string, scope: string, principalId: string): object => {
  switch (operation) {
    case 'grantRoles':
    case 'withdrawRoles':
      return operation === 'grantRoles' ? { roles: ['auditor'] } : { roles: ['auditor'], reason };
    case 'recoverPrincipal':
      return { incidentId: 'incident-1', scopes: [scope] };
    case 'grantScopes':
      return { scopes: [scope] };
    case 'withdrawScopes':
      return { scopes: [scope], reason };
    case 'issueCredential':
      return { scopes: [scope] };
    case 'enrolPerson':
      return { login: `${principalId}@example.org`, displayName: 'Ada' };
    case 'revokeTokens':
      return { principalId, reason };
    case 'labelPrincipal':
      return { label: 'Nightly build' };
    default:
      return { reason };
  }
};

/** Principals on which a caller with one scope tries it. */
const targets = [
  'themselves',
  'person, less',
  'person, equal',
  'person, more',
  'pipeline, less',
  'pipeline, more',
] as const;
type Target = (typeof targets)[number] | 'of another tenant';

describe('what a scope reaches by itself', () => {
  let people: Awaited<ReturnType<typeof startPeople>>;
  let service: Awaited<ReturnType<typeof startHttpService>>;

  before(async () => {
    people = await startPeople();
    const { deps } = people;
    const more = {
      issuer: 'https://septet.example',
      audiences: ['septet'],
      operators: 'main',
      proofs: { replay: memoryReplayCache() },
      assertions: memoryReplayCache(),
      clientKeys: { of: async () => [] },
      revokeSigningKey: async () => ({ status: 200, body: {} }),
    };
    const all = { ...deps, ...more } as unknown as IdentityDeps & RevokeDeps;
    service = await startHttpService([...identityRoutes(all), ...peopleRoutes(deps), bind(all, revokeTokensRoute)]);
  });
  after(async () => {
    await service.close();
    await people.close();
  });

  const record = async (tenantId: TenantId, principalId: string, events: readonly PrincipalEvent[]): Promise<void> => {
    const metadata = {
      tenant: tenantId,
      actor: 'test',
      commandId: 'c',
      commandHash: 'h',
      at: '2026-01-31T11:00:00.000Z',
    };
    const stored = events.map((event) => ({ id: randomUUID(), ...principals.encode(event), metadata }));
    await people.deps.store.append(principalStream(tenantId, principalId as PrincipalId), 'any', stored as never);
  };

  /** Answers its id. */
  const make = async (tenantId: TenantId, principalType: PrincipalType, held: 'nothing' | Scope | 'everything') => {
    const principalId = randomUUID() as PrincipalId;
    const createdAt = '2026-01-31T11:00:00.000Z' as Instant;
    await record(tenantId, principalId, [
      { type: 'PrincipalRegistered', data: { principalId, tenantId, principalType, createdAt } },
      ...(held === 'everything'
        ? [{ type: 'RolesGranted' as const, data: { principalId, roles: ['admin' as const] } }]
        : []),
      ...(held === 'nothing' || held === 'everything'
        ? []
        : [{ type: 'ScopesGranted' as const, data: { principalId, scopes: [held] } }]),
    ]);
    return principalId;
  };

  const targetOf = async (target: Target, scope: Scope, self: PrincipalId): Promise<PrincipalId> => {
    switch (target) {
      case 'themselves':
        return self;
      case 'person, less':
        return make(tenant, 'HUMAN', 'nothing');
      case 'person, equal':
        return make(tenant, 'HUMAN', scope);
      case 'person, more':
        return make(tenant, 'HUMAN', 'everything');
      case 'pipeline, less':
        return make(tenant, 'PIPELINE', 'nothing');
      case 'pipeline, more':
        return make(tenant, 'PIPELINE', 'security:write' as Scope);
      case 'of another tenant':
        return make(elsewhere, 'HUMAN', 'nothing');
    }
  };

  /** By a person who signed in a moment ago, with a second factor: the widest reach of this scope alone. */
  const attempt = async (
    { operation, path }: Pick<ServedOperation, 'operation' | 'path'>,
    scope: Scope,
    target: Target,
  ) => {
    const self = await make(tenant, 'HUMAN', scope);
    const principalId = await targetOf(target, scope, self);
    const identity: Identity = {
      tenantId: tenant,
      principalId: self,
      principalType: 'HUMAN',
      scopes: [scope],
      tokenId: 'jti-1',
      authenticatedAt: Date.parse(people.deps.clock.now()),
      multiFactor: true,
    };
    const url = path.replace('{principalId}', principalId).replaceAll(/\{[a-zA-Z]+Id\}/g, 'c-1');
    const answer = await service.call(url, {
      method: 'POST',
      identity,
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(bodyOf(operation, scope, principalId)),
    });
    if (answer.ok) return 'yes';
    const { code } = await jsonOf(answer);
    return `${answer.status} ${String(code)}`;
  };

  const onWhom = async (): Promise<readonly string[]> => {
    const lines: string[] = [...headOf('Operation', 'Scope', ...targets)];
    for (const one of [...onPrincipals, revokeByPrincipal]) {
      for (const scope of one.scopes) {
        const cells: string[] = [];
        for (const target of targets) cells.push(await attempt(one, scope as Scope, target));
        lines.push(lineOf(`\`${one.operation}\``, `\`${scope}\``, ...cells));
      }
    }
    return lines;
  };

  it('is decided of every operation', () => {
    assert.deepEqual(
      operations.filter(({ scopes }) => scopes.includes('not decided')),
      [],
    );
  });

  it('is what docs/scopes.md says, route by route', async () => {
    const made = [['by-scope', byScope()] as const, ['on-whom', await onWhom()] as const];
    const written = readFileSync(page, 'utf8');
    const now = made.reduce((text, [name, lines]) => {
      const part = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(\n<!-- end -->)`);
      assert.match(text, part);
      return text.replace(part, (_, begin, end) => `${begin}${lines.join('\n')}${end}`);
    }, written);
    if (process.env.SCOPES_WRITE !== undefined) writeFileSync(page, now);
    else assert.equal(now, written, 'decide what the new route reaches, and run this with SCOPES_WRITE=1');
  });

  it('is nothing in another tenant', async () => {
    const tried = [...onPrincipals, revokeByPrincipal];
    for (const one of tried) {
      const outcome = await attempt(one, one.scopes[0] as Scope, 'of another tenant');
      // None of these principals has an open session.
      assert.match(outcome, one.operation === 'endSessions' ? /^yes$/ : /^(?:403|404|409) /, one.operation);
    }
    const theirs: string[] = [];
    for await (const { stream, type } of people.deps.store.readAll({ after: null }))
      if (stream.includes(`-${elsewhere}.`)) theirs.push(type);
    assert.deepEqual(
      theirs,
      tried.map(() => 'identity.PrincipalRegistered.v1'),
    );
  });

  it('is nothing without the scope', async () => {
    for (const one of [...onPrincipals, revokeByPrincipal])
      for (const scope of ['documents:read', 'account:write'] as Scope[]) {
        if (one.scopes.includes(scope)) continue;
        const outcome = await attempt(one, scope, 'person, less');
        assert.equal(outcome, '403 forbidden', `${one.operation} with ${scope}`);
      }
  });
});
