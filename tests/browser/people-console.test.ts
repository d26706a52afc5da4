/** People in the console: from their own pages into it, and on where they were once their session has ended. */
import assert from 'node:assert/strict';
import type { Route } from 'playwright-core';
import { setPassword, strong, usePersonPages } from './support/person-pages';

describe('people in the console', () => {
  const { stage, open, enrolled, enrolment } = usePersonPages();

  it('leads into the console, whose tokens never reach the browser, out of both at once, and back to the requested page', async () => {
    const home = stage.system.url;
    const path = await enrolment('root@example.org', { roles: ['admin'] });
    const page = await open(path, {}, home);
    await setPassword(page);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const cookies = (await page.context().cookies()).map(({ value }) => value);
    assert.ok(cookies.every((value) => !value.startsWith('ey')));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.goto(`${home}/account`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(`${home}/console/streams?name=principal-main.adm`);
    await page.getByLabel('Login').fill('root@example.org');
    await page.getByLabel('Password').fill(strong);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Streams' }).waitFor();
    assert.ok(page.url().endsWith('/console/streams?name=principal-main.adm'), page.url());
    // Without the console's own session, the person's suffices.
    await page.context().clearCookies({ name: /^(?!septet-account)/ });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Streams' }).waitFor();
  });

  it('go on after a sign-out that did not reach the server, and sign out while queries of the page are under way, which end before the session', async () => {
    const home = stage.system.url;
    // Queries of the first page may be under way when its session is replaced.
    const expects = /Failed to load resource: (?:net::ERR_FAILED|the server responded with a status of 401)/;
    const page = await open(await enrolment('katherine@example.org', { roles: ['admin'] }), { expects }, home);
    await setPassword(page);
    await page.goto(`${home}/console/session/begin`);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.route('**/console/session', (route) => route.abort());
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('The server cannot be reached').waitFor();
    await page.getByRole('link', { name: 'Principals', exact: true }).click();
    await page.getByRole('link', { name: 'Ada Lovelace' }).first().waitFor();
    await page.unroute('**/console/session');
    const held: Route[] = [];
    let hold: () => void = () => undefined;
    const isHeld = new Promise<void>((resolve) => {
      hold = resolve;
    });
    await page.route('**/v1/**', (route) => {
      held.push(route);
      hold();
    });
    const refused: number[] = [];
    /** Null for what the page has given up, which cannot be answered any more. */
    const answer = async (route: Route): Promise<void> => {
      const response = await route.fetch();
      await route.fulfill({ response }).catch(() => undefined);
      const received = await route.request().response();
      if (received !== null) refused.push(received.status());
    };
    await page.route('**/console/session', async (route) => {
      // The session has ended before the page knows it: the browser logs the refused queries.
      const response = await route.fetch();
      await Promise.all(held.map(answer));
      await route.fulfill({ response });
    });
    await page.getByRole('link', { name: 'Sessions', exact: true }).click();
    await isHeld;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    assert.deepEqual(refused, []);
  });

  it('go on where they were, once they have signed in again in another tab', async () => {
    const home = stage.system.url;
    const { principalId, path } = await enrolled('joan@example.org', { roles: ['admin'] });
    const page = await open(path, { expects: /Failed to load resource/ }, home);
    await setPassword(page);
    await page.goto(`${home}/console/session/begin`);
    await page.getByRole('link', { name: 'Streams', exact: true }).click();
    await page.getByLabel('Name or event id').fill('principal-main.adm');
    await page.getByTitle('identity.principal-main.admin').waitFor();
    // The filter's query has been answered, so the page sends no request until the next typing.
    await page
      .getByRole('link', { name: /Issued tokens/ })
      .first()
      .waitFor({ state: 'detached' });
    await (await stage.admin())(`/v1/principals/${principalId}/sessions/end`, { reason: 'Lunch.' });
    await page.getByLabel('Name or event id').fill('principal-main.ad');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    assert.equal(await dialog.getByLabel('Client secret').count(), 0);

    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog.getByRole('link', { name: 'Sign in again' }).click(),
    ]);
    await tab.getByLabel('Login').fill('joan@example.org');
    await tab.getByLabel('Password').fill(strong);
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Name or event id').inputValue(), 'principal-main.ad');
  });

  it('sign in again in another tab to take from a person what they have lost, and do it then', async () => {
    const home = stage.system.url;
    const page = await open(
      await enrolment('beatrice@example.org', { roles: ['admin'] }),
      { expects: /status of 401/ },
      home,
    );
    await setPassword(page);
    const made = await (await stage.admin())('/v1/principals', { principalType: 'HUMAN' });
    const { principalId } = (await made.json()) as { readonly principalId: string };
    const stream = `identity.authenticators-main.${principalId}`;
    const addedAt = new Date().toISOString();
    const added = { passkeyId: 'mFrWZp9n0A', publicKey: 'pQEC', counter: 0, transports: [], name: { forgotten: true } };
    await stage.system.record(stream, 'identity.PasskeyAdded.v1', { principalId, ...added, addedAt });
    const app = { principalId, seed: { forgotten: true }, enrolledAt: addedAt };
    await stage.system.record(stream, 'identity.TotpEnrolled.v1', app);
    // By a credential, whose tokens carry no sign-in.
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in with a credential' }).click();
    await page.getByLabel('Client id').fill(stage.credential.clientId);
    await page.getByLabel('Client secret').fill(stage.credential.clientSecret);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.goto(`${home}/console/principals/${principalId}`);
    const take = page.getByRole('button', { name: 'Remove Authenticator app' });
    await stage.until(page, take);
    await take.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('As was agreed.');
    const act = dialog.getByRole('button', { name: 'Remove', exact: true });
    await act.click();
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog.getByRole('link', { name: 'Sign in again' }).click(),
    ]);
    await tab.getByLabel('Login').fill('beatrice@example.org');
    await tab.getByLabel('Password').fill(strong);
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
    await tab.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await act.click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove Passkey mFrWZp9n0A' }).click();
    await dialog.getByLabel('Reason').fill('As was agreed.');
    await act.click();
    await page.getByText('No way to sign in yet.').waitFor();
  });
});
