/** The contexts' manifests: everything that derives from them finds what it needs, and nothing lies outside of them. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { processes, queues } from '../../commands/composition/processes';
import { contexts } from '../../domain/contexts';
import { Scope } from '../../domain/identity/scopes';
import { routeGroups } from '../../infra/gateway/rate-limit/route-groups';
import { resolveDestination } from '../../infra/gateway/routing/destinations';
import { contextServices, macKeyFile, macKeyVariable, systemServices, urlVariable } from '../../infra/server/services';
import { projections } from '../../projections/composition/projections';
import { allRoutes } from '../support/http/served-routes';
import { compose } from '../support/servers/compose';

const root = join(__dirname, '..', '..');
const sides = ['domain', 'commands', 'projections', 'read-api'] as const;
/** Folders of a side that are no context. */
const shared = new Set(['kernel', 'composition', 'web']);

const foldersOf = (side: string): readonly string[] =>
  readdirSync(join(root, side), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !shared.has(entry.name))
    .map(({ name }) => name);

const repeated = (names: readonly string[]): readonly string[] =>
  names.filter((name, index) => names.indexOf(name) !== index);

describe('the manifests of contexts', () => {
  const routes = Object.entries(allRoutes()).flatMap(([service, all]) => all.map((route) => ({ service, route })));

  it('are listed for every folder of every side', () => {
    const listed = contexts.map(({ name }) => name);
    for (const side of sides)
      assert.deepEqual(
        foldersOf(side).filter((name) => !listed.includes(name)),
        [],
        side,
      );
    for (const name of listed) assert.ok(existsSync(join(root, 'domain', name, 'context.ts')), name);
  });

  it('name each view, process and work queue once', () => {
    assert.deepEqual(repeated(projections.map(({ view }) => view.name)), []);
    assert.deepEqual(repeated(processes.map(({ name }) => name)), []);
    assert.deepEqual(repeated(queues.map(({ queue }) => queue)), []);
  });

  it('name each scope once, as a scope is written, and routes require no other', () => {
    const scopes = contexts.flatMap((context) => context.scopes.map(({ name }) => name));
    assert.deepEqual(repeated(scopes), []);
    assert.deepEqual(
      scopes.filter((scope) => !Scope.is(scope)),
      [],
    );
    // Of people themselves, and of the limiter itself: neither can be granted.
    const others = ['account:read', 'account:write', 'ratelimit:record'];
    const required = new Set(routes.flatMap(({ route }) => (route.access === 'public' ? [] : route.access.scopes)));
    assert.deepEqual(
      [...required].filter((scope) => !scopes.includes(scope) && !others.includes(scope)),
      [],
    );
  });

  it('lead each route to the service that answers it', () => {
    const wrong = routes.filter(({ service, route }) => {
      const target = route.path.replaceAll(/(?<!\\):[A-Za-z]+/g, '7').replaceAll('\\', '');
      const found = resolveDestination(route.method.toUpperCase(), target);
      return found?.upstream !== service || (route.access === 'public') !== (found.authenticatedBy === 'service');
    });
    assert.deepEqual(
      wrong.map(({ service, route }) => `${service}: ${route.method} ${route.path}`),
      [],
    );
  });

  it('group requests for limits by names that routes use', () => {
    const groups = routeGroups.map(({ name }) => name);
    assert.deepEqual(repeated(groups), []);
    const used = routes.flatMap(({ route }) => (route.limitGroup === undefined ? [] : [route.limitGroup]));
    assert.deepEqual(
      used.filter((name) => !groups.includes(name)),
      [],
    );
  });
});

describe('the processes of the system', () => {
  it('have an entry point and a service of docker-compose.yml each, reached by the gateway with a shared key', () => {
    assert.deepEqual(repeated(systemServices.map(({ name }) => name)), []);
    const gateway = compose.services.gateway;
    for (const { name, entry, hasMacKey } of systemServices) {
      assert.ok(existsSync(join(root, `${entry}.ts`)), entry);
      const service = compose.services[name] ?? assert.fail(`docker-compose.yml has no service ${name}`);
      assert.deepEqual(service.command, ['node', `dist/${entry}.js`]);
      if (name === 'gateway') continue;
      // Those of a bucket have its address.
      if (name !== 'blobs') assert.equal(gateway?.environment?.[urlVariable(name)], `http://${name}:8080`);
      if (!hasMacKey) continue;
      const path = `/run/secrets/${macKeyFile(name)}`;
      assert.equal(service.environment?.INTERNAL_MAC_KEY_FILE, path, name);
      assert.equal(gateway?.environment?.[`${macKeyVariable(name)}_FILE`], path, name);
    }
  });

  it('are given the secrets that their manifests name', () => {
    for (const { name, secrets, signsAs } of contextServices) {
      const { environment = {} } = compose.services[name] ?? {};
      for (const secret of secrets)
        assert.equal(environment[`${secret.variable}_FILE`], `/run/secrets/${secret.name}`, name);
      assert.equal('INTERNAL_SIGNING_KEY_FILE' in environment, signsAs !== undefined, name);
    }
  });
});
