/** The library of videos: found by title, sorted, shared and public ones, and the channel of one owner. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { axeViolationsOn } from './support/axe';
import { useVideoPages } from './support/video-pages';

const titlesOn = (page: Page): Promise<readonly string[]> =>
  page.getByRole('table', { name: 'Videos' }).locator('tbody th .listed-video a').allTextContents();

describe('the library of videos in the console', function () {
  this.timeout(300_000);
  const { stage, person, recordVideo } = useVideoPages();
  const rowOf = (page: Page, title: string) =>
    page.getByRole('table', { name: 'Videos' }).getByRole('row').filter({ hasText: title });

  it('finds by title, filters by state, sorts, and leads to the channel of an owner', async () => {
    await recordVideo({ title: 'Ölberg at dawn', visibility: 'tenant' });
    await recordVideo({ title: 'Harbour at noon', visibility: 'public' });
    const failure = { stage: 'transcode', code: 'ENCODER_FAILED', detail: 'The encoder ended early.' } as const;
    await recordVideo({ title: 'Broken reel', failure });
    const admin = await stage.open('/console/videos');
    await stage.until(admin, rowOf(admin, 'Broken reel').getByText('The encoder ended early.'));
    await admin.getByRole('columnheader', { name: 'Video' }).getByRole('button').click();
    await admin.waitForURL(/sort=title&direction=asc/);
    await admin.getByRole('columnheader', { name: 'Video' }).and(admin.locator('[aria-sort=ascending]')).waitFor();
    await admin.getByLabel('State').selectOption('failed');
    await rowOf(admin, 'Harbour at noon').waitFor({ state: 'detached' });
    assert.ok((await titlesOn(admin)).includes('Broken reel'));
    await admin.getByLabel('State').selectOption('');
    await admin.getByLabel('Title').fill('olb');
    await rowOf(admin, 'Ölberg at dawn').waitFor();
    await rowOf(admin, 'Broken reel').waitFor({ state: 'detached' });
    assert.deepEqual(await titlesOn(admin), ['Ölberg at dawn']);
    assert.deepEqual(await axeViolationsOn(admin), []);
    await admin.getByLabel('Title').fill('nowhere');
    await admin.getByText('No video has this in its title').waitFor();

    const { page } = await person('lib.videos@example.org', 'Lib Rary', { expects: /status of (?:404|50[03])/ });
    await page.getByText('No video yet').waitFor();
    await page.getByLabel('Show').selectOption('public');
    await rowOf(page, 'Harbour at noon').waitFor();
    assert.equal(await rowOf(page, 'Ölberg').count(), 0);
    await page.getByLabel('Show').selectOption('shared');
    await rowOf(page, 'Ölberg at dawn').waitFor();
    assert.equal(await rowOf(page, 'Broken reel').count(), 0);
    assert.deepEqual(await axeViolationsOn(page), []);
    await rowOf(page, 'Ölberg at dawn').getByRole('link', { name: 'Ölberg at dawn' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ölberg at dawn' }).waitFor();
    await page.locator('.watch-facts').getByRole('link').click();
    await page.waitForURL(/\/console\/videos\/channels\//);
    await rowOf(page, 'Harbour at noon').waitFor();
    await rowOf(page, 'Ölberg at dawn').waitFor();
    assert.equal(await rowOf(page, 'Broken reel').count(), 0);
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.getByLabel('Title').fill('harb');
    await rowOf(page, 'Ölberg at dawn').waitFor({ state: 'detached' });
  });
});
