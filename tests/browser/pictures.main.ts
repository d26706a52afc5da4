/** `npm run pictures`: takes the pictures of the documents, on a system of its own with a little story in it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { readArguments, runTool } from '../../infra/server/runtime/command-line';
import { tool } from '../../packages/command-line/src/index';
import { h264, makeFilm, tone } from '../packages/video-media/made-films';
import { openPage } from '../support/browser/browser-page';
import { chromiumPath, noChromium } from '../support/browser/chromium';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { enterFirst } from '../support/identity/first-sign-in';
import { launch, linkTools } from '../support/processes/launcher';
import { populate } from './support/populated-system';

const folder = 'docs/pictures';

/** A list that a person typed: one number has a decimal comma, one is missing. */
const harbourList = [
  'id,name,lat,lng',
  'cala,La Cala,38.1189,13.3683',
  'arenella,Porto Arenella,38,1515,13.3795',
  'sferracavallo,Porto di Sferracavallo,38.2003,13.2757',
  'acqua-santa,Acquasanta,,13.3741',
  'mondello,Mondello,38.2046,13.3259',
].join('\n');

/** A film worth a picture. */
const makeStory = (directory: string): string =>
  makeFilm(join(directory, 'Coast of the set.mp4'), [
    ...['-f', 'lavfi', '-i', 'mandelbrot=size=1280x720:rate=25:start_scale=1:end_scale=0.02:end_pts=500'],
    ...[...tone(20), ...h264(50), '-t', '20', '-c:a', 'aac'],
  ]);

interface Options {
  readonly minutes: number;
  /** Names of pictures, with commas between them; empty: all. */
  readonly only: string;
}

