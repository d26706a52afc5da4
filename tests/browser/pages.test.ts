import assert from 'node:assert/strict';
import { useConsole } from './support/fixture';

describe("the console's pages of the log", () => {
  const stage = useConsole();

  it('find a stream, its events, one event with what it changed, and what caused it', async () => {
    const page = await stage.open('/console/streams');
    await page.getByLabel('Name or event id').fill('principal-main.admin');
    await page.getByTitle('identity.principal-main.admin').click();
    await page.getByRole('heading', { level: 1, name: /^Principal: .*admin$/ }).waitFor();
    await page.getByText('identity.principal-main.admin', { exact: true }).waitFor();
    await page.getByRole('link', { name: /CredentialIssued/ }).click();
    await page.getByRole('heading', { level: 1, name: 'identity.CredentialIssued.v1' }).waitFor();
    const changes = page.locator('.changes');
    await changes.getByText('/credentials/').waitFor();
    assert.match((await changes.textContent()) ?? '', /Added.*After:.*"revoked": false/s);
    const data = await page.getByRole('region', { name: 'Data', exact: true }).textContent();
    assert.match(data ?? '', /"secretHash": withheld/);
    const causes = page.locator('.tree');
    await causes.getByRole('link', { name: /PrincipalRegistered/ }).waitFor();
    assert.equal(await causes.locator('[aria-current]').count(), 1);
  });

  it('go from event to event, and back as browsers do', async () => {
    const page = await stage.open('/console/streams/identity.principal-main.admin/0');
    await page.getByRole('heading', { level: 1, name: /PrincipalRegistered/ }).waitFor();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByRole('heading', { level: 1, name: /CredentialIssued/ }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: /PrincipalRegistered/ }).waitFor();
  });

  it('find an event by its id', async () => {
    const id = await stage.system.append('sample.stream-main.s-1', 'sample.Recorded.v1', { text: 'found' });
    const page = await stage.open('/console/streams', { expects: /404/ });
    await page.getByLabel('Name or event id').fill(id);
    await page.getByRole('link', { name: 'Find the event' }).click();
    // The view of events may not have come to it yet.
    const retry = page.getByRole('button', { name: 'Try again' });
    const heading = page.getByRole('heading', { level: 1, name: 'sample.Recorded.v1' });
    for (;;) {
      await heading.or(retry).first().waitFor();
      if (await heading.isVisible()) break;
      await retry.click().catch(() => undefined);
    }
    await page.getByRole('region', { name: 'Data', exact: true }).getByText('"found"').waitFor();
    await page.getByText('Streams of this kind have no state').or(page.locator('.section .notice')).first().waitFor();
  });

  it('report that there is no such stream, event or page', async () => {
    const page = await stage.open('/console/streams/sample.stream-main.nothing', { expects: /404/ });
    await page.getByRole('alert').getByText('There is no such stream').waitFor();
    await page.goto('/console/streams/identity.principal-main.admin/999');
    await page.getByRole('alert').getByText('There is no such event').waitFor();
    await page.goto('/console/nowhere');
    await page.getByRole('heading', { name: 'No page has this address' }).waitFor();
  });
});

describe("the console's pages of processes", () => {
  const stage = useConsole();

  it('show every view with its lag, and its rebuilds', async () => {
    const page = await stage.open('/console/views');
    const row = page.getByRole('row', { name: /identity_principals/ });
    await row.getByText('live', { exact: true }).waitFor();
    assert.match((await row.textContent()) ?? '', /postgres, version \d+/);
  });

  it('show processes and queues', async () => {
    await stage.system.deadLetter('The disk is full.');
    const page = await stage.open('/console/processes');
    await page.getByRole('heading', { level: 1, name: 'Processes' }).waitFor();
    await page
      .getByRole('row', { name: /hostile-/ })
      .first()
      .waitFor();
  });

  it('let a dead letter be tried again, or given up, once that was confirmed', async () => {
    await stage.system.deadLetter('First reason.');
    await stage.system.deadLetter('Second reason.');
    const page = await stage.open('/console/dead-letters');
    const first = page.getByRole('row', { name: /First reason/ });
    const second = page.getByRole('row', { name: /Second reason/ });
    await first.getByRole('button', { name: 'Discard' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await first.count(), 1);
    await first.getByRole('button', { name: 'Discard' }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await first.waitFor({ state: 'detached' });
    await second.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await second.waitFor({ state: 'detached' });
  });

  it('show a job, which can be retried and cancelled once that was confirmed', async () => {
    await stage.system.deadLetter('Third reason.');
    const page = await stage.open('/console/jobs?state=dead');
    await page
      .getByRole('row', { name: /Third reason/ })
      .getByRole('link')
      .click();
    const dialog = page.getByRole('dialog');
    const state = page.locator('main .facts .tag');
    assert.equal(await state.textContent(), 'dead');
    await page.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await state.getByText('waiting').waitFor();
    await page.getByText('Number 1 in its queue').waitFor();
    await page.getByRole('button', { name: 'Cancel the job' }).click();
    await dialog.getByRole('button', { name: 'Cancel the job' }).click();
    await state.getByText('canceled').waitFor();
  });

  it('show the health of every process', async () => {
    const page = await stage.open('/console/health');
    for (const name of [
      'gateway',
      'commands',
      'processes',
      'workers',
      'projections',
      'read-api',
      'blobs',
      'ratelimit',
      'editor',
    ])
      await page.getByRole('heading', { level: 2, name, exact: true }).waitFor();
  });
});
