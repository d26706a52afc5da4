/** Captions and the poster on the page of a video: added, refused with the line, recognized on request, chosen from the film. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type Look, type Opened, openPage } from '../support/browser/browser-page';
import { useTemporaryDirectory } from '../support/files/temporary-directory';
import { needs } from '../support/runner/prerequisites';
import { fromRunner } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';
import { axeViolationsOn } from './support/axe';
import { packageFilm } from './video/packaged-film';
import { serveWatching, videoId } from './video/watch-server';

const path = `/console/videos/${videoId}`;

describe('captions and the poster of a video', function () {
  this.timeout(240_000);
  needs('chromium', 'ffmpeg');
  const directory = useTemporaryDirectory('sidecar-film');
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serveWatching>>;
  const opened: Opened[] = [];
  before(async () => {
    server = await serveWatching(directory, await packageFilm(directory));
    browser = await chromium.connect(await fromRunner('browser'));
  });
  after(async () => {
    await browser.close();
    server.close();
  });
  beforeEach(() => server.reset());
  afterEach(async () => {
    const done = opened.splice(0);
    await Promise.all(done.map(({ close }) => close()));
    for (const { errors } of done) assert.deepEqual(errors, []);
  });

  const open = async (look: Look = {}): Promise<Page> => {
    const one = await openPage(browser, server.origin, look);
    opened.push(one);
    await one.page.goto(path);
    await one.page.getByRole('heading', { name: 'Captions' }).waitFor();
    return one.page;
  };
  const sent = () => server.stage.sidecars;
  const screenshots = process.env.SCREENSHOTS;
  const picture = async (page: Page, name: string): Promise<void> => {
    if (screenshots !== undefined) await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
  };

  it('adds a file of captions, in whichever encoding it is, and says which line is wrong', async () => {
    const page = await open({ expects: /400/ });
    const captions = page.getByRole('region', { name: 'Captions' });
    await captions.getByText('from the film').waitFor();
    await captions.getByText('Add captions', { exact: true }).first().click();
    const file = join(directory, 'old.srt');
    writeFileSync(file, Buffer.from('1\n00:00:01,000 --> 00:00:02,000\ncaf\u00e9\n', 'latin1'));
    await captions.getByLabel('File').setInputFiles(file);
    await captions.getByLabel('Language').fill('fr');
    server.stage.captionsRefusal = {
      ...{ type: 'about:blank', title: 'The captions are neither SRT nor WebVTT', status: 400 },
      ...{ code: 'captions-invalid', detail: 'Line 3: The cue does not end after it begins.' },
      errors: [{ pointer: '/body/content', expected: 'SRT or WebVTT; the fault is in line 3' }],
    };
    const add = captions.getByRole('button', { name: 'Add captions' });
    await add.click();
    await captions.getByText('Line 3: The cue does not end after it begins.').waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await picture(page, 'captions-refused');
    server.stage.captionsRefusal = undefined;
    await add.click();
    await page.getByText('Players show the captions from now on.').waitFor();
    assert.deepEqual(sent().at(-1), {
      ...{ method: 'PUT', path: 'captions/fr' },
      body: { content: '1\n00:00:01,000 --> 00:00:02,000\ncafé\n' },
    });
  });

  it('removes captions once that is confirmed', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Remove Deutsch' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The captions were removed.').waitFor();
    assert.deepEqual(sent(), [{ method: 'DELETE', path: 'captions/de', body: null }]);
  });

  it('has English speech recognized, and marks what comes of it', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Recognize English speech' }).click();
    await page.getByText('Speech is being recognized').waitFor();
    server.stage.recognition = { state: 'done', reason: null };
    await page.getByRole('region', { name: 'Captions' }).getByText('recognized', { exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Recognize English speech' }).count(), 0);
  });

  it('takes the picture of the film that is shown, by keys alone', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Choose a picture of the film' }).press('Enter');
    const dialog = page.getByRole('dialog');
    const use = dialog.getByRole('button', { name: 'Use this picture' });
    await eventually(async () => assert.equal(await use.isDisabled(), false));
    const slider = dialog.getByRole('slider');
    for (let press = 0; press < 3; press += 1) await slider.press('ArrowRight');
    assert.deepEqual(await axeViolationsOn(page), []);
    await picture(page, 'poster-choice');
    await use.press('Enter');
    await page.getByText('Another one is being made.').waitFor();
    const [choice] = sent();
    const { positionSeconds } = (choice ?? assert.fail('nothing was sent')).body as { positionSeconds: number };
    assert.ok(positionSeconds > 0, String(positionSeconds));
    server.stage.poster = { origin: 'frame', positionSeconds };
    await page.getByText('The picture of the film at').waitFor();
    await page.getByRole('button', { name: 'Use the one that was found' }).click();
    await eventually(async () => assert.deepEqual(sent().at(-1), { method: 'DELETE', path: 'poster', body: null }));
  });

  it('takes a picture of this device, smaller where it is too large', async () => {
    const page = await open({ width: 390 });
    const large = join(directory, 'large.bmp');
    writeFileSync(large, bitmap(1_600, 900));
    await page.getByRole('button', { name: 'Upload a picture' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Picture').setInputFiles(large);
    await picture(page, 'poster-upload-phone');
    await dialog.getByRole('button', { name: 'Upload' }).click();
    await page.getByText('Another one is being made.').waitFor();
    const { picture: text } = (sent()[0] ?? assert.fail('nothing was sent')).body as { picture: string };
    const bytes = Buffer.from(text, 'base64');
    assert.ok(bytes.length < 750_000);
    assert.equal(bytes.readUInt16BE(0), 0xffd8);
    server.stage.poster = { request: 'refused', reason: 'The picture cannot be read: save it again, and upload that.' };
    await page.getByText('The picture cannot be read').waitFor();
    await picture(page, 'sidecars-phone');
  });

  it('is accessible in both themes', async () => {
    const page = await open();
    await page.getByRole('img', { name: 'Poster of A day at sea' }).waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await picture(page, 'sidecars');
  });
});

/** Of one color, without compression. */
const bitmap = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(54);
  header.write('BM', 'latin1');
  header.writeUInt32LE(54 + width * height * 3, 2);
  header.writeUInt32LE(54, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(width, 18);
  header.writeInt32LE(height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  return Buffer.concat([header, Buffer.alloc(width * height * 3, 90)]);
};
