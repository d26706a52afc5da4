/** Workflows in the console: a repository is created and pushed to, its run watched, a job's log read, a run canceled and retried. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { sized } from '../support/runner/size';
import { axeViolationsOn } from './support/axe';
import { useConsole } from './support/fixture';
import { type Hand, hands } from './support/hands';
import { checkOutFrom, type Push } from './support/workflow-repository';

const build = `name: Build
on: { push: { branches: [main] } }
jobs:
  compile:
    runs-on: ubuntu-latest
    steps:
      - name: Count
        run: for i in 1 2 3; do printf 'line \\033[32m%s\\033[0m\\n' $i; sleep 0.3; done
      - run: echo result > result.txt
      - uses: actions/upload-artifact@v4
        with: { name: result, path: result.txt }
  test:
    needs: compile
    runs-on: ubuntu-latest
    strategy: { matrix: { part: [one, two] } }
    steps:
      - run: echo part \${{ matrix.part }}
`;

const waits = `name: Waits
on: { push: { branches: [waits, waits-too] } }
concurrency: counter
jobs:
  wait:
    runs-on: ubuntu-latest
    steps:
      - run: echo begun && sleep 300
`;

const fails = `name: Fails
on: { push: { branches: [fails] } }
jobs:
  fail:
    runs-on: ubuntu-latest
    steps:
      - name: Check
        run: echo the tests are red && exit \${{ github.run_attempt == 1 && 3 || 0 }}
`;

const deploy = `name: Deploy
on:
  workflow_dispatch:
    inputs:
      where: { type: choice, options: [staging, production], required: true }
      dry: { type: boolean, default: true }
      shards: { type: number, description: How many run at once }
jobs:
  ship:
    runs-on: ubuntu-latest
    steps:
      - run: echo to \${{ inputs.where }} in \${{ inputs.shards }}, dry \${{ inputs.dry }}
`;

describe('workflows in the console', function () {
  this.timeout(180_000);
  const stage = useConsole();
  const home = temporaryDirectory('workflows-in-console');
  after(() => home.remove());

  const heading = (page: Page, name: string): Promise<void> =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const status = (page: Page, text: string): Locator => page.locator('dl.facts').getByText(text, { exact: true });

  const pushTo = async (page: Page, name: string) =>
    checkOutFrom(page, {
      folder: home.path,
      name,
      token: await stage.token(),
      files: {
        '.github/workflows/build.yml': build,
        '.github/workflows/waits.yml': waits,
        '.github/workflows/fails.yml': fails,
        '.github/workflows/deploy.yml': deploy,
      },
    });

  /** From the page of an empty repository, whose form to run a workflow waits for the push. */
  const firstPush = async (page: Page, hand: Hand, name: string): Promise<Push> => {
    await page.getByText(`git remote add septet ${new URL(page.url()).origin}/git/main/${name}.git`).waitFor();
    const runWorkflow = page.getByRole('button', { name: 'Run a workflow' });
    const form = page.getByRole('region', { name: 'Run a workflow' });
    await hand.press(runWorkflow);
    await form.getByText('Push to it first').waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    await form.getByRole('button', { name: 'Cancel' }).press('Escape');
    await form.waitFor({ state: 'detached' });
    await hand.press(runWorkflow);
    await form.getByText('Push to it first').waitFor();
    const push = await pushTo(page, name);
    await push('main');
    await form.getByLabel('Workflow', { exact: true }).waitFor();
    await hand.press(form.getByRole('button', { name: 'Cancel' }));
    return push;
  };

  const used: readonly Hand[] = sized({ short: [hands.keyboard], long: [hands.mouse, hands.keyboard] });
  for (const [index, hand] of used.entries())
    it(`are pushed, watched, canceled and retried, by ${hand.name}`, async () => {
      const name = `shop-${index}-${Date.now().toString(36)}`;
      // An input and an address that do not fit are refused.
      const page = await stage.open('/console/repositories', {
        expects: /\/(?:events|repositories|workflows)$/,
      });
      await heading(page, 'Repositories');
      await hand.press(page.getByRole('button', { name: 'Create a repository' }));
      await hand.type(page.getByLabel('Name', { exact: true }), name);
      await hand.press(page.getByRole('button', { name: 'Create', exact: true }));
      const repository = page.getByRole('link', { name, exact: true });
      await repository.waitFor();
      await hand.press(page.getByRole('button', { name: 'Create a repository' }));
      await hand.type(page.getByLabel('Name', { exact: true }), `${name}-copy`);
      await hand.type(page.getByLabel('Copy of', { exact: true }), 'http://example.org/shop.git');
      await hand.press(page.getByRole('button', { name: 'Create', exact: true }));
      await page.getByText('Must be an https:// address').waitFor();
      if (index === 0) assert.deepEqual(await axeViolationsOn(page), []);
      await hand.type(page.getByLabel('Copy of', { exact: true }), 'https://example.org/shop.git');
      await hand.press(page.getByRole('button', { name: 'Create', exact: true }));
      await page.getByRole('link', { name: `${name}-copy`, exact: true }).waitFor();
      await page.getByText('Copy of https://example.org/shop.git').first().waitFor();
      await hand.press(repository);
      const push = index === 0 ? await firstPush(page, hand, name) : await pushTo(page, name);
      if (index > 0) await push('main');

      const run = page.getByRole('link', { name: 'Build', exact: true });
      await stage.until(page, run);
      await hand.press(run);
      await heading(page, 'Build');
      await status(page, 'success').waitFor({ timeout: 60_000 });
      await page.getByRole('link', { name: 'result', exact: true }).waitFor({ timeout: 20_000 });
      const jobs = page.getByRole('table', { name: 'Jobs' });
      await jobs.getByText('test (two)', { exact: true }).waitFor();
      if (index === 0) assert.deepEqual(await axeViolationsOn(page), []);
      await hand.press(page.getByRole('button', { name: 'Delete result' }));
      await hand.press(page.getByRole('button', { name: 'Delete', exact: true }));
      await page.getByText('No artifacts.').waitFor();

      await hand.press(jobs.getByRole('link', { name: 'compile', exact: true }));
      await heading(page, 'compile');
      await page.locator('.live-state', { hasText: 'The log is complete.' }).waitFor();
      await page.getByText('line 3', { exact: false }).first().waitFor();
      // Steps of an ended attempt come from its view.
      await page.getByRole('table', { name: 'Steps' }).getByText('Count', { exact: true }).waitFor();
      if (index === 0) assert.deepEqual(await axeViolationsOn(page), []);

      const cancel = async (): Promise<void> => {
        await hand.press(page.getByRole('button', { name: 'Cancel the run' }));
        const dialog = page.getByRole('dialog', { name: 'Cancel the run?' });
        await dialog.getByRole('button', { name: 'Keep it running' }).waitFor();
        await hand.press(dialog.getByRole('button', { name: 'Cancel the run' }));
        await status(page, 'canceled').waitFor({ timeout: 60_000 });
      };
      await push('waits');
      await page.goto('/console/repositories');
      await hand.press(repository);
      const waiting = page.getByRole('link', { name: 'Waits', exact: true });
      await stage.until(page, waiting);
      await hand.press(waiting);
      await status(page, 'in progress').waitFor({ timeout: 60_000 });
      const holder = page.url();
      await push('waits-too');
      await page.goto('/console/repositories');
      await hand.press(repository);
      await stage.until(page, waiting.nth(1));
      await hand.press(waiting.first());
      await page.getByText('Another one holds the concurrency group counter.').waitFor();
      await cancel();
      await page.goto(holder);
      await cancel();

      await push('fails');
      await page.goto('/console/repositories');
      await hand.press(repository);
      const failing = page.getByRole('link', { name: 'Fails', exact: true });
      await stage.until(page, failing);
      await hand.press(failing);
      await status(page, 'failure').waitFor({ timeout: 60_000 });
      await page.getByText('“Check”, failed with exit code 3.').waitFor();
      await page
        .getByRole('region', { name: 'The end of the log of fail' })
        .getByText('the tests are red', { exact: true })
        .waitFor();
      if (index === 0) assert.deepEqual(await axeViolationsOn(page), []);
      // The organization's minutes belong to all files, so they are not spent here.
      await page.route(
        /\/actions\/runs\/[^/]+$/,
        async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, json: { ...(await response.json()), reason: 'quota_exceeded' } });
        },
        { times: 1 },
      );
      await page.reload();
      await page.getByText('this month’s minutes on managed runners are used up').waitFor();
      await hand.press(page.getByRole('button', { name: 'Retry failed jobs' }));
      await status(page, 'success').waitFor({ timeout: 60_000 });

      await page.goto('/console/repositories');
      await hand.press(repository);
      await hand.press(page.getByRole('button', { name: 'Run a workflow' }));
      const form = page.getByRole('region', { name: 'Run a workflow' });
      await form.getByText('How many run at once').waitFor();
      assert.equal(await form.locator('datalist option[value=main]').count(), 1);
      await hand.type(form.getByLabel('shards', { exact: true }), 'many');
      const start = form.getByRole('button', { name: 'Start', exact: true });
      await hand.press(start);
      await form.getByText('Must be a number.').waitFor();
      assert.equal(await form.getByLabel('shards', { exact: true }).getAttribute('aria-invalid'), 'true');
      if (index === 0) assert.deepEqual(await axeViolationsOn(page), []);
      await hand.type(form.getByLabel('shards', { exact: true }), '3');
      await hand.press(start);
      await form.waitFor({ state: 'detached' });
      const deployed = page.getByRole('link', { name: 'Deploy', exact: true });
      await stage.until(page, deployed);
      await hand.press(deployed);
      await status(page, 'success').waitFor({ timeout: 60_000 });
      await page.locator('dl.facts').getByText('shards: 3', { exact: true }).waitFor();
      await hand.press(page.getByRole('table', { name: 'Jobs' }).getByRole('link', { name: 'ship', exact: true }));
      await page.locator('.log-text', { hasText: 'to staging in 3, dry true' }).waitFor();
    });

  it('have the runner of the installation in the list of runners', async () => {
    const page = await stage.open('/console/runners');
    const row = page
      .getByRole('table', { name: 'Runners of this installation' })
      .getByRole('row', { name: /^managed/ });
    await row
      .getByText('idle', { exact: true })
      .or(row.getByText('busy', { exact: true }))
      .waitFor();
    assert.equal(await row.getByRole('button').count(), 0);
    assert.deepEqual(await axeViolationsOn(page), []);
  });
});
