/** Runs docs/identity.md as written: shell blocks in a shell, its application in Node, its person in a browser. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { freePort } from '../../infra/operate/launch/free-port';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { exitOf } from '../support/processes/child-exit';
import { needs } from '../support/runner/prerequisites';
import { useConsole } from './support/fixture';

const page = readFileSync(join(process.cwd(), 'docs', 'identity.md'), 'utf8');
const readme = readFileSync(join(process.cwd(), 'README.md'), 'utf8');
const blocksOf = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block);

const [person = '', client = '', ownApi = '', device = '', pipeline = ''] = blocksOf('sh');
const [application = '', api = ''] = blocksOf('js');
const field = /^field\(\).*$/m.exec(readme)?.[0] ?? '';

const waitForOutput = async (child: ChildProcess, wanted: RegExp): Promise<string> => {
  let text = '';
  child.stdout?.setEncoding('utf8');
  for await (const chunk of child.stdout ?? []) {
    text += chunk;
    const found = wanted.exec(text);
    if (found !== null) return found[1] ?? found[0];
  }
  return assert.fail(`it ended before it printed ${wanted}`);
};

describe('signing people in, as documented', () => {
  needs('bash', 'curl');
  const stage = useConsole();
  const { path: home, remove } = temporaryDirectory('documented');
  const children: ChildProcess[] = [];
  let port = 0;
  let apiPort = 0;
  /** Of the API, which a shell leaves behind. */
  let apiProcess = 0;
  let env: NodeJS.ProcessEnv = {};
  let running: ChildProcess | undefined;

  const start = (program: string, script: string): ChildProcess => {
    const child = spawn(program, program === 'bash' ? ['-c', script] : [script], {
      cwd: home,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    child.stderr.resume();
    return child;
  };
  const shell = (script: string): ChildProcess => start('bash', `set -eo pipefail\n${field}\n${script}`);

  before(async () => {
    if (!('system' in stage)) return;
    const [ours, theirs] = [
      join(home, 'node_modules', '@septet', 'resource-server'),
      join(process.cwd(), 'node_modules'),
    ];
    mkdirSync(ours, { recursive: true });
    symlinkSync(join(theirs, 'openid-client'), join(home, 'node_modules', 'openid-client'));
    // From its sources, so that nothing has to be built.
    writeFileSync(join(ours, 'package.json'), JSON.stringify({ type: 'module', exports: './index.ts' }));
    const source = join(process.cwd(), 'packages', 'resource-server', 'src', 'index.ts');
    writeFileSync(join(ours, 'index.ts'), `export * from ${JSON.stringify(source)};`);
    writeFileSync(join(home, 'app.mjs'), application);
    writeFileSync(join(home, 'api.mjs'), api);
    apiPort = (await freePort()) ?? 0;
    port = (await freePort()) ?? 0;
    const { clientId, clientSecret } = stage.credential;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const issued = await fetch(`${stage.system.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
    const { access_token: token } = (await issued.json()) as { readonly access_token: string };
    env = { ...process.env, SEPTET: stage.system.url, auth: `Authorization: Bearer ${token}`, PORT: String(port) };
  });

  after(() => {
    for (const child of children) child.kill();
    if (apiProcess > 0) process.kill(apiProcess);
    remove();
  });

  const enrol = async (): Promise<Page> => {
    const link = await waitForOutput(shell(person), /"enrolmentUrl":"([^"]+)"/);
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
    const [CLIENT_ID, CLIENT_SECRET] = (await waitForOutput(registered, /^(\S+~\S+ \S+)$/m)).split(' ');
    env = { ...env, CLIENT_ID, CLIENT_SECRET, APPLICATION: CLIENT_ID?.split('~')[1] };
    return restartApplication();
  };

  const restartApplication = async (more: NodeJS.ProcessEnv = {}): Promise<string> => {
    env = { ...env, ...more };
    running?.kill();
    if (running !== undefined) await exitOf(running);
    running = start(process.execPath, 'app.mjs');
    return waitForOutput(running, /open (\S+)/);
  };

  /** Answers what the last command prints. */
  const openApi = async (): Promise<string> => {
    const loader = pathToFileURL(require.resolve('tsx')).href;
    const script = ownApi
      .replace('node api.mjs', `API_PORT=${apiPort} NODE_OPTIONS="--import ${loader}" node api.mjs`)
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
      .replaceAll('127.0.0.1:4000', `127.0.0.1:${apiPort}`);
    const [, status = '', id = ''] =
      /(\d{3})\npid (\d+)/.exec(await waitForOutput(shell(`${script}\necho "pid $!"`), /\d{3}\npid \d+/)) ?? [];
    apiProcess = Number(id);
    return status;
  };

  it('leads a person into an application and to an API, onto a device, and a pipeline to its token', async () => {
    const [browser, url] = await Promise.all([enrol(), openApplication()]);
    await browser.goto(url);
    await browser.getByRole('button', { name: 'Allow' }).click();
    await browser.getByText('Hello, Ada Lovelace.').waitFor();

    assert.equal(await openApi(), '401');
    const calling = { RESOURCE: 'orders', API: `http://127.0.0.1:${apiPort}/` };
    await browser.goto(await restartApplication(calling));
    await browser.getByText('It may do this at orders.').waitFor();
    await browser.getByRole('button', { name: 'Allow' }).click();
    await browser.getByText(/Hello, Ada Lovelace\. 200: the orders of /).waitFor();
    await browser.goto(await restartApplication({ SCOPE: 'openid email' }));
    await browser.getByRole('button', { name: 'Allow' }).click();
    await browser.getByText(/403: .*The token lacks the scope profile/).waitFor();

    const waiting = shell(device);
    const [address = '', code = ''] = (await waitForOutput(waiting, /Open (\S+ and type \S+)/)).split(' and type ');
    await browser.goto(address);
    await browser.getByLabel('The code that the device shows').fill(code);
    await browser.getByRole('button', { name: 'Continue' }).click();
    await browser.getByRole('button', { name: 'Allow' }).click();
    await exitOf(waiting);
    assert.match(readFileSync(join(home, 'token.json'), 'utf8'), /"access_token":"[^"]+"/);

    assert.ok(await waitForOutput(shell(pipeline), /"access_token":"([^"]+)"/));
  });
});
