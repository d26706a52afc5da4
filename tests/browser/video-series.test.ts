/** Series of videos: made, ordered and renamed by keyboard and pointer; the next episode is named on the watch page. */
import assert from 'node:assert/strict';
import { axeViolationsOn } from './support/axe';
import { useVideoPages } from './support/video-pages';

describe('series of videos in the console', function () {
  this.timeout(300_000);
  const { stage, recordVideo } = useVideoPages();

  it('are made, ordered and renamed, and lead from one episode to the next', async () => {
    const first = await recordVideo({ title: 'Episode of spring' });
    await recordVideo({ title: 'Episode of autumn' });
    const page = await stage.open('/console/videos/series', { expects: /status of (?:40[49]|50[03])|video/i });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Create a series' }).click();
    await dialog.getByLabel('Title').fill('Sesaons');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Sesaons' }).click();
    await page.getByRole('button', { name: 'Rename' }).click();
    await dialog.getByLabel('Title').fill('Seasons');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { level: 1, name: 'Seasons' }).waitFor();
    const episodes = page.getByRole('region', { name: 'Episodes' });
    for (const [title, order] of [
      ['Episode of autumn', '1. Episode of autumn'],
      ['Episode of spring', '2. Episode of spring'],
    ] as const) {
      await episodes.getByLabel('Video').selectOption({ label: title });
      await episodes.getByRole('button', { name: 'Add as the last' }).click();
      await episodes.getByRole('rowheader').filter({ hasText: order }).waitFor();
    }
    await episodes.getByRole('button', { name: 'Up Episode of spring' }).focus();
    await page.keyboard.press('Enter');
    await episodes.getByRole('rowheader').filter({ hasText: '1. Episode of spring' }).waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.goto(`/console/videos/${first}/watch`);
    await page.getByRole('region', { name: 'Next episode' }).getByRole('link', { name: 'Episode of autumn' }).waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.goto('/console/videos/series');
    await page.getByRole('link', { name: 'Seasons' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No series yet').waitFor();
  });
});
