import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useConsole } from './support/fixture';

const attacks = [
  '<img src=x onerror=alert(1)>',
  '<script>alert(2)</script>',
  '"><svg onload=alert(3)>',
  'javascript:alert(4)',
  '{{constructor.constructor("alert(5)")()}}',
];
const stream = `sample.stream-main.${attacks.join(' ')}`;
const type = `sample.${attacks[0]}.v1`;

/** Whatever was written stands there as text; what would have run has left no element behind. */
const assertInert = async (page: Page): Promise<void> => {
  assert.equal(await page.locator('img[src="x"], svg[onload], #root script').count(), 0);
  assert.equal(await page.locator('a[href^="javascript:"]').count(), 0);
};

describe('the console, shown hostile content', () => {
  const stage = useConsole();

  it('shows it as text, wherever it stands', async () => {
    const data = { text: attacks, [attacks[1] as string]: { sealed: attacks[2] }, deep: { sealed: true } };
    await stage.system.append(stream, type, data);
    const page = await stage.open(`/console/streams/${encodeURIComponent(stream)}`);
    await page.getByRole('heading', { level: 1, name: stream }).waitFor();
    await assertInert(page);
    await page.locator('tbody th a').first().click();
    await page.getByRole('region', { name: 'Data' }).getByText('<script>alert(2)</script>').first().waitFor();
    await assertInert(page);
    await page.goto(`/console/live?type=${encodeURIComponent(type)}`);
    await page.getByRole('link', { name: type }).first().waitFor();
    await assertInert(page);
    await page.goto(`/console/streams?search=${encodeURIComponent('<img')}`);
    await page.getByRole('link', { name: stream }).waitFor();
    await assertInert(page);
  });

  it('treats an address only as the page to show', async () => {
    const page = await stage.open(`/console/streams/${encodeURIComponent(attacks.join('/'))}`, { expects: /40\d/ });
    await page.getByRole('alert').waitFor();
    await assertInert(page);
    const broken = await page.goto('/console/streams/%E0%A4%A');
    assert.equal(broken?.status(), 400);
    await page.goto('/console/streams/%E0%A4');
    await page.getByRole('heading', { name: 'No page has this address' }).waitFor();
    await page.goto('/console/streams/..%2F..%2Fprincipals/0');
    await page.getByRole('alert').waitFor();
  });

  it('shows reasons of dead letters as text', async () => {
    await stage.system.deadLetter(attacks.join(' '));
    const page = await stage.open('/console/dead-letters');
    await page
      .getByText(attacks[1] as string)
      .first()
      .waitFor();
    await assertInert(page);
  });
});
