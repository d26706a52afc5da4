/** The declared operations of manifests are complete: scopes exist, limits exist, names are used once. */
import assert from 'node:assert/strict';
import { contexts } from '../../../../domain/contexts';
import type { Destination } from '../../../../domain/kernel/context';
import { routeGroups } from '../../../../infra/gateway/rate-limit/route-groups';
import { declaredDocument, declaredMatch } from '../../../../infra/gateway/routing/declared-operations';
import { createResolver } from '../../../../infra/gateway/routing/destinations';
import { routesByService } from '../../../../tools/generate-client/served-document';

const operation = { operation: 'putThing', summary: 'Writes.', scopes: ['things:write'], sensitive: true };
const destination: Destination = {
  paths: ['/things/{thingId}/**'],
  service: 'processes',
  transfer: { maxBytes: 5, idleMilliseconds: 1_000 },
  operations: { PUT: operation, GET: { ...operation, operation: 'getThing', limitGroup: 'danger' } },
};

describe('operations that a manifest declares', () => {
  const resolve = createResolver([{ name: 'things', destinations: [destination] }]);
  const match = (method: string, target: string) => {
    const found = resolve(method, target) ?? assert.fail(target);
    return declaredMatch(found, method);
  };

  it('are routes of the gateway', () => {
    assert.deepEqual(match('PUT', '/things/t-1/a/b?c'), {
      kind: 'route',
      route: { scopes: ['things:write'], sensitive: true, limitGroup: 'command', operation: 'putThing' },
    });
    assert.deepEqual(match('HEAD', '/things/t-1'), {
      kind: 'route',
      route: { scopes: ['things:write'], sensitive: true, limitGroup: 'danger', operation: 'getThing' },
    });
    assert.deepEqual(match('POST', '/things/t-1'), { kind: 'method-not-allowed', allow: 'GET, HEAD, PUT' });
  });

  it('are documented with their path, scopes, limits and size', () => {
    const { paths } = declaredDocument([{ destinations: [destination] }]);
    const put = paths['/things/{thingId}/{rest}']?.put as Record<string, unknown>;
    assert.equal(put.operationId, 'putThing');
    assert.deepEqual(put.security, [{ bearer: ['things:write'] }]);
    assert.deepEqual([put['x-sensitive'], put['x-limit-group']], [true, 'command']);
    assert.match(JSON.stringify(put.requestBody), /At most 5 bytes/);
  });
});

describe('the operations of the contexts', () => {
  const declared = contexts.flatMap(({ destinations }) =>
    destinations.flatMap((one) => Object.values(one.operations ?? {})),
  );

  it('require scopes and limits that there are, under names of their own', () => {
    const scopes = new Set(contexts.flatMap((context) => context.scopes.map(({ name }) => name)));
    const groups = new Set(routeGroups.map(({ name }) => name));
    assert.deepEqual(
      declared.flatMap((one) => one.scopes.filter((scope) => !scopes.has(scope))),
      [],
    );
    assert.deepEqual(
      declared.filter(({ limitGroup }) => limitGroup !== undefined && !groups.has(limitGroup)),
      [],
    );
    const documented = Object.values(routesByService()).flatMap((routes) => routes.map((one) => one.operation));
    const names = [...documented, ...declared.map((one) => one.operation)];
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
  });

  it('are questions exactly where the query API answers a POST', () => {
    const questions = (routesByService()['read-api'] ?? []).filter(({ method }) => method !== 'get');
    assert.deepEqual(
      questions.filter(({ method, question }) => method !== 'post' || question !== true).map(({ path }) => path),
      [],
    );
  });
});
