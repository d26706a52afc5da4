/** Pages that answer why: security events and the log to their cause, documents and who edits them, rebuilds, the palette. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openEditor } from '../../packages/editor-engine/src/node';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { sized } from '../support/runner/size';
import { eventually } from '../support/waiting/eventually';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';

/** `tasks.test.ts` does the same in a shorter way. */
const itInLongRun = (title: string, test: () => Promise<void>): void => {
  if (sized({ short: false, long: true })) it(title, test);
};

describe('the console answers why', () => {
  const stage = useConsole();
  const home = temporaryDirectory('console-editor');
  after(() => home.remove());

  const register = async (): Promise<string> => {
    const made = await (await stage.admin())('/v1/principals', { principalType: 'PIPELINE' });
    return ((await made.json()) as { readonly principalId: string }).principalId;
  };
  const suspend = async (principalId: string, reason: string): Promise<void> => {
    const suspended = await (await stage.admin())(`/v1/principals/${principalId}/suspend`, { reason });
    assert.equal(suspended.status, 200);
  };
  /** Colours of all of it are looked at once, on the pages with the most. */
  const axeFinds = (page: Page) => axeViolationsOn(page, { names: ['on a phone'] });

  it('why she was refused: from the principal to the event, to its cause and stream', async () => {
    const principalId = await register();
    await suspend(principalId, 'Found in a public repository.');
    const page = await stage.openWhen(`/console/principals/${principalId}/activity`, (openedPage) =>
      openedPage.getByText('Found in a public repository.'),
    );
    await page.getByText('Live', { exact: true }).waitFor();
    const row = page.getByRole('row', { name: /PrincipalSuspended/ });
    await row.getByRole('button').click();
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.getByRole('link', { name: 'Cause and stream' }).click();
    await page.getByRole('heading', { level: 1, name: 'identity.PrincipalSuspended.v1' }).waitFor();
    await page.getByRole('heading', { name: 'Causes and effects' }).waitFor();
    await page.getByTitle(`identity.principal-main.${principalId}`).first().click();
    await page.getByText(`identity.principal-main.${principalId}`, { exact: true }).waitFor();
    await page.goto('/console/principals/admin/activity');
    await page.getByRole('link', { name: 'Events by it' }).click();
    await page.getByText('Found in a public repository.').first().waitFor();
  });

  it('keeps the filter of security events in the address, and shows new ones as they come', async () => {
    const principalId = await register();
    const page = await stage.open(`/console/security-events?principalId=${principalId}&type=PrincipalSuspended`);
    await page.getByText('No security event matches').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await suspend(principalId, 'Looked at live.');
    await page.getByText('Looked at live.').first().waitFor();
    await page.getByRole('group', { name: 'Severity' }).getByRole('button', { name: 'SEV-1' }).click();
    await page.waitForURL(/severity=SEV-1/);
    await page.getByText('No security event matches').waitFor();
    assert.deepEqual(await axeFinds(page), []);
  });

  it('puts a critical event in sight, and counts scopes that open in place', async () => {
    const principalId = await register();
    const post = await stage.admin();
    const scopes = ['clients:read', 'grants:read', 'keys:read', 'sessions:read'];
    await post(`/v1/principals/${principalId}/scopes/grant`, { scopes });
    const reason = `Nobody could sign in (${principalId}).`;
    await stage.system.record(`identity.principal-main.${principalId}`, 'identity.AdministratorRecovered.v1', {
      principalId,
      reason,
    });
    const page = await stage.openWhen('/console/overview', (opened) =>
      opened.getByRole('region', { name: 'Critical security events', exact: true }).getByText(reason),
    );
    await page
      .getByRole('region', { name: 'Critical security events', exact: true })
      .getByRole('link', { name: 'Show SEV-1 events' })
      .click();
    await page.waitForURL(/security-events\?severity=SEV-1/);
    const critical = page.locator('tr.bad', { hasText: reason });
    await critical.getByText('SEV-1', { exact: true }).filter({ visible: true }).waitFor();
    assert.equal(await page.locator('tbody tr:not(.bad)').count(), 0);
    assert.deepEqual(await axeFinds(page), []);
    await page.goto(`/console/security-events?principalId=${principalId}&type=ScopesGranted`);
    const granted = page.getByRole('row', { name: /ScopesGranted/ });
    await granted.getByText('4 scopes').click();
    await granted.getByText('keys:read', { exact: true }).waitFor();
  });

  it('takes a bare name in the live log at once, and opens events in place', async () => {
    await stage.system.append('sample.why-main.live', 'sample.WhyAsked.v1', { answer: 42 });
    await stage.system.append('sample.why-main.live', 'sample.OtherAsked.v1', {});
    const page = await stage.open('/console/live');
    await page.getByRole('link', { name: 'sample.OtherAsked.v1' }).first().waitFor();
    await page.getByLabel('Event', { exact: true }).fill('WhyAsked');
    await page.getByRole('link', { name: 'sample.OtherAsked.v1' }).first().waitFor({ state: 'detached' });
    const row = page.getByRole('row', { name: /sample\.WhyAsked/ }).first();
    await row.getByRole('button').press('Enter');
    await page.getByText('42', { exact: true }).first().waitFor();
    assert.deepEqual(await axeFinds(page), []);
  });

  it('orders streams by their last change, and by their name', async () => {
    await stage.system.append('sample.why-main.last', 'sample.WhyAsked.v1', {});
    const page = await stage.openWhen('/console/streams?aggregate=why', (openedPage) =>
      openedPage.getByRole('link', { name: 'sample.why-main.last' }),
    );
    const first = page.locator('tbody th a').first();
    assert.equal(await first.textContent(), 'sample.why-main.last');
    await page.getByRole('button', { name: 'Stream', exact: true }).click();
    await page.waitForURL(/order=name/);
    await page.getByRole('columnheader', { name: 'Stream' }).and(page.locator('[aria-sort=ascending]')).waitFor();
    assert.deepEqual(await axeFinds(page), []);
  });

  itInLongRun('finds a document, and who edits it, by keyboard alone', async () => {
    const made = await (await stage.admin())('/v1/documents', { title: 'Plan of the harbour' });
    const { documentId } = (await made.json()) as { readonly documentId: string };
    const token = await stage.token();
    const baseUrl = stage.system.url;
    const editor = await openEditor({ baseUrl, documentId, userId: 'admin', token: () => token, directory: home.path });
    await editor.whenCommitted();
    editor.create([{ type: 'rect', properties: { fill: 'green' } }]);
    await editor.whenCommitted();
    const page = await stage.open('/console/streams');
    await page
      .getByRole('link', { name: /^Principal: / })
      .first()
      .waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('harbour');
    await page.getByRole('option', { name: /Plan of the harbour/ }).waitFor();
    assert.deepEqual(await axeViolationsOn(page, { names: ['in the light', 'on a phone'] }), []);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Plan of the harbour' }).waitFor();
    await page.getByRole('table', { name: 'Open now' }).getByRole('link', { name: 'admin' }).waitFor();
    await page.getByRole('table', { name: 'History' }).getByText('Edits').waitFor();
    assert.deepEqual(await axeFinds(page), []);
    await editor.close();
    await page.goto('/console/documents?search=harbour');
    await page.getByRole('link', { name: 'Plan of the harbour' }).waitFor();
    assert.deepEqual(await axeFinds(page), []);
  });

  itInLongRun('rebuilds a view once its name was typed, and says how it ended', async () => {
    const page = await stage.open('/console/views');
    await page.getByRole('button', { name: 'Rebuild editor_members' }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Rebuild' });
    assert.ok(await confirm.isDisabled());
    await dialog.getByLabel('Name of the view').fill('editor_members');
    assert.deepEqual(await axeViolationsOn(page, { names: ['in the light'] }), []);
    await confirm.click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByRole('row', { name: /editor_members/ });
    await row.getByText('switched', { exact: true }).waitFor();
    await row.getByText('By operator:admin').waitFor();
    assert.deepEqual(await axeFinds(page), []);
  });

  it('why she was refused: from a 429 to the rule, and to what is left of it', async () => {
    const { url } = stage.system;
    // No other test uses this client, so its count is its own.
    const form = { grant_type: 'client_credentials', client_id: 'main~too-eager', client_secret: 'wrong' };
    const requestToken = () => fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
    const burst = 60;
    // On a slow machine the limit is filled again meanwhile.
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: burst }, requestToken));
      assert.ok(answers.some(({ status }) => status === 429));
    });
    const page = await stage.open('/console/rate-limits/refusals?about=strangers');
    const row = page.getByRole('row', { name: /token-client/ }).first();
    await row.getByText('The limit is for the token endpoint.').waitFor();
    assert.deepEqual(await axeFinds(page), []);
    await row.getByRole('link', { name: 'token-client' }).click();
    const rule = page.getByRole('table', { name: 'At the gateway' }).getByRole('row', { name: /token-client/ });
    await rule.getByText('for each client at an address').waitFor();
    await rule
      .getByText(/the token endpoint$/)
      .filter({ visible: true })
      .waitFor();
    assert.deepEqual(await axeFinds(page), []);
  });

  itInLongRun('shows a limit being hit, by keyboard alone', async () => {
    const requests = Array.from({ length: 100 }, () => ({ dimensions: { user: 'harbour-master' } }));
    const check = await stage.admin();
    await check('/v1/ratelimit/check/batch', { requests });
    await check('/v1/ratelimit/check/batch', { requests });
    const page = await stage.open('/console/rate-limits/usage');
    await page.getByRole('heading', { name: 'Would this pass?' }).waitFor();
    await page.getByLabel('User').focus();
    await page.keyboard.type('harbour-master');
    await page.getByLabel('Requests').focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('90');
    await page.keyboard.press('Enter');
    await page.getByText('It would be refused.').waitFor();
    await page
      .getByRole('row', { name: /user-requests/ })
      .getByText('none')
      .waitFor();
    assert.deepEqual(await axeFinds(page), []);
    const refused = await stage.openWhen('/console/rate-limits/refusals', (openedPage) =>
      openedPage.getByRole('row', { name: /user-requests/ }),
    );
    await refused.getByText('A caller of your service').first().waitFor();
  });

  it('shows a caller the pages of its scopes only, also in what Ctrl-K finds', async () => {
    const principalId = await register();
    const post = await stage.admin();
    await post(`/v1/principals/${principalId}/scopes/grant`, { scopes: ['security:read'] });
    const issued = await post(`/v1/principals/${principalId}/credentials`, { scopes: ['security:read'] });
    const { clientId, clientSecret } = (await issued.json()) as Readonly<Record<'clientId' | 'clientSecret', string>>;
    const page = await stage.open('/console/sign-in', { isStranger: true });
    await page.getByLabel('Client id').fill(clientId);
    await page.getByLabel('Client secret').fill(clientSecret);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Security events' }).waitFor();
    const links = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
    assert.deepEqual(await links.allTextContents(), [
      'Security events',
      'Refused requests',
      'Authorization decisions',
      'Detection',
      'Incidents',
      'Sign-in policy',
      'Trust rules',
      'Actions of agents',
      'API documentation',
    ]);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('streams');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('security ev');
    await page.getByRole('option', { name: /Security events/ }).waitFor();
    await page.keyboard.press('Escape');
    for (const path of ['rate-limits', 'documents', 'views', 'streams']) {
      await page.goto(`/console/${path}`);
      await page.getByText('No page has this address').waitFor();
    }
  });

  it('shows the sign-in policy, and counts the people who could not sign in by a stricter one', async () => {
    const page = await stage.open('/console/sign-in-policy');
    await page.getByText('Second factor').first().waitFor();
    await page.getByRole('button', { name: 'Change the policy' }).click();
    await page.getByLabel('Session lifetime').fill('abc');
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByText('Must be a number of hours, from 0.1 to 720.').waitFor();
    await page.getByLabel('Session lifetime').fill('12');
    await page.getByLabel('Passwords', { exact: true }).uncheck();
    await page.getByLabel(/^Remove passwords, although \d+ of \d+ people have not set up a passkey$/).waitFor();
    assert.ok(await page.getByRole('button', { name: 'Change', exact: true }).isDisabled());
    assert.deepEqual(await axeViolationsOn(page, { names: ['in the light', 'on a phone'] }), []);
  });
});
