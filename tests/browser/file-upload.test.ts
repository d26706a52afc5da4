import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { PutBucketCorsCommand } from '@aws-sdk/client-s3';
import { type Browser, chromium, type Page, type Route } from 'playwright-core';
import { openS3Blobs } from '../../infra/adapters/blobs/s3/s3-blob-store';
import { type LocalStage, startLocal } from '../contracts/blobs/local/fixture';
import { freshPrefix, storedBytes } from '../contracts/blobs/suite/store-calls';
import { needs } from '../support/runner/prerequisites';
import { sized } from '../support/runner/size';
import { rawClient, type S3ForTests, s3ForTests } from '../support/servers/s3-server';
import { fromRunner } from '../support/servers/shared-servers';
import { axeViolationsOn } from './support/axe';
import { openUploadPage, partSize, servePage } from './upload/fixture';

const bytes = randomBytes(2 * partSize + 1_000_003);

const choose = (page: Page, buffer = bytes): Promise<void> =>
  page.getByLabel('Places').setInputFiles({ name: 'places.csv', mimeType: 'text/csv', buffer });

const untilStored = (page: Page): Promise<unknown> =>
  page.waitForFunction(`document.title === 'stored ${bytes.length}'`);

describe('the upload of a file by a page', function () {
  this.timeout(60_000);
  let browser: Browser;
  let stage: LocalStage;
  needs('chromium');
  before(async () => {
    browser = await chromium.connect(await fromRunner('browser'));
    stage = await startLocal();
  });
  after(async () => {
    await browser.close();
    await stage.stop();
  });

  const opened = async (key: string): Promise<{ readonly page: Page; readonly sent: string[] }> => {
    const page = await openUploadPage(browser, { origin: new URL(stage.url).origin, blobs: stage.blobs, key });
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()));
    return { page, sent };
  };

  it('continues after a reload with the parts that the store lacks', async () => {
    const key = `${freshPrefix()}resumed`;
    const { page, sent } = await opened(key);
    const held: Route[] = [];
    await page.route(`${stage.url}/*`, async (route) => {
      if (held.length === 0 && (route.request().postDataBuffer()?.length ?? partSize) < partSize) held.push(route);
      else await route.continue();
    });
    await choose(page);
    await page.getByText('places.csv').waitFor();
    const bar = page.getByRole('progressbar', { name: 'places.csv' });
    await page.waitForFunction(`document.querySelector('progress')?.value >= ${2 * partSize}`);
    assert.equal(await bar.getAttribute('max'), String(bytes.length));
    await page.unroute(`${stage.url}/*`);
    await page.reload();
    await page.getByText('places.csv (11 MB) is not uploaded completely. Choose it again to continue.').waitFor();
    sent.splice(0);
    await choose(page);
    await untilStored(page);
    assert.equal(sent.length, 1);
    assert.ok(bytes.equals(await storedBytes(stage.blobs, key)));
    await page.getByText(/not uploaded completely/).waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('takes an empty file', async () => {
    const { page } = await opened(`${freshPrefix()}empty`);
    await choose(page, Buffer.alloc(0));
    await page.waitForFunction(`document.title === 'stored 0'`);
    await page.context().close();
  });

  if (sized({ short: true, long: false })) return;

  it('tries a part again that failed for now, and shows a refusal, after which it continues', async () => {
    const key = `${freshPrefix()}retried`;
    const { page, sent } = await opened(key);
    let failures = 0;
    let isRefusing = true;
    await page.route(`${stage.url}/*`, async (route) => {
      failures += 1;
      if (failures === 1) return route.abort('connectionreset');
      if (failures === 2) return route.fulfill({ status: 503 });
      return isRefusing && failures > 4 ? route.fulfill({ status: 422 }) : route.continue();
    });
    await choose(page);
    await page
      .getByRole('alert')
      .getByText(/^The store refused part \d \(422\)\.$/)
      .waitFor();
    isRefusing = false;
    sent.splice(0);
    await page.getByRole('button', { name: 'Try again' }).click();
    await untilStored(page);
    assert.ok(sent.length < 3, 'what was stored is not sent again');
    assert.ok(bytes.equals(await storedBytes(stage.blobs, key)));
    await page.context().close();
  });

  it('is stopped by its button, and can be seen by everybody on the way', async () => {
    const { page } = await opened(`${freshPrefix()}stopped`);
    const held: Route[] = [];
    await page.route(`${stage.url}/*`, (route) => void held.push(route));
    await choose(page);
    const stop = page.getByRole('button', { name: 'Stop' });
    assert.deepEqual(await axeViolationsOn(page, { content: stop }), []);
    await stop.click();
    await page.getByText(/is not uploaded completely/).waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText(/is not uploaded completely/).waitFor({ state: 'detached' });
    for (const route of held) await route.abort().catch(() => undefined);
    await page.context().close();
  });

  describe('to a store of another origin', () => {
    let server: S3ForTests;
    needs('bucket');
    before(async () => {
      server = await s3ForTests();
    });
    after(() => server.stop());

    it('needs rules that let the page send and read ETags, and names the missing rules without them', async () => {
      const { origin, close } = await servePage();
      const key = `${freshPrefix()}elsewhere`;
      const blobs = openS3Blobs(server.options);
      const client = rawClient(server.options);
      const rule = {
        AllowedOrigins: [origin],
        AllowedMethods: ['PUT'],
        AllowedHeaders: ['*'],
        ExposeHeaders: ['ETag'],
      };
      await client.send(
        new PutBucketCorsCommand({ Bucket: server.options.bucket, CORSConfiguration: { CORSRules: [rule] } }),
      );
      const page = await openUploadPage(browser, { origin, blobs, key, isServed: true });
      const parts = `${server.options.endpoint}/**`;
      // This store exposes ETag whatever its rules are.
      await page.route(parts, (route) =>
        route.fulfill({ status: 200, headers: { 'Access-Control-Allow-Origin': origin, ETag: '"hidden"' } }),
      );
      await choose(page);
      await page.getByText('The store’s CORS rules do not expose the ETag header.').waitFor();
      await page.unroute(parts);
      await page.getByRole('button', { name: 'Try again' }).click();
      await untilStored(page);
      assert.ok(bytes.equals(await storedBytes(blobs, key)));
      client.destroy();
      close();
      await blobs.close();
      await page.context().close();
    });
  });
});
