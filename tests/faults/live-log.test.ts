/** The page of what is recorded, in a system of its own: it shows everything that is recorded, and a process behind it is killed. */
import assert from 'node:assert/strict';
import { type Browser, chromium, type Page } from 'playwright-core';
import { axeViolationsOn } from '../browser/support/axe';
import { type Look, type Opened, openPage } from '../support/browser/browser-page';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { enterFirstAsPerson, type FirstSignIn } from '../support/identity/first-sign-in';
import { openSystem, type RunningSystem, type System, startSystem } from '../support/processes/running-system';
import { needs } from '../support/runner/prerequisites';
import { elasticsearchForTests, fromRunner, valkeyForTests } from '../support/servers/shared-servers';

describe("the console's live log", () => {
  const home = temporaryDirectory('killed');
  let browser: Browser;
  let running: RunningSystem;
  let system: System;
  let session: FirstSignIn['session'];
  let faults: readonly string[];
  needs('chromium');
  before(async () => {
    const [postgres, valkey, elasticsearch] = await Promise.all([
      fromRunner('postgres'),
      valkeyForTests(),
      elasticsearchForTests(),
    ]);
    running = await startSystem(home.path, {
      postgres,
      valkey: valkey.url,
      elasticsearch: elasticsearch.url,
      isApart: true,
    });
    system = openSystem(running.address);
    browser = await chromium.connect(await fromRunner('browser'));
    session = await enterFirstAsPerson(browser, {
      ...running.address,
      ...running,
      look: async (page) => {
        faults = await axeViolationsOn(page);
      },
    });
  });
  after(async () => {
    await browser.close();
    await system.close();
    await running.stop();
    home.remove();
  });

  const opened: Opened[] = [];
  const open = async (path: string, look: Look = {}): Promise<Page> => {
    const page = await openPage(browser, system.url, { session, ...look });
    opened.push(page);
    await page.page.goto(path);
    return page.page;
  };
  afterEach(async () => {
    const done = opened.splice(0);
    await Promise.all(done.map(({ close }) => close()));
    for (const { errors } of done) assert.deepEqual(errors, []);
  });

  it('is reached from the address and with the code of a first start, by keyboard alone', () =>
    assert.deepEqual(faults, []));

  it('shows what is recorded as it is recorded, holds it back while paused, and misses nothing', async () => {
    const page = await open('/console/live');
    await page.getByText('Live', { exact: true }).waitFor();
    await system.append('sample.stream-main.live', 'sample.FirstSeen.v1', {});
    await page.getByRole('link', { name: 'sample.FirstSeen.v1' }).waitFor();

    await page.getByRole('button', { name: 'Pause' }).click();
    for (const type of ['sample.SecondSeen.v1', 'sample.ThirdSeen.v1'])
      await system.append('sample.stream-main.live', type, {});
    await page.getByText('Paused, 2 events since').waitFor();
    assert.equal(await page.getByRole('link', { name: 'sample.SecondSeen.v1' }).count(), 0);
    await page.getByRole('button', { name: 'Resume' }).click();
    const eventTypes = await page.locator('tbody th .row-name > a').allTextContents();
    assert.deepEqual(eventTypes.slice(0, 3), ['sample.ThirdSeen.v1', 'sample.SecondSeen.v1', 'sample.FirstSeen.v1']);
  });

  it('shows one type only where that is selected', async () => {
    await system.append('sample.stream-main.live', 'sample.Wanted.v1', {});
    const page = await open('/console/live?type=sample.Wanted.v1');
    await page.getByText('Live', { exact: true }).waitFor();
    await system.append('sample.stream-main.live', 'sample.Unwanted.v1', {});
    await system.append('sample.stream-main.live', 'sample.Wanted.v1', {});
    await page.locator('tbody tr').nth(1).waitFor();
    const eventTypes = await page.locator('tbody th .row-name > a').allTextContents();
    assert.deepEqual(eventTypes, ['sample.Wanted.v1', 'sample.Wanted.v1']);
  });

  it('comes back by itself when the query API was killed, and has missed nothing', async () => {
    const page = await open('/console/live', { expects: /Failed to load resource|ERR_/ });
    await page.getByText('Live', { exact: true }).waitFor();
    await system.append('sample.stream-main.live', 'sample.BeforeIt.v1', {});
    await page.getByRole('link', { name: 'sample.BeforeIt.v1' }).waitFor();
    running.kill('read-api');
    await system.append('sample.stream-main.live', 'sample.Meanwhile.v1', {});
    const starting = { timeout: 60_000 };
    await page.getByRole('link', { name: 'sample.Meanwhile.v1' }).waitFor(starting);
    await page.getByText('Live', { exact: true }).waitFor(starting);
  });
});
