/** Incidents that are reported while all processes of a whole system are killed: every step of their containment is taken, once, in order. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { containmentSteps } from '../../domain/identity/incident/steps';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { contentOf, issueTokenTo, openTenant, type Tenant } from '../support/identity/tenant';
import { type DisturbedSystem, launchDisturbed } from '../support/processes/disturbed-system';
import { eventually } from '../support/waiting/eventually';

const [commands, workers, log] = [
  /commands\/command-api\.main/,
  /commands\/workers\.main/,
  /eventstore-node\/src\/cli\/main/,
];
const killed: readonly RegExp[] = [
  commands,
  workers,
  log,
  commands,
  /commands\/processes\.main/,
  workers,
  /gateway\/main/,
  commands,
  /valkey-server|redis-server/,
  workers,
  log,
  /\/postgres -D/,
  commands,
  workers,
];

/** Three of them have two incidents at once. */
const principals = 9;

interface Stolen {
  readonly principalId: string;
  readonly token: string;
}

describe('containment while everything is killed', function () {
  this.timeout(600_000);
  const home = temporaryDirectory('incident-kills');
  let septet: DisturbedSystem;
  let tenant: Tenant;
  before(async () => {
    septet = await launchDisturbed(home.path);
    tenant = await openTenant(septet.system);
  });
  after(async () => {
    await septet.close();
    home.remove();
  });

  const makePipeline = async (): Promise<Stolen> => {
    const { principalId } = await contentOf<{ principalId: string }>(
      tenant.send('POST', '/v1/principals', { principalType: 'PIPELINE' }),
    );
    const credential = { scopes: ['principals:read'], expiresInSeconds: 3_600 };
    const issued = tenant.send('POST', `/v1/principals/${principalId}/credentials`, credential);
    return { principalId, token: await issueTokenTo(septet.system, await contentOf(issued)) };
  };
  const statusWith = async (token: string): Promise<number> => {
    const answer = await fetch(`${septet.system.url}/v1/principals?limit=1`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const report = ({ principalId }: Stolen) =>
    septet.call<{ readonly incidentId: string }>(tenant, 'POST', '/v1/security/incidents', {
      ...{ severity: 'SEV-2', suspected: 'principal', note: 'Its secret was printed in a log.', principalId },
    });

  it('takes all eight steps of each incident, once and in order, and the tokens stay dead', async () => {
    const stolen: Stolen[] = [];
    for (let made = 0; made < principals; made += 1) stolen.push(await makePipeline());
    for (const { token } of stolen) assert.equal(await statusWith(token), 200);
    const disturbing = septet.disturb({ killed, frozen: [workers], pauseMilliseconds: 2_000 });
    const reported: string[] = [];
    for (const [index, one] of stolen.entries()) {
      const opened = await Promise.all(index % 3 === 0 ? [report(one), report(one)] : [report(one)]);
      reported.push(...opened.map(({ incidentId }) => incidentId));
      await eventually(async () => assert.equal(await statusWith(one.token), 401));
      await sleep(1_000);
    }
    assert.ok((await disturbing) >= 10);
    assert.equal(new Set(reported).size, principals + principals / 3);
    await eventually(async () => {
      const events = await septet.system.eventsAfter(null);
      for (const incidentId of reported) {
        const steps = events.filter(
          ({ stream, type }) =>
            stream === `identity.incident-${tenant.tenantId}.${incidentId}` &&
            type === 'identity.ContainmentStepTaken.v1',
        );
        assert.deepEqual(
          steps.map(({ data }) => (data as { readonly step: string }).step),
          containmentSteps,
          incidentId,
        );
      }
    });
    for (const { token } of stolen) assert.equal(await statusWith(token), 401);
  });
});
