import assert from 'node:assert/strict';
import { isLeft, right } from 'fp-ts/Either';
import { awaitConfirmation, confirmationOf } from '../../../commands/identity/incidents/gateway-confirmation';
import { delegationStream } from '../../../domain/identity/delegation/events';
import { denialStream } from '../../../domain/identity/denylist/events';
import { grantStream } from '../../../domain/identity/grant/events';
import type { IncidentId } from '../../../domain/identity/ids';
import { incidentStream, incidents } from '../../../domain/identity/incident/events';
import { containmentSteps } from '../../../domain/identity/incident/steps';
import { principalStream } from '../../../domain/identity/principal/events';
import { globalSecurityStream, tenantSecurityStream } from '../../../domain/identity/tenant-security/events';
import { plusSeconds } from '../../../domain/kernel/instant';
import { noon, tenantId } from '../examples';
import {
  delegationId,
  grantId,
  incidentId,
  Killed,
  killedAt,
  openWorld,
  personId,
  reported,
  type World,
} from './fixture';

const stepsIn = async ({ eventsIn }: World, id: IncidentId = incidentId): Promise<readonly string[]> => {
  const stored = await eventsIn(incidentStream(tenantId, id));
  return stored.flatMap(({ type, data }) => {
    const event = incidents.decode(type, data);
    if (isLeft(event)) throw new Error('an incident is unreadable');
    return event.right.type === 'ContainmentStepTaken' ? [event.right.data.step] : [];
  });
};

const typesIn = async ({ eventsIn }: World, stream: string): Promise<readonly string[]> =>
  (await eventsIn(stream)).map(({ type }) => type.replace(/^identity\.|\.v\d+$/g, ''));

/** What the containment of `reported()` leaves, wherever it was cut short. */
const checkContained = async (world: World): Promise<void> => {
  assert.deepEqual(await stepsIn(world), containmentSteps);
  const streams = {
    denied: denialStream(tenantId, { jti: 'jti-1', expiresAt: plusSeconds(noon, 3_600) }),
    grant: grantStream(tenantId, grantId),
    principal: principalStream(tenantId, personId),
    delegation: delegationStream(tenantId, delegationId),
  };
  assert.deepEqual(await typesIn(world, streams.denied), ['TokenDenied']);
  assert.deepEqual(await typesIn(world, streams.grant), ['GrantOpened', 'GrantRevoked']);
  assert.deepEqual((await typesIn(world, streams.principal)).slice(2), [
    'PrincipalMarkedCompromised',
    'SecurityEpochBumped',
  ]);
  assert.deepEqual(await typesIn(world, streams.delegation), ['DelegationCreated', 'DelegationRevoked']);
};

