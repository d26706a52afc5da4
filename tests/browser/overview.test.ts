import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';

const stepMilliseconds = 15_000;

/** Chromium answers the pages' questions so, as a fresh installation would. */
const withoutPeopleAndClients = async (page: Page): Promise<void> => {
  const none = { status: 200, contentType: 'application/json', body: JSON.stringify({ items: [], next_cursor: null }) };
  await page.route(/\/v1\/(principals|clients)\?/, (route) => route.fulfill(none));
};

describe("the console's overview", () => {
  const stage = useConsole();
  before(async () => {
    const step = Math.floor(Date.now() / stepMilliseconds) * stepMilliseconds;
    for (let index = 1; index < 200; index += 1)
      await stage.system.recordMetrics(step - index * stepMilliseconds, [
        { series: 'decisions', value: 40 + 20 * Math.sin(index / 9), merge: 'sum' },
        { series: 'refusals', value: index % 40 < 5 ? 12 : 0, merge: 'sum' },
        { series: 'lag/identity_principals', value: index === 30 ? 7 : 0, merge: 'max' },
        { series: 'store-bytes/postgres', value: 5e7 + (200 - index) * 1e5, merge: 'max' },
      ]);
    await stage.system.deadLetter('For the overview.');
  });

  it('is where operators begin, and names what is wrong first, with its page', async () => {
    const page = await stage.open('/console/');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/console/overview');
    const wrong = page.getByRole('region', { name: 'Problems' });
    await wrong
      .getByRole('link', { name: /^1 dead letter in hostile-/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: 'Dead letters' }).waitFor();
  });

  it('charts the recorded hour, and the day, and states its values in words', async () => {
    const page = await stage.open('/console/overview');
    const decisions = page.getByRole('img', {
      name: /^Rate limit decisions\. all: now [\d.]+\/s, at most [\d.]+\/s\. refused: /,
    });
    await decisions.locator('canvas').waitFor();
    await page.getByRole('img', { name: /^Postgres\. used: now \d+ MB/ }).waitFor();
    await page.getByRole('img', { name: 'Lag of identity_principals. lag: now 0 s, at most 7 s.' }).waitFor();
    await decisions.hover();
    await decisions.getByText(/^\d\d:\d\d:\d\d$/).waitFor();
    await page.getByRole('button', { name: 'Last day' }).click();
    await page.waitForURL(/window=day/);
    await decisions.waitFor();
  });

  it('names what did not change in a line, without a chart, and only the views that have something to show', async () => {
    const page = await stage.open('/console/overview');
    await page.getByText(/^(All \d+ views are live|\d+ of \d+ views are live)/).waitFor();
    const quiet = page
      .locator('.quiet', { hasText: /^Unchanged (in the last hour|since the first record at \d\d:\d\d:\d\d)/ })
      .first();
    await quiet.waitFor();
    const unchanged = await quiet.getByRole('listitem').allTextContents();
    for (const text of unchanged) assert.match(text, /^[A-Z][\w -]+ \S+/);
    const charts = await page
      .getByRole('img')
      .evaluateAll((images) => images.map((image) => image.getAttribute('aria-label')));
    assert.ok(charts.every((label) => unchanged.every((text) => !label?.startsWith(text.split(' ')[0] ?? ''))));
    const rows = page.getByRole('table', { name: 'Views that are not live, or were behind' }).getByRole('row');
    await rows.filter({ hasText: 'identity_principals' }).waitFor();
    assert.ok((await rows.count()) < 10);
  });

  it('shows the next steps of a fresh installation, with commands to copy', async () => {
    const page = await stage.open('/console/streams');
    await withoutPeopleAndClients(page);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/console/overview');
    const steps = page.locator('.step');
    await steps.filter({ hasText: 'Register a person' }).getByRole('button', { name: 'Copy the command' }).click();
    await steps.getByText('Copied').waitFor();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.match(copied, new RegExp(`^curl .*${stage.system.url}/v1/people \\\\\n  -H "Authorization: Bearer `));
    assert.deepEqual(await axeViolationsOn(page), []);
  });

  it('is for everybody, and fits on a phone', async () => {
    const page = await stage.open('/console/overview', { width: 390 });
    const content = page.getByRole('img', { name: /^Rate limit decisions/ });
    await content.waitFor();
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 390);
    assert.deepEqual(await axeViolationsOn(page, { content }), []);
  });

  it('shows exact times on hover and on focus, and hides them by Escape', async () => {
    const page = await stage.open('/console/dead-letters');
    const time = page.getByRole('time').or(page.locator('td time')).first();
    await time.focus();
    const tooltip = page.getByRole('tooltip');
    await tooltip.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+/).waitFor();
    await page.keyboard.press('Escape');
    await tooltip.waitFor({ state: 'hidden' });
    await time.hover();
    await tooltip.waitFor();
    assert.match((await time.textContent()) ?? '', /just now|ago$/);
  });
});
