/** The code that the console offers after a registration runs as it stands there. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Page } from 'playwright-core';
import { needs } from '../support/runner/prerequisites';
import { useConsole } from './support/fixture';

/** The variables in a shell, and the program in a Node that it starts. */
const run = async (variables: string, program: string, end?: RegExp): Promise<string> => {
  const script = `${variables}\nexec node --input-type=module`;
  const child = spawn('bash', ['-ec', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(program);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (end?.test(output) === true) child.kill();
  });
  await once(child, 'close');
  return output;
};

describe('the code for a client', () => {
  needs('bash');
  const stage = useConsole();

  /** The texts of the result: variables, and the program. */
  const register = async (kind: string, name: string, fill: (page: Page) => Promise<void>) => {
    const page = await stage.open(`/console/clients/new?kind=${kind}`);
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await fill(page);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('heading', { name: 'With openid-client' }).waitFor();
    const texts = await page.locator('pre').allInnerTexts();
    return { variables: texts.length === 1 ? '' : (texts[0] ?? ''), program: texts.at(-1) ?? '' };
  };
  const redirectTo = (uri: string) => (page: Page) => page.getByLabel('Redirect URIs', { exact: true }).fill(uri);

  it('gets a token for a machine', async () => {
    const label = `Deploys ${Date.now().toString(36)}`;
    const made = await (await stage.admin())('/v1/principals', { principalType: 'PIPELINE', label });
    const { principalId } = (await made.json()) as { readonly principalId: string };
    await stage.openWhen(`/console/principals/${principalId}`, (page) => page.getByRole('heading', { name: label }));
    const { variables, program } = await register('machine', `Machine ${label}`, async (page) => {
      await page.getByLabel('Acts as').selectOption({ label: `${label} (Pipeline)` });
      const scopes = page.getByRole('group', { name: 'Scopes' });
      await scopes.getByLabel('Search scopes').fill('principals:read');
      await scopes.getByRole('checkbox', { name: 'principals:read' }).check();
    });
    assert.match(await run(variables, program), /^valid for \d+ seconds\n$/);
  });

  for (const [kind, uri] of [
    ['web', 'http://127.0.0.1:3000/callback'],
    ['spa', 'http://127.0.0.1:3000/'],
    ['native', 'com.example.app:/callback'],
  ] as const)
    it(`leads people to the sign-in page: ${kind}`, async () => {
      const { variables, program } = await register(kind, `Shop ${kind}`, redirectTo(uri));
      const address = new URL((await run(variables, program)).trim());
      assert.equal(address.searchParams.get('redirect_uri'), uri);
      const page = await stage.open('/sign-in', { isStranger: true });
      await page.goto(`${stage.system.url}${address.pathname}${address.search}`);
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    });

  it('shows a code for a device', async () => {
    const { variables, program } = await register('device', 'Television', async () => undefined);
    assert.match(await run(variables, program, /enter \S+/), /^Open \S+\/device and enter [A-Z0-9]{4}-[A-Z0-9]{4}/);
  });
});
