/** Runs through the gateway of a running system. */
import assert from 'node:assert/strict';
import { openTenant, type Tenant } from '../../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../../support/processes/running-system';
import { fromRunner } from '../../support/servers/shared-servers';

describe('routes of runs', function () {
  this.timeout(180_000);
  let system: System;
  let tenant: Tenant;
  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    tenant = await openTenant(system);
  });
  after(() => system.close());

  const outcome = async (answer: Promise<Response>): Promise<string> => {
    const response = await answer;
    const { type = '' } = (await response.json()) as { type?: string };
    return `${response.status} ${type.split('/').at(-1)}`;
  };

  it('answer that there is no such run', async () => {
    for (const path of ['/actions/runs/none/cancel', '/runs/none/cancel'])
      assert.equal(await outcome(tenant.send('POST', path, {})), '404 run-unknown');
    assert.equal(await outcome(tenant.send('POST', '/actions/runs/none/retry', { mode: 'all' })), '404 run-unknown');
    assert.equal(await outcome(tenant.read('/actions/runs/none/waiting')), '404 run-unknown');
  });

  it('refuse a mode that there is not', async () => {
    assert.match(
      await outcome(tenant.send('POST', '/actions/runs/none/retry', { mode: 'some' })),
      /^4\d\d invalid-input/,
    );
  });
});
