/** Moderation of videos: a viewer's report is dismissed or upheld, recordings are blocked, and a match is overridden. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { axeViolationsOn } from './support/axe';
import { useVideoPages } from './support/video-pages';

describe('moderation of videos in the console', function () {
  this.timeout(300_000);
  const { stage, person, recordVideo, send } = useVideoPages();
  const dialogOf = (page: Page) => page.getByRole('dialog');
  const rowOf = (page: Page, table: string, text: string) =>
    page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text });

  it('hears reports, and tells the reporter what became of them', async () => {
    const film = await recordVideo({ title: 'Stolen film', visibility: 'tenant' });
    const { page } = await person('rep.videos@example.org', 'Rep Orter', {
      expects: /status of (?:40[49]|50[03])|net::ERR|MediaError|video/i,
    });
    const watch = `${stage.system.url}/console/videos/${film}/watch`;
    const report = async (reason: string, text: string): Promise<void> => {
      await page.goto(watch);
      await page.getByRole('button', { name: 'Report', exact: true }).click();
      await dialogOf(page).getByLabel('Reason').selectOption({ label: reason });
      await dialogOf(page).getByLabel('What is wrong (optional)').fill(text);
    };
    await report('It is the work of someone else', 'The whole film is mine.');
    assert.deepEqual(await axeViolationsOn(page, { names: ['on a phone', 'in the dark', 'in the light'] }), []);
    await dialogOf(page).getByRole('button', { name: 'Report', exact: true }).click();
    await page.getByText('You reported it.').waitFor();

    const admin = await stage.openWhen('/console/videos/reports', (opened) =>
      rowOf(opened, 'Reports of videos', 'Stolen film'),
    );
    const row = rowOf(admin, 'Reports of videos', 'Stolen film');
    await row.getByText('The whole film is mine.').waitFor();
    await row.getByText('Rep Orter').filter({ visible: true }).first().waitFor();
    assert.deepEqual(await axeViolationsOn(admin), []);
    await row.getByRole('button', { name: /^Dismiss/ }).click();
    await dialogOf(admin).getByLabel('Reason').fill('It is licensed.');
    await dialogOf(admin).getByRole('button', { name: 'Dismiss', exact: true }).click();
    await row.waitFor({ state: 'detached' });
    await page.goto(`${stage.system.url}/console/videos/reports/own`);
    await stage.until(page, rowOf(page, 'Your reports', 'Stolen film').getByText('The video stays: It is licensed.'));

    await report('Something else', 'I am in it.');
    await dialogOf(page).getByRole('button', { name: 'Report', exact: true }).click();
    await page.getByText('You reported it.').waitFor();
    await stage.until(admin, row);
    await row.getByRole('button', { name: /^Take down/ }).click();
    await dialogOf(admin).getByLabel('Reason').fill('They asked for it.');
    await dialogOf(admin).getByRole('button', { name: 'Take down', exact: true }).click();
    await dialogOf(admin).getByRole('alert').waitFor();
    assert.deepEqual(await axeViolationsOn(admin, { names: ['on a phone', 'in the dark', 'in the light'] }), []);
    await dialogOf(admin).getByRole('button', { name: 'Yes, take down' }).click();
    await dialogOf(admin).waitFor({ state: 'detached' });
    await page.goto(watch);
    await page.getByText('There is no such video').first().waitFor();
    await page.goto(`${stage.system.url}/console/videos/reports/own`);
    await stage.until(page, page.getByText('The video was taken down: They asked for it.'));
    assert.deepEqual(await axeViolationsOn(page), []);
  });

  it('overrides a match with a reason, and unblocks recordings', async () => {
    const failure = {
      stage: 'fingerprint',
      code: 'COPYRIGHT_MATCH',
      detail: 'The sound is that of a protected work. An administrator can override the match.',
    } as const;
    const blocked = await recordVideo({ title: 'Blocked film', failure });
    await stage.system.record('video.blocklist-main.recordings', 'video.RecordingBlocked.v1', {
      ...{ recordingId: 'rec-1', name: 'Harvest Song', videoId: blocked, fingerprintSha256: 'a'.repeat(64) },
      blockedBy: 'admin',
    });
    const admin = await stage.openWhen(`/console/videos/${blocked}`, (page) =>
      page.getByRole('button', { name: 'Override the match' }),
    );
    assert.deepEqual(await axeViolationsOn(admin), []);
    await admin.getByRole('button', { name: 'Override the match' }).click();
    await dialogOf(admin).getByLabel('Reason').fill('The owner has a licence.');
    await dialogOf(admin).getByRole('button', { name: 'Override', exact: true }).click();
    await admin.getByText('overridden: The owner has a licence.').waitFor();
    await admin.getByRole('region', { name: 'Processing' }).getByText('It can be played already.').waitFor();

    await admin.goto(`${stage.system.url}/console/videos/blocked-recordings`);
    const recording = rowOf(admin, 'Blocked recordings', 'Harvest Song');
    await recording.waitFor();
    assert.deepEqual(await axeViolationsOn(admin), []);
    await recording.getByRole('button', { name: /^Unblock/ }).click();
    await dialogOf(admin).getByRole('button', { name: 'Unblock', exact: true }).click();
    await admin.getByText('No recording is blocked').waitFor();
    assert.equal((await send('GET', '/api/blocked-recordings')).status, 200);
  });
});