describe('the containment of an incident', () => {
  it('has the token, the grant and the epoch in force when the incident is opened, and then takes the other steps', async () => {
    const world = await openWorld();
    await world.open(reported());
    assert.deepEqual(await stepsIn(world), containmentSteps.slice(0, 4));
    await world.contain();
    await checkContained(world);
  });

  it('takes all steps, once and in order, though it is killed at any append', async () => {
    for (const when of ['before', 'after'] as const)
      for (let appendNumber = 1; ; appendNumber += 1) {
        const world = await openWorld();
        const doomed = world.depsOn(killedAt(world.store, appendNumber, when));
        const all = async () => {
          await world.open(reported(), doomed);
          // The step that finds delegations answers failures.
          if (isLeft(await world.contain(doomed))) throw new Killed();
        };
        const ending = await all().then(
          () => 'survived',
          (error: unknown) => error,
        );
        if (ending === 'survived') {
          // The incident, eight steps and four measures.
          assert.equal(appendNumber, 14);
          break;
        }
        assert.ok(ending instanceof Killed);
        await world.open(reported());
        await world.contain();
        await checkContained(world);
      }
  });

  it('takes each step once though two workers contain it at the same time', async () => {
    const world = await openWorld();
    await world.open(reported());
    await Promise.all([world.contain(), world.contain(), world.contain()]);
    await checkContained(world);
  });

  it('ends no more than is suspected', async () => {
    const world = await openWorld();
    await world.open(reported({ reach: 'grant' }));
    await world.contain();
    assert.deepEqual((await typesIn(world, principalStream(tenantId, personId))).slice(2), []);
    assert.deepEqual(await typesIn(world, grantStream(tenantId, grantId)), ['GrantOpened', 'GrantRevoked']);
  });

  it('takes no step of what is only noted', async () => {
    const world = await openWorld();
    await world.open(reported({ reach: 'nothing' }));
    await world.contain();
    assert.deepEqual(await stepsIn(world), []);
  });

  it('ends the tokens of a tenant, or of all', async () => {
    const world = await openWorld();
    const wide = { principalId: null, grantId: null, jti: null, severity: 'SEV-1' } as const;
    const platformIncident = 'incident-2' as IncidentId;
    await world.open(reported({ ...wide, reach: 'tenant' }));
    await world.open(reported({ ...wide, incidentId: platformIncident, reach: 'platform' }));
    await world.contain();
    await world.contain(world.deps, platformIncident);
    assert.deepEqual(await typesIn(world, tenantSecurityStream(tenantId)), ['TenantEpochBumped']);
    assert.deepEqual(await typesIn(world, globalSecurityStream), ['TenantEpochBumped']);
    assert.deepEqual(await typesIn(world, delegationStream(tenantId, delegationId)), [
      'DelegationCreated',
      'DelegationRevoked',
    ]);
    assert.deepEqual(await stepsIn(world, platformIncident), containmentSteps);
  });

  it('contains two incidents of one principal, each with its own steps and its own epoch', async () => {
    const world = await openWorld();
    const other = 'incident-2' as IncidentId;
    await Promise.all([world.open(reported()), world.open(reported({ incidentId: other, jti: 'jti-2' }))]);
    await Promise.all([world.contain(), world.contain(world.deps, other)]);
    for (const id of [incidentId, other]) assert.deepEqual(await stepsIn(world, id), containmentSteps);
    const bumps = (await typesIn(world, principalStream(tenantId, personId))).filter((type) => /Bumped$/.test(type));
    assert.equal(bumps.length, 2);
    assert.deepEqual(await typesIn(world, grantStream(tenantId, grantId)), ['GrantOpened', 'GrantRevoked']);
  });

  it('waits for gateways that have not confirmed, and takes the step when they have', async () => {
    const world = await openWorld();
    await world.open(reported());
    let sequence = 0n;
    const reportedWithin = async () => right([{ gatewayId: 'gateway-1', sequence, ageMilliseconds: 0 }]);
    const waiting = { ...world.deps, gateways: { reportedWithin } };
    const contained = await world.contain(waiting);
    assert.ok(isLeft(contained));
    assert.equal(contained.left.detail, '1 of 1 gateways have not confirmed.');
    assert.deepEqual(await stepsIn(world), containmentSteps.slice(0, 4));
    const head = await world.store.head();
    sequence = isLeft(head) ? 0n : (head.right ?? 0n);
    assert.ok(!isLeft(await world.contain(waiting)));
    await checkContained(world);
  });
});

describe('the confirmation of gateways', () => {
  const knows = (sequence: bigint) => ({ gatewayId: `g-${sequence}`, sequence, ageMilliseconds: 0 });

  it('is given by all that report, or by the minute after which a gateway refuses everything', () => {
    assert.deepEqual(confirmationOf([knows(5n), knows(7n)], 5n, 0), { kind: 'confirmed', gateways: 2 });
    assert.equal(confirmationOf([knows(5n), knows(4n)], 5n, 69_999).kind, 'waiting');
    assert.equal(confirmationOf([knows(5n), knows(4n)], 5n, 70_000).kind, 'expired');
    assert.equal(confirmationOf([], 5n, 69_999).kind, 'waiting');
    assert.equal(confirmationOf(undefined, 5n, 70_000).kind, 'expired');
  });

  it('is looked for until the caller gives up', async () => {
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
      return pauses < 3;
    };
    const confirmed = await awaitConfirmation(undefined, { sequence: 5n, age: () => 0, pause });
    assert.ok(isLeft(confirmed));
    assert.equal(pauses, 3);
  });
});
