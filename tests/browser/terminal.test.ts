/** From the first page of the console to a request in a terminal, as the README's reader does. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { codeBlocksOf } from '../support/documents/code-blocks';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { needs } from '../support/runner/prerequisites';
import { axeViolationsOn } from './support/axe';
import { setPassword, usePersonPages } from './support/person-pages';

describe('the API from a terminal', () => {
  needs('bash', 'curl');
  const { stage, open, enrolment } = usePersonPages();
  const { path: home, remove } = temporaryDirectory('terminal');
  after(remove);

  it('is a credential and a command to paste, after the first sign-in', async () => {
    const page = await open(await enrolment('terminal@example.org', { roles: ['admin'] }), {}, stage.system.url);
    await setPassword(page);
    await page.goto('/console/terminal');
    await page.getByRole('heading', { level: 1, name: 'Use the API from a terminal' }).waitFor();
    await page.getByText('choose fewer').click();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('0 scopes: choose fewer').waitFor();
    await page.getByRole('button', { name: 'Select all' }).click();
    assert.deepEqual(await axeViolationsOn(page), []);
    await page.getByRole('button', { name: 'Create a credential' }).click();
    await page.getByRole('heading', { name: 'Save it' }).waitFor();
    await page.locator('h2:focus', { hasText: 'The credential was created' }).waitFor();
    await page.getByText(/^Terminal of Ada Lovelace, \d{1,2} \w{3}/).waitFor();
    assert.deepEqual(await axeViolationsOn(page), []);
    const [save = '', attempt = ''] = await page.locator('pre').allTextContents();

    const run = (script: string): string =>
      execFileSync('bash', ['-c', `set -eo pipefail\n${script}`], { cwd: home, encoding: 'utf8' });
    assert.match(run(`${save}\n${attempt}`), /"items":\[/);
    assert.equal(statSync(join(home, 'admin.json')).mode & 0o777, 0o600);
    // The README goes on with the same file.
    const token = codeBlocksOf('README.md').find(({ text }) => text.includes('TOKEN='))?.text ?? '';
    assert.match(
      run(`${save}\n${token}\ncurl -sS --fail-with-body "$SEPTET/v1/principals?limit=1" -H "$auth"`),
      /"items":\[/,
    );
  });
});
