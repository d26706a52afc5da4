/** The whole way of a film through the console: uploaded, watched before its ladder is done, ready, encoded again, replaced, hidden from others, deleted. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { h264, makeFilm, moving, tone } from '../packages/video-media/made-films';
import { useTemporaryDirectory } from '../support/files/temporary-directory';
import { needs } from '../support/runner/prerequisites';
import { eventually } from '../support/waiting/eventually';
import { axeViolationsOn } from './support/axe';
import { setPassword, usePersonPages } from './support/person-pages';

const scopes = ['videos:read', 'videos:write'];

/** Seconds of the film that the page has played. */
const played = (page: Page): Promise<number> =>
  page.locator('video').evaluate((video) => (video as unknown as { readonly currentTime: number }).currentTime);

describe('a film in the console', function () {
  this.timeout(900_000);
  needs('ffmpeg', 'isolation');
  const directory = useTemporaryDirectory('watched-films');
  const { stage, open, enrolled } = usePersonPages();

  const person = async (login: string, displayName: string, look: { readonly expects?: RegExp } = {}) => {
    const { principalId = '', path } = await enrolled(login, { displayName });
    const granted = await (await stage.admin())(`/v1/principals/${principalId}/scopes/grant`, { scopes });
    assert.ok(granted.ok, await granted.text());
    const page = await open(path, look, stage.system.url);
    await setPassword(page);
    await page.getByRole('heading', { level: 1, name: 'Videos' }).waitFor();
    return page;
  };

  /** From the page of the video: by its link, which ends with it, and as a public one. `address`: of the owner's player. */
  const watchWithoutSignIn = async (page: Page, address: string): Promise<void> => {
    const { pathname } = new URL(address);
    const [, videoId = ''] = /videos\/([^/]+)\/watch/.exec(pathname) ?? [];
    const stranger = await open('about:blank', { expects: /40[49]/ }, stage.system.url);
    const refused = stranger.getByRole('heading', { level: 1, name: 'This video is not here for you' });
    const plays = async (): Promise<void> => {
      await stranger.getByRole('heading', { level: 1, name: 'The harbour at dawn' }).waitFor();
      await stranger.getByText('And fog.').waitFor();
      await stranger.getByRole('button', { name: 'Play' }).first().click();
      await eventually(async () => assert.ok((await played(stranger)) > 1));
      assert.deepEqual(await stranger.context().cookies(), []);
    };
    const show = async (label: string): Promise<void> => {
      await page.getByRole('button', { name: label, exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    const linked = async (): Promise<string> => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy the link' }).click();
      return page.evaluate<string>('navigator.clipboard.readText()');
    };
    const shared = `/watch/main/${videoId}`;
    await stranger.goto(shared);
    await refused.waitFor();
    await show('Everyone with the link');
    const link = await linked();
    assert.ok(link.startsWith(`${stage.system.url}${shared}#`), link);
    await stranger.goto(link);
    await plays();
    await show('Only me');
    await stranger.reload();
    await refused.waitFor();
    await show('Everyone, without sign-in');
    assert.equal(await linked(), `${stage.system.url}${shared}`);
    await stranger.goto(shared);
    await plays();
    await show('Everyone with the link');
    await stranger.goto(link);
    await refused.waitFor();
  };

  it('is uploaded, plays, becomes ready, and is seen by its owner alone', async () => {
    const film = makeFilm(join(directory, 'harbour.mp4'), [
      ...[...moving(14, '320x180'), ...tone(14), ...h264(50), '-c:a', 'aac'],
    ]);
    const page = await person('lee.videos@example.org', 'Lee Miller');
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.locator('input[type=file]').setInputFiles(film);
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await uploads.getByRole('link', { name: /harbour/ }).click();
    await page.getByRole('link', { name: 'Watch' }).click({ timeout: 300_000 });
    await page.getByRole('button', { name: 'Play' }).first().click();
    await eventually(async () => assert.ok((await played(page)) > 2));
    const address = page.url();
    await page.goto(address.replace(/\/watch.*$/, ''));
    await page.getByText('Ready', { exact: true }).first().waitFor({ timeout: 300_000 });
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.getByLabel('Codecs').selectOption('av1');
    await page.getByRole('button', { name: 'Encode again' }).click();
    await page.getByText('A new version is made of it; until that is whole, what played before plays on.').waitFor();
    await page.getByText('Ready', { exact: true }).first().waitFor();

    const another = makeFilm(join(directory, 'lighthouse.mp4'), [...moving(9, '640x360'), ...h264(50)]);
    await page.getByLabel('Replace the film').setInputFiles(another);
    await page.getByText('Film replaced').waitFor();
    await page.getByText('640 × 360').waitFor();
    await page.getByRole('heading', { level: 1, name: 'harbour' }).waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    const other = await person('dora.videos@example.org', 'Dora Maar', { expects: /404/ });
    await other.goto(address);
    await other.getByText('There is no such video').first().waitFor();

    await page.getByRole('button', { name: 'Change the title, or add a description' }).click();
    const form = page.getByRole('form', { name: 'Title and description' });
    await form.getByLabel('Title').fill('The harbour at dawn');
    await form.getByLabel('Description').fill('Boats.\nAnd fog.');
    assert.deepEqual(await axeViolationsOn(page), []);
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'The harbour at dawn' }).waitFor();
    await page.getByText('And fog.').waitFor();
    await watchWithoutSignIn(page, address);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog');
    assert.deepEqual(await axeViolationsOn(page, { names: ['in the light'] }), []);
    await dialog.getByRole('button', { name: 'Delete for ever' }).click();
    await page.getByRole('heading', { level: 1, name: 'Videos' }).waitFor();
    await page.getByText('No video yet').waitFor();
  });
});
