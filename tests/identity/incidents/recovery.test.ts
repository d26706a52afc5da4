import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isLeft, right } from 'fp-ts/Either';
import { containIncident } from '../../../commands/identity/incidents/contain-incident';
import { openIncidentRoute } from '../../../commands/identity/incidents/incident-routes';
import { openIncident } from '../../../commands/identity/incidents/open-incident';
import { loadPrincipal } from '../../../commands/identity/principals/load-principal';
import { administratorRecoveryRoute } from '../../../commands/identity/recovery/administrator-recovery';
import { type RecoveryRequest, recoverPrincipal } from '../../../commands/identity/recovery/recover-principal';
import { recoverRoute } from '../../../commands/identity/recovery/recover-route';
import type { IncidentId } from '../../../domain/identity/ids';
import { incidentStream } from '../../../domain/identity/incident/events';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { bind, type Identity } from '../../../infra/server/http/routing/route';
import { tenantId } from '../examples';
import { startProcess } from '../grants/fixture';
import { githubClaims } from '../workloads/documented-claims';
import { administrator, pipelineId, startExchange } from '../workloads/fixture';
import { incidentId, openWorld, personId, reported, type World } from './fixture';

const recover = (world: World, changes: Partial<RecoveryRequest> = {}) =>
  recoverPrincipal(world.deps, {
    ...{ tenantId, incidentId, principalId: personId, method: 'sign-in', authenticatedAt: world.now() },
    ...{ actor: personId, requestId: 'request-4' },
    ...changes,
  });

const stateOf = async ({ deps }: World) => {
  const loaded = await loadPrincipal(deps, { tenantId, principalId: personId });
  assert.ok(!isLeft(loaded) && loaded.right.kind === 'registered');
  return loaded.right;
};

const codeOf = (answer: Awaited<ReturnType<typeof recover>>): string =>
  isLeft(answer) ? answer.left.code : 'recovered';

/** Contained a minute ago. */
const openContained = async (): Promise<World> => {
  const world = await openWorld();
  await world.open(reported());
  await world.contain();
  world.wait(60);
  return world;
};

describe('the recovery of a principal', () => {
  it('ends the grant, raises the epoch, and makes the principal active', async () => {
    const world = await openContained();
    assert.deepEqual([(await stateOf(world)).status, (await stateOf(world)).securityEpoch], ['COMPROMISED', 2]);
    assert.equal(codeOf(await recover(world)), 'recovered');
    const { status, securityEpoch, grantsNotBeforeEpoch, incidents } = await stateOf(world);
    assert.deepEqual([status, securityEpoch, grantsNotBeforeEpoch, incidents], ['ACTIVE', 3, 3, []]);
    const types = (await world.eventsIn(incidentStream(tenantId, incidentId))).map(({ type }) => type);
    assert.equal(types.at(-1), 'identity.IncidentRecovered.v1');
  });

  it('refuses a proof of before the incident, one that is older than five minutes, and one of another principal', async () => {
    const world = await openContained();
    const { openedAt } = reported().data;
    assert.equal(codeOf(await recover(world, { authenticatedAt: openedAt })), 'authentication-not-fresh');
    const early = plusSeconds(openedAt, 1);
    world.wait(300);
    assert.equal(codeOf(await recover(world, { authenticatedAt: early })), 'authentication-not-fresh');
    assert.equal(codeOf(await recover(world, { incidentId: 'none' as IncidentId })), 'incident-unknown');
    await world.execute({
      ...{ type: 'RegisterPrincipal', principalId: 'bob' as PrincipalId, tenantId, principalType: 'HUMAN' },
      at: openedAt,
    });
    assert.equal(codeOf(await recover(world, { principalId: 'bob' as PrincipalId })), 'incident-of-another');
    assert.equal((await stateOf(world)).status, 'COMPROMISED');
  });

  it('waits for the containment, and happens once', async () => {
    const world = await openWorld();
    await world.open(reported());
    world.wait(60);
    assert.equal(codeOf(await recover(world)), 'incident-not-contained');
    await world.contain();
    assert.equal(codeOf(await recover(world)), 'recovered');
    assert.equal(codeOf(await recover(world)), 'incident-recovered');
    assert.equal((await stateOf(world)).securityEpoch, 3);
  });

  it('is from all incidents of the principal, and needs a proof later than each', async () => {
    const world = await openContained();
    const early = world.now();
    world.wait(60);
    const other = 'incident-2' as IncidentId;
    await world.open(reported({ incidentId: other, jti: 'jti-2', openedAt: world.now() }));
    await world.contain(world.deps, other);
    assert.equal(codeOf(await recover(world, { authenticatedAt: early })), 'authentication-not-fresh');
    world.wait(1);
    assert.equal(codeOf(await recover(world)), 'recovered');
    assert.equal((await stateOf(world)).status, 'ACTIVE');
    assert.equal(codeOf(await recover(world, { incidentId: other })), 'incident-recovered');
  });

  it('leaves a principal that was not compromised its other grants', async () => {
    const world = await openWorld();
    await world.open(reported({ reach: 'grant' }));
    await world.contain();
    world.wait(60);
    assert.equal(codeOf(await recover(world)), 'recovered');
    const { securityEpoch, grantsNotBeforeEpoch } = await stateOf(world);
    assert.deepEqual([securityEpoch, grantsNotBeforeEpoch], [2, 1]);
  });
});

