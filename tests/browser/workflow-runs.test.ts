/** Runs in the console while they happen: the graph and the log change by themselves, an artifact is downloaded, runners are drained. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { sized } from '../support/runner/size';
import { commitFiles, gitWorks } from '../support/workflow/git-client';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';
import { type Hand, hands } from './support/hands';

const build = `name: Build
on: { push: { branches: [main] } }
jobs:
  compile:
    runs-on: linux
    steps:
      - run: mkdir out && echo the result > out/result.txt
      - uses: actions/upload-artifact@v4
        with: { name: result, path: out/result.txt }
  test:
    needs: compile
    runs-on: linux
    strategy: { matrix: { part: [one, two] } }
    steps:
      - run: echo part \${{ matrix.part }}
`;

const waits = `name: Waits
on: workflow_dispatch
jobs:
  wait:
    runs-on: linux
    steps:
      - run: echo begun && sleep 300
      - if: always()
        run: echo cleaned up
`;

const unique = Date.now().toString(36);

describe('runs in the console', function () {
  this.timeout(120_000);
  const stage = useConsole();
  const home = temporaryDirectory('runs-in-console');
  after(() => home.remove());
  let repoId: string;
  let commitSha: string;
  let post: Awaited<ReturnType<typeof stage.admin>>;

  before(async () => {
    if (!('system' in stage)) return;
    post = await stage.admin();
    const made = await post('/v1/workflow/repositories', { name: `live-${unique}` });
    assert.equal(made.status, 201);
    const { id, clone_url: cloneUrl } = (await made.json()) as { readonly id: string; readonly clone_url: string };
    repoId = id;
    const address = new URL(cloneUrl);
    Object.assign(address, { username: 'ada', password: await stage.token() });
    const checkout = join(home.path, 'live');
    mkdirSync(checkout);
    await gitWorks(checkout, 'init', '--quiet', '--initial-branch=main');
    commitSha = await commitFiles(checkout, {
      '.github/workflows/build.yml': build,
      '.github/workflows/waits.yml': waits,
    });
    await gitWorks(checkout, 'push', '--quiet', address.href, 'main');
  });

  const node = (page: Page, name: string, status: string) =>
    page.locator('.job-node', { hasText: name }).filter({ hasText: status });

  const openRun = async (name: string, { hand, expects }: { hand: Hand; expects?: RegExp }): Promise<Page> => {
    const page = await stage.open(`/console/repositories/${repoId}/runs`, expects === undefined ? {} : { expects });
    const run = page.getByRole('link', { name, exact: true }).first();
    await stage.until(page, run);
    await hand.press(run);
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    return page;
  };

  const used: readonly Hand[] = sized({ short: [hands.keyboard], long: [hands.mouse, hands.keyboard] });
  for (const hand of used) {
    it(`store artifacts that are downloaded, by ${hand.name}`, async () => {
      // The answer leads to the object store, an origin of its own.
      const page = await openRun('Build', { hand, expects: /^elsewhere: / });
      await node(page, 'test', 'success').waitFor();
      const link = page.getByRole('link', { name: 'result', exact: true });
      await stage.until(page, link);
      assert.deepEqual(await axeViolationsOn(page, { content: page.locator('.job-graph') }), []);
      const downloading = page.waitForEvent('download');
      await hand.press(link);
      const download = await downloading;
      assert.equal(download.suggestedFilename(), 'result.tar.gz');
      const parts: Buffer[] = [];
      for await (const part of await download.createReadStream()) parts.push(part as Buffer);
      assert.match(gunzipSync(Buffer.concat(parts)).toString('latin1'), /the result\n/);
    });

    it(`show their log and graph as they change, by ${hand.name}`, async () => {
      const event = { eventType: 'workflow_dispatch', branch: 'main', commitSha, actorId: 'admin' };
      const reported = await post(`/repos/${repoId}/events`, event);
      assert.equal(reported.ok, true, String(reported.status));
      const page = await openRun('Waits', { hand });
      const runId = new URL(page.url()).pathname.split('/').at(-1);
      await node(page, 'wait', 'in progress').waitFor();
      await hand.press(page.locator('.job-node', { hasText: 'wait' }));
      const log = page.getByRole('log');
      await log.getByText('begun', { exact: true }).waitFor();
      await page.locator('.live-state', { hasText: 'Live' }).waitFor();
      assert.equal(await log.getByText('cleaned up', { exact: true }).count(), 0);
      assert.equal((await post(`/actions/runs/${runId}/cancel`, {})).status, 200);
      // Neither page is loaded again.
      await log.getByText('cleaned up', { exact: true }).waitFor();
      await page.locator('.live-state', { hasText: 'canceled' }).waitFor();
      await hand.press(page.getByRole('main').getByRole('link', { name: 'Waits', exact: true }));
      await node(page, 'wait', 'canceled').waitFor();
    });

    it(`are taken by runners that are registered, drained and removed, by ${hand.name}`, async () => {
      const name = `bench-${hand === hands.mouse ? 'm' : 'k'}-${unique}`;
      const page = await stage.open('/console/runners');
      await hand.press(page.getByRole('button', { name: 'Make a registration token' }));
      const token = await page.getByRole('dialog').locator('p.mono').textContent();
      // It is shown once, so none of it may be cut off.
      await page.setViewportSize({ width: 360, height: 800 });
      const isCut = await page.getByRole('dialog').evaluate((dialog) => dialog.scrollWidth > dialog.clientWidth);
      assert.equal(isCut, false);
      await page.setViewportSize({ width: 1_280, height: 800 });
      await hand.press(page.getByRole('dialog').getByRole('button', { name: 'Done' }));
      const runner = { token, name, labels: ['self-hosted', 'bench'], isolation: 'none' };
      const registered = await post('/runner/register', { ...runner, protocol: 'septet.runner.v1' });
      assert.equal(registered.status, 201, await registered.text());
      const row = page.getByRole('row', { name: new RegExp(name) });
      await row.waitFor();
      await hand.press(row.getByRole('button', { name: `Drain ${name}` }));
      await hand.press(page.getByRole('button', { name: 'Drain it', exact: true }));
      await row.getByText('draining', { exact: true }).waitFor();
      assert.deepEqual(
        await axeViolationsOn(page, { content: page.getByRole('button', { name: `Remove ${name}` }) }),
        [],
      );
      await hand.press(row.getByRole('button', { name: `Remove ${name}` }));
      await hand.press(page.getByRole('button', { name: 'Remove it', exact: true }));
      await row.waitFor({ state: 'detached' });
    });
  }
});
