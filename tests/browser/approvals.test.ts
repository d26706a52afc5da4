/** A person looks at what an agent wants to do, has to sign in again to approve it, and denies it; another approves it, and sees what became of it. */
import assert from 'node:assert/strict';
import { accessPolicyStream } from '../../domain/identity/policy/events';
import type { TenantId } from '../../domain/kernel/ids';
import { openAgent } from '../../packages/client/src/index';
import { type ClientCredential, contentOf, openTenant, type Tenant } from '../support/identity/tenant';
import { eventually } from '../support/waiting/eventually';
import { axeViolationsOn } from './support/axe';
import { setPassword, usePersonPages } from './support/person-pages';

/** Of a tenant of its own, whose policy lets its agent rename itself with an approval only. */
const openCarefulAgent = async (tenant: Tenant, record: (type: string, data: object) => Promise<void>) => {
  const { principalId } = await contentOf<{ principalId: string }>(
    tenant.send('POST', '/v1/principals', { principalType: 'AI_AGENT', label: 'Careful agent' }),
  );
  const credential = await contentOf<ClientCredential>(
    tenant.send('POST', `/v1/principals/${principalId}/credentials`, { scopes: ['principals:write'] }),
  );
  const task = { agentId: principalId, taskId: 'ticket-1', audience: 'septet', scopes: ['principals:write'] };
  const { delegationId } = await contentOf<{ delegationId: string }>(
    tenant.send('POST', '/v1/delegations', { ...task, expiresInSeconds: 3_600 }),
  );
  const rule = { ruleId: 'risky', effect: 'STEP_UP_REQUIRED', action: { operations: ['labelPrincipal'] } };
  const document = { covers: [], rules: [rule] };
  await record('AccessPolicyDrafted', { version: 1, document, note: null });
  await record('AccessPolicyEnforced', { version: 1, document, previous: null });
  const agent = openAgent({ baseUrl: tenant.url, ...credential, delegation: { delegationId, taskId: 'ticket-1' } });
  const target = `/v1/principals/${principalId}/label`;
  await eventually(async () => {
    const { status } = await agent.fetch(`${tenant.url}${target}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ label: 'Careful agent' }),
    });
    assert.equal(status, 403);
  });
  return { agent, target, principalId };
};

describe('approvals in the console', () => {
  const { stage, open } = usePersonPages();

  it('show exactly what will be done, and are decided', async () => {
    const send = await stage.admin();
    const { principalId } = await contentOf<{ principalId: string }>(
      send('/v1/principals', { principalType: 'AI_AGENT', label: 'Careful agent' }),
    );
    const { clientId, clientSecret } = await contentOf<{ clientId: string; clientSecret: string }>(
      send(`/v1/principals/${principalId}/credentials`, { scopes: ['principals:write'] }),
    );
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const { access_token: token } = await contentOf<{ access_token: string }>(
      fetch(`${stage.system.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) }),
    );
    const action = {
      method: 'POST',
      target: `/v1/principals/${principalId}/label`,
      body: { label: 'Renamed\u200b agent' },
      reason: 'The ticket asks for another name.',
    };
    const requested = await fetch(`${stage.system.url}/v1/approvals`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(action),
    });
    assert.equal(requested.status, 201);

    const page = await stage.open('/console/approvals', { expects: /Failed to load resource.*401/ });
    const row = page.getByRole('row', { name: /Careful agent/ });
    await stage.until(page, row);
    await row.getByText('waiting', { exact: true }).waitFor();
    assert.deepEqual(await axeViolationsOn(page, { content: row }), []);
    await row.getByRole('button', { name: /Look and approve/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Approve exactly this action?' });
    // What is invisible in a text is shown.
    await dialog.getByText('Renamed⟨U+200B⟩ agent').waitFor();
    await dialog.getByText('The ticket asks for another name.').waitFor();
    assert.deepEqual(await axeViolationsOn(page, { content: dialog }), []);
    await dialog.getByRole('button', { name: 'Approve once' }).click();
    await dialog.getByRole('link', { name: 'Sign in again' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await row.getByRole('button', { name: /^Deny/ }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Not this name.');
    await page.getByRole('dialog').getByRole('button', { name: 'Deny action', exact: true }).click();
    await row.getByText('denied', { exact: true }).waitFor();
  });

  it('let the agent do what a person approved there, who then finds the record of it', async () => {
    const tenant = await openTenant(stage.system);
    const { tenantId } = tenant;
    const { agent, target, principalId } = await openCarefulAgent(tenant, (type, data) =>
      stage.system.record(accessPolicyStream(tenantId as TenantId), `identity.${type}.v1`, data, tenantId),
    );
    const { enrolmentUrl } = await contentOf<{ enrolmentUrl: string }>(
      tenant.send('POST', '/v1/people', { login: 'grace@example.org', displayName: 'Grace', roles: ['admin'] }),
    );
    const { pathname, search } = new URL(enrolmentUrl);
    const page = await open(pathname + search, { expects: /status of 40[13]/ }, stage.system.url);
    await setPassword(page);
    const body = { label: 'Renamed agent' };
    const performed = agent.perform({ method: 'POST', target, body }, { reason: 'The ticket asks for another name.' });

    await page.goto(`${stage.system.url}/console/session/begin`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goto(`${stage.system.url}/console/access`);
    const waiting = page.getByRole('term').filter({ hasText: 'Actions that wait for approval' });
    await stage.until(page, waiting.locator('xpath=following-sibling::dd[text()="1"]'));
    await waiting.getByRole('link').click();
    const row = page.getByRole('row', { name: /Careful agent/ });
    await row.getByRole('button', { name: /Look and approve/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Approve exactly this action?' });
    await dialog.getByText('Renamed agent').waitFor();
    await dialog.getByRole('button', { name: 'Approve once' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await performed).status, 200);
    agent.client.close();

    await page.getByRole('main').getByRole('link', { name: 'Actions of agents' }).click();
    const record = page.getByRole('row', { name: /labelPrincipal/ });
    await record.getByText('done (200)').waitFor();
    assert.deepEqual(await axeViolationsOn(page, { content: record }), []);
    for (const [label, nobody] of [
      ['Agent', 'Grace'],
      ['On behalf of', 'Grace'],
    ] as const) {
      await page.getByLabel(label).fill(nobody);
      await page.getByText('No action matches').waitFor();
      await page.getByLabel(label).fill('');
      await record.waitFor();
    }
    await page.getByLabel('Agent').fill(principalId);
    await record.getByRole('link', { name: 'labelPrincipal' }).click();
    const decision = page.getByText('STEP_UP_REQUIRED, version 1');
    await decision.waitFor();
    await page.getByText(`POST ${target}`).waitFor();
    await page.getByText('ticket-1', { exact: true }).waitFor();
    assert.deepEqual(await axeViolationsOn(page, { content: decision }), []);
  });
});