const startRecovery = async () => {
  const stage = await startExchange();
  await stage.registerPipeline();
  await stage.makeRule(await stage.trustIssuer());
  const { deps } = stage;
  const withOperators = { ...deps, operators: tenantId };
  const service = await startProcess(deps, [
    bind(deps, recoverRoute),
    bind(deps, administratorRecoveryRoute),
    bind(withOperators, openIncidentRoute),
  ]);
  const post = async (path: string, body: object, identity: Identity | 'anonymous') => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const answer = await service.call(path, { method: 'POST', identity, headers, body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const sign = (more: object = {}) => stage.sign({ ...githubClaims(), ...more });
  const before = await sign();
  const exchanged = await stage.exchange(await sign());
  const { access_token: stolen } = (await exchanged.json()) as { readonly access_token: string };
  const report = { severity: 'SEV-2', suspected: 'principal', principalId: pipelineId, note: 'Its secret leaked.' };
  const opened = await post('/v1/security/incidents', report, administrator());
  assert.equal(opened.status, 201, JSON.stringify(opened.body));
  const id = opened.body.incidentId as IncidentId;
  const gateways = {
    reportedWithin: async () => right([{ gatewayId: 'g', sequence: 10n ** 18n, ageMilliseconds: 0 }]),
  };
  const contained = await containIncident({ ...deps, gateways }, { tenantId, incidentId: id, requestId: 'worker' });
  assert.ok(!isLeft(contained), JSON.stringify(contained));
  stage.shared.wait(60);
  return {
    ...{ stage, post, sign, before, stolen, id },
    recover: async (subjectToken: string, more: object = {}) =>
      post(
        '/v1/security/recover',
        { incidentId: id, subjectToken, audience: 'septet', requestedScopes: [], ...more },
        'anonymous',
      ),
    close: () => Promise.all([service.close(), stage.close()]),
  };
};

describe('recovery over HTTP', () => {
  let recovery: Awaited<ReturnType<typeof startRecovery>>;
  beforeEach(async () => {
    recovery = await startRecovery();
  });
  afterEach(() => recovery.close());

  it('gives a pipeline a replacement for a fresh attestation, and only then lets it exchange again', async () => {
    const { stage, recover: attempt, sign, id } = recovery;
    const early = await stage.refusalOf(await stage.exchange(await sign()));
    assert.equal(early.code, 'principal_not_active');
    const { status, body } = await attempt(await sign());
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      [body.incidentId, body.principalId, body.reason, body.securityEpoch],
      [id, pipelineId, 'SECURITY_RECOVERY', 3],
    );
    const claims = await stage.claimsOf(await stage.exchange(await sign()));
    assert.equal(claims.security_epoch, 3);
    assert.equal((await attempt(await sign())).status, 403);
  });

  it('refuses a credential that was issued before the incident, or for another one, alike', async () => {
    const { recover: attempt, before, sign } = recovery;
    const [stolen, unknown] = [await attempt(before), await attempt(await sign(), { incidentId: 'another' })];
    assert.deepEqual([stolen.status, stolen.body.code], [403, 'recovery-refused']);
    assert.deepEqual([unknown.status, unknown.body.code], [403, 'recovery-refused']);
    assert.equal(stolen.body.detail, unknown.body.detail);
  });

  it('takes no access token or refresh token for an attestation', async () => {
    const { recover: attempt, stolen, post, id } = recovery;
    for (const token of [stolen, 'septet.refresh.token', 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln'])
      assert.equal((await attempt(token)).status, 403);
    // Nor the principal itself, by what it had: an administrator vouches, and another one.
    const own = { ...administrator(), principalId: pipelineId };
    const answer = await post(`/v1/principals/${pipelineId}/recover`, { incidentId: id, scopes: [] }, own);
    assert.ok(answer.status === 401 || answer.status === 403, JSON.stringify(answer));
  });

  it('lets an administrator vouch for a pipeline without attestation, after a fresh sign-in', async () => {
    const { post, id, stage } = recovery;
    const path = `/v1/principals/${pipelineId}/recover`;
    const request = { incidentId: id, scopes: ['principals:read'] };
    assert.equal((await post(path, request, administrator())).status, 401);
    const fresh = { ...administrator(), authenticatedAt: Date.parse(stage.shared.clock.now()) };
    assert.equal(
      (await post(path, request, { ...fresh, scopes: ['principals:write', 'credentials:write'] })).status,
      403,
    );
    const { status, body } = await post(path, request, fresh);
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(typeof body.clientSecret, 'string');
    assert.equal((await post(path, request, fresh)).status, 409);
  });
});

describe('an incident of an administrator', () => {
  it('can be opened by detection for the last one, who recovers by signing in', async () => {
    const world = await openWorld();
    const found = reported({ subject: 'detected' });
    await openIncident(world.deps, found, { tenantId, actor: 'system:detection', requestId: 'request-5' });
    await world.contain();
    world.wait(60);
    assert.equal((await stateOf(world)).status, 'COMPROMISED');
    assert.equal(codeOf(await recover(world)), 'recovered');
    assert.deepEqual((await stateOf(world)).roles, ['admin']);
  });
});