const main = async ({ minutes, only }: Options): Promise<void> => {
  assert.ok(chromiumPath(), noChromium);
  const { path: data, remove } = temporaryDirectory('pictures');
  linkTools(data);
  const system = await launch({
    directory: process.cwd(),
    arguments: ['--data', data, '--port', '0'],
    // Vectors without a model that has to be fetched first.
    env: { EMBEDDINGS: 'hashed' },
  });
  const browser = await chromium.launch({ executablePath: chromiumPath() as string, args: ['--no-sandbox'] });
  try {
    const baseUrl = system.url;
    const { credential, session } = await enterFirst(browser, { url: baseUrl, code: system.code as string });
    const { ada, agent, applicationId, documentId, repoId, run, close } = await populate({
      url: baseUrl,
      credential,
      folder: data,
      minutes,
    });

    const take = async (
      name: string,
      path: string,
      {
        look,
        act,
        theme = 'light',
      }: {
        readonly look: (page: Page) => Promise<unknown>;
        readonly act?: (page: Page) => Promise<unknown>;
        readonly theme?: 'light' | 'dark';
      },
    ): Promise<void> => {
      if (only !== '' && !only.split(',').includes(name)) return;
      const { page, close: closePage } = await openPage(browser, baseUrl, { session, theme });
      await page.goto(path);
      await look(page);
      await act?.(page);
      await sleep(500);
      await page.screenshot({ path: join(folder, `${name}.png`) });
      await closePage();
    };
    const heading = (name: string) => (page: Page) => page.getByRole('heading', { level: 1, name }).waitFor();

    await take('overview', '/console/overview', {
      look: async (page) => {
        const samples = page.getByRole('link', { name: 'Postgres', exact: true });
        while (!(await samples.isVisible())) {
          await sleep(2_000);
          await page.reload();
          await page.getByRole('img', { name: /^Rate limit decisions/ }).waitFor();
        }
        await page.getByText('Queued jobs').waitFor();
      },
    });
    await take('principal', `/console/principals/${ada}`, { look: heading('Ada Lovelace') });
    await take('client', `/console/clients/${applicationId}`, { look: heading('Shop') });
    await take('activity', `/console/principals/${agent}/activity`, {
      look: (page) => page.getByText('Its secret was in a public repository.').first().waitFor(),
      act: (page) =>
        page
          .getByRole('row', { name: /PrincipalSuspended/ })
          .getByRole('button')
          .click(),
    });
    await take('event', `/console/streams/${encodeURIComponent(`identity.principal-main.${agent}`)}/0`, {
      look: (page) => page.getByRole('heading', { name: 'Causes and effects' }).waitFor(),
    });
    await take('document', `/console/documents/${documentId}`, {
      look: async (page) => {
        const edits = page.getByRole('table', { name: 'History' }).getByText('Edits');
        while (!(await edits.isVisible())) {
          await sleep(1_000);
          await page.reload();
          await page.getByRole('table', { name: 'Open now' }).waitFor();
        }
      },
    });
    await take('rate-limits', '/console/rate-limits', {
      look: (page) =>
        page
          .getByRole('row', { name: /user-requests/ })
          .first()
          .waitFor(),
      theme: 'dark',
    });
    await take('palette', '/console/streams', {
      look: heading('Streams'),
      act: async (page) => {
        await page.keyboard.press('Control+k');
        await page.keyboard.type('ada');
        await page.getByRole('option', { name: /Ada Lovelace/ }).waitFor();
      },
      theme: 'dark',
    });
    await take('places', '/console/places?near=38.1157,13.3615&radius=25000', {
      look: (page) => page.getByText('20 places so far', { exact: true }).waitFor(),
      act: (page) => page.locator('.map-canvas.has-land').waitFor(),
    });
    await take('import', '/console/place-imports', {
      look: heading('Imports'),
      act: async (page) => {
        await page.getByRole('button', { name: 'Import a file' }).click();
        await page.getByLabel('Source', { exact: true }).fill('harbour-office');
        await page.getByLabel('Category').fill('harbour');
        await page.getByLabel('Columns', { exact: true }).fill('entity_id: id\nname: name\nlat: lat\nlng: lng');
        await page
          .getByLabel('File: JSON lines, CSV or GeoJSON')
          .setInputFiles({ name: 'harbours.csv', mimeType: 'text/csv', buffer: Buffer.from(harbourList) });
        await page.getByRole('button', { name: 'Import', exact: true }).click();
        await heading('harbours.csv')(page);
        await page.getByText('2 lines were refused.').waitFor();
      },
    });
    await take('run', `/console/runs/${run.runId}`, { look: heading('Build') });
    const failed = run.jobs.find(({ status }) => status === 'failure');
    await take('log', `/console/runs/${run.runId}/jobs/${failed?.jobId}`, {
      look: (page) => page.locator('.log-line', { hasText: 'Error: Expected 422' }).waitFor(),
      act: (page) => page.locator('.log-panel').scrollIntoViewIfNeeded(),
      theme: 'dark',
    });
    await take('dispatch', `/console/repositories/${repoId}/runs`, {
      look: heading('Storefront'),
      act: async (page) => {
        await page.getByRole('button', { name: 'Run a workflow' }).click();
        await page.getByLabel('shards').waitFor();
      },
    });
    const question = new URLSearchParams({ question: 'Who has no respect for the status quo?' });
    const cited = async (page: Page): Promise<void> => {
      const citation = page.getByRole('link', { name: /^Citation 1/ });
      while (!(await citation.isVisible())) {
        await sleep(2_000);
        await page.reload();
        await page.getByRole('heading', { level: 2 }).first().waitFor();
      }
    };
    await take('answer', `/console/files/ask?${question.toString()}`, { look: cited });
    await take('citation', `/console/files/ask?${question.toString()}`, {
      look: cited,
      act: async (page) => {
        await page.getByRole('link', { name: /^Citation 1/ }).click();
        await page.locator('.pdf-page.is-drawn .region.word').first().waitFor();
      },
    });
    await take('watch', '/console/videos', {
      look: heading('Videos'),
      act: async (page) => {
        await page.locator('input[type=file]').setInputFiles(makeStory(data));
        await page
          .getByRole('region', { name: 'Uploads' })
          .getByRole('link', { name: /Coast of the set/ })
          .click();
        await page.getByRole('link', { name: 'Watch' }).click({ timeout: 300_000 });
        await page.getByRole('button', { name: 'Play' }).first().click();
        await page.locator('video').evaluate(async (video) => {
          const film = video as unknown as { readonly currentTime: number };
          while (film.currentTime < 9) await new Promise((resolve) => setTimeout(resolve, 100));
        });
        await page.keyboard.press('k');
      },
    });
    await take('files', '/console/files', { look: (page) => page.getByText('Rules of the harbour.md').waitFor() });
    await close();
  } finally {
    await browser.close();
    await system.stop();
    remove();
  }
};

export const program = tool({
  name: 'npm run pictures --',
  about: 'Takes the pictures of the documents again, on a system of its own that works for some minutes.',
  options: {
    minutes: { type: 'string', value: 'N', default: '10', about: 'how long the system works' },
    only: { type: 'string', value: 'NAMES', default: '', about: 'only these pictures, with commas between them' },
  },
});

if (require.main === module) {
  const { minutes, only } = readArguments(program).options;
  runTool(() => main({ minutes: Number(minutes), only }));
}
