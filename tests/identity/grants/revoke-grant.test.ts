/** Grants and refresh families ended by hand, and what a process does where a reuse was found out and then nothing. */
import assert from 'node:assert/strict';
import { grantRoutes } from '../../../commands/identity/routes';
import type { FamilyId, GrantId, IncidentId } from '../../../domain/identity/ids';
import { refreshReuseIncident } from '../../../domain/identity/incident/new-incident';
import { openIncidentOnCompromise } from '../../../domain/identity/open-incident-on-compromise/process';
import { send } from '../../../domain/kernel/process';
import type { Identity } from '../../../infra/server/http/routing/route';
import { givenProcess } from '../../kernel/processes/given-process';
import { noon } from '../examples';
import { errorCodeOf } from '../oauth/refresh-token/refresh-fixture';
import { open, openProcess, openShared, personId, registerApplication, registerPerson, startProcess } from './fixture';

const start = async () => {
  const shared = openShared();
  await registerPerson(shared);
  const clientId = await registerApplication(shared, 'app');
  const deps = openProcess(shared);
  const process = await startProcess(deps, grantRoutes(deps));
  const opened = await open(deps, clientId);
  const end = async (path: string, caller: Partial<Identity>): Promise<number> => {
    const identity = {
      tenantId: 'acme',
      principalId: 'somebody',
      principalType: 'HUMAN',
      scopes: [],
      tokenId: 'j-1',
      ...caller,
    };
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ reason: 'Lost.' });
    return (await process.call(path, { method: 'POST', identity, headers, body })).status;
  };
  return { process, clientId, opened, end };
};

const paths = ({ grantId, familyId }: { grantId: string; familyId: string | null }) => [
  `/v1/grants/${grantId}/revoke`,
  `/v1/refresh-families/${familyId}/revoke`,
];

describe('ending a grant by hand', () => {
  for (const index of [0, 1]) {
    const what = ['grant', 'refresh family'][index];
    it(`ends the caller’s own ${what}, and its refresh tokens`, async () => {
      const { process, clientId, opened, end } = await start();
      const path = paths(opened)[index] as string;
      assert.equal(await end(path, { principalId: personId, scopes: ['openid', 'account:read'] }), 403);
      const looking = { principalId: personId, scopes: ['account:write'] };
      for (let times = 0; times < 2; times += 1) assert.equal(await end(path, looking), 200);
      assert.equal(await errorCodeOf(process.refresh(opened.refreshToken, clientId)), 'invalid_grant');
      await process.close();
    });

    it(`ends anybody's ${what} for who may, in their own tenant`, async () => {
      const { process, clientId, opened, end } = await start();
      const path = paths(opened)[index] as string;
      assert.equal(await end(path, { scopes: ['account:write'] }), 404);
      assert.equal(await end(path, { scopes: ['grants:write'], tenantId: 'globex' }), 404);
      const { status } = await process.refresh(opened.refreshToken, clientId);
      assert.equal(status, 200);
      assert.equal(await end(path, { scopes: ['grants:write'] }), 200);
      await process.close();
    });
  }
});

describe('a reuse that was found out', () => {
  const [familyId, grantId, incidentId] = ['f-1' as FamilyId, 'g-1' as GrantId, 'i-1' as IncidentId];
  const data = {
    familyId,
    grantId,
    principalId: personId,
    incidentId,
    presentedHash: 'ab'.repeat(32),
    epochTo: 3,
    at: noon,
  };
  const reason = 'A refresh token was used twice.';

  it('opens the incident, which ends the grant and raises the epoch to what was meant', () => {
    givenProcess(openIncidentOnCompromise)
      .when({ type: 'FamilyCompromised', data })
      .answers(send('identity.incident', incidentId, refreshReuseIncident(data)));
  });

  it('does not happen while tokens are used once', () => {
    const event = { type: 'FamilyRevoked', data: { familyId, principalId: personId, reason } } as const;
    const happened = { id: 'e-1', event, tenant: 'acme' as never, entityId: familyId, at: noon, isSelfCaused: false };
    assert.equal(openIncidentOnCompromise.key(happened), undefined);
  });
});
