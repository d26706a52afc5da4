/** docs/identity.md, done as it is written there: what it says in shell is run by a shell, its application in Node, its person in a browser. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { freePort } from '../../infra/launch/free-port';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { exitOf } from '../support/processes/child-exit';
import { needs } from '../support/runner/prerequisites';
import { useConsole } from './support/fixture';

const page = readFileSync(join(process.cwd(), 'docs', 'identity.md'), 'utf8');
const readme = readFileSync(join(process.cwd(), 'README.md'), 'utf8');
const blocksOf = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block);

const [person = '', client = '', device = '', pipeline = ''] = blocksOf('sh');
const [application = ''] = blocksOf('js');
const field = /^field\(\).*$/m.exec(readme)?.[0] ?? '';

const said = async (child: ChildProcess, wanted: RegExp): Promise<string> => {
  let text = '';
  child.stdout?.setEncoding('utf8');
  for await (const chunk of child.stdout ?? []) {
    text += chunk;
    const found = wanted.exec(text);
    if (found !== null) return found[1] ?? found[0];
  }
  return assert.fail(`it ended before it said ${wanted}`);
};

describe('signing people in, as documented', () => {
  needs('bash', 'curl');
  const stage = useConsole();
  const { path: home, remove } = temporaryDirectory('documented');
  const children: ChildProcess[] = [];
  let port = 0;
  let env: NodeJS.ProcessEnv = {};

  const start = (program: string, script: string): ChildProcess => {
    const child = spawn(program, program === 'bash' ? ['-c', script] : [script], {
      ...{ cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    children.push(child);
    child.stderr.resume();
    return child;
  };
  const shell = (script: string): ChildProcess => start('bash', `set -eo pipefail\n${field}\n${script}`);

  before(async () => {
    if (!('system' in stage)) return;
    symlinkSync(join(process.cwd(), 'node_modules'), join(home, 'node_modules'));
    writeFileSync(join(home, 'app.mjs'), application);
    port = (await freePort()) ?? 0;
    const { clientId, clientSecret } = stage.credential;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const issued = await fetch(`${stage.system.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
    const { access_token: token } = (await issued.json()) as { readonly access_token: string };
    env = { ...process.env, SEPTET: stage.system.url, auth: `Authorization: Bearer ${token}`, PORT: String(port) };
  });

  after(() => {
    for (const child of children) child.kill();
    remove();
  });

  const enrol = async (): Promise<Page> => {
    const link = await said(shell(person), /"enrolmentUrl":"([^"]+)"/);
    const browser = await stage.open(link, { isStranger: true, expects: new RegExp(`elsewhere: .*:${port}/|404`) });
    await browser.getByLabel('New password').fill('tulips lean into the wind');
    await browser.getByRole('button', { name: 'Set the password' }).click();
    await browser.getByRole('heading', { name: 'Where you are signed in' }).waitFor();
    return browser;
  };

  const openApplication = async (): Promise<string> => {
    const registered = shell(
      `${client.replace('127.0.0.1:3000', `127.0.0.1:${port}`)}\necho "$CLIENT_ID $CLIENT_SECRET"`,
    );
    const [CLIENT_ID, CLIENT_SECRET] = (await said(registered, /^(\S+~\S+ \S+)$/m)).split(' ');
    env = { ...env, CLIENT_ID, CLIENT_SECRET };
    return said(start(process.execPath, 'app.mjs'), /open (\S+)/);
  };

  it('leads a person into an application, onto a device, and a pipeline to its token', async () => {
    const [browser, url] = await Promise.all([enrol(), openApplication()]);
    await browser.goto(url);
    await browser.getByRole('button', { name: 'Allow' }).click();
    await browser.getByText('Hello, Ada Lovelace.').waitFor();

    const waiting = shell(device);
    const [address = '', code = ''] = (await said(waiting, /Open (\S+ and type \S+)/)).split(' and type ');
    await browser.goto(address);
    await browser.getByLabel('The code that the device shows').fill(code);
    await browser.getByRole('button', { name: 'Continue' }).click();
    await browser.getByRole('button', { name: 'Allow' }).click();
    await exitOf(waiting);
    assert.match(readFileSync(join(home, 'token.json'), 'utf8'), /"access_token":"[^"]+"/);

    assert.ok(await said(shell(pipeline), /"access_token":"([^"]+)"/));
  });
});
