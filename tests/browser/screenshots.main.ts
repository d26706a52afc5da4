/** `npm run screenshots`: every page, empty and with data, at three widths in two themes, to be looked at, and the faults that a program sees. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { readArguments, runTool } from '../../infra/server/runtime/command-line';
import type { Client } from '../../packages/client/src/index';
import { tool } from '../../packages/command-line/src/index';
import { openContext } from '../support/browser/browser-page';
import { chromiumPath, noChromium } from '../support/browser/chromium';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { enterFirst } from '../support/identity/first-sign-in';
import { launch, linkTools } from '../support/processes/launcher';
import { eventually } from '../support/waiting/eventually';
import { consoleAddresses, type PathValues, unknownId, unknownValues } from './support/console-addresses';
import { strong } from './support/person-pages';
import type { PopulatedFiles } from './support/populated-files';
import { populate } from './support/populated-system';
import { type Shot, takeShot } from './support/screenshots';

const firstOf = async <Item>(items: AsyncIterable<Item>): Promise<Item> => {
  for await (const item of items) return item;
  throw new Error('The system has none.');
};

/** The grant of the console appears once the view has it. */
const grantIn = async (septet: Client): Promise<string> => {
  let found = '';
  await eventually(async () => {
    for await (const { grantId } of septet.listGrants.items({})) found = grantId;
    assert.notEqual(found, '', 'no grant is listed yet');
  });
  return found;
};

const valuesOf = async (
  septet: Client,
  { ada, applicationId, documentId, repoId, run, files }: Awaited<ReturnType<typeof populate>>,
): Promise<PathValues> => ({
  ...unknownValues,
  stream: `identity.principal-main.${ada}`,
  principalId: ada,
  applicationId,
  documentId,
  repoId,
  runId: run.runId,
  importId: (await firstOf(septet.listPlaceImports.items({}))).importId,
  grantId: await grantIn(septet),
  fileId: files.leaseId,
  folderId: files.folderId,
  groupId: files.groupId,
});

const filesPath = '/console/files';

const nameOf = (path: string): string => path.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');

const consoleShots = (state: 'empty' | 'full', values: PathValues): readonly Shot[] =>
  consoleAddresses(values).map(({ pattern, path }) => ({ name: `${state}-${nameOf(pattern)}`, path }));

const shot = (path: string, act?: Shot['act']): Shot => ({
  name: `served-${nameOf(path)}`,
  path,
  ...(act === undefined ? {} : { act }),
});

/** Pages that need no session. */
const strangerShots: readonly Shot[] = [
  shot('/sign-in', async (page) => {
    await page.getByLabel('Login').fill('nobody@example.org');
    await page.getByLabel('Password').fill('a wrong one');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').filter({ visible: true }).waitFor();
  }),
  shot('/console/sign-in'),
  shot('/nowhere'),
  shot('/docs'),
  shot('/docs/principals'),
  shot('/problems'),
  shot('/problems/invalid-input'),
];

const authorization = (): string =>
  new URLSearchParams({
    response_type: 'code',
    client_id: 'main~cli',
    redirect_uri: 'http://127.0.0.1:9999/callback',
    scope: 'openid principals:read',
    code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update(randomBytes(8)).digest('base64url'),
  }).toString();

const personShots = (): readonly Shot[] => [
  ...['', '/applications', '/password', '/totp', '/sign-out'].map((path) => shot(`/account${path}`)),
  shot('/device'),
  shot('/consent'),
  { name: 'served-authorize', path: `/oauth/authorize?${authorization()}` },
  shot('/console/nowhere'),
];

const dialogOf =
  (button: string): Shot['act'] =>
  async (page) => {
    await page.getByRole('button', { name: button }).filter({ visible: true }).first().click();
    await page.getByRole('dialog').waitFor();
  };

/** What opens over a page. */
const overlaysOf = (opened: readonly (readonly [string, string, Shot['act']])[]): readonly Shot[] =>
  opened.map(([name, path, act = async () => undefined]) => ({ name: `overlay-${name}`, path, act, extent: 'window' }));

const overlays = ({ principalId }: PathValues): readonly Shot[] =>
  overlaysOf([
    ['palette', '/console/streams', (page) => page.keyboard.press('Control+k')],
    ['shortcuts', '/console/views', (page) => page.keyboard.press('?')],
    ['register', '/console/principals', dialogOf('Register a principal')],
    ['grant', `/console/principals/${principalId}`, dialogOf('Grant access')],
    ['suspend', `/console/principals/${principalId}`, dialogOf('Suspend')],
    ['rebuild', '/console/views', dialogOf('Rebuild')],
  ]);

/** A search, an answer and a page of a PDF have their content from the address. */
const fileShots = async (septet: Client, files: PopulatedFiles): Promise<readonly Shot[]> => {
  const question = 'What is the notice period of the lease?';
  let chunkId = '';
  await eventually(async () => {
    const scope = { fileIds: [files.pdfId] };
    const body = { query: 'square holes', mode: 'keyword', scope } as const;
    const { results } = (await septet.searchFiles({ body })).body;
    chunkId = results[0]?.chunkId ?? '';
    assert.notEqual(chunkId, '', 'the index does not have the file yet');
  });
  const place = new URLSearchParams({ chunk: chunkId, query: 'square holes', mode: 'keyword' }).toString();
  return [
    { name: 'full-console-files-search-results', path: `${filesPath}/search?query=notice+period+of+the+lease` },
    { name: 'full-console-files-search-none', path: `${filesPath}/search?query=xyzzyplugh&mode=keyword` },
    { name: 'full-console-files-ask-answer', path: `${filesPath}/ask?${new URLSearchParams({ question }).toString()}` },
    { name: 'full-console-files-ask-none', path: `${filesPath}/ask?question=What+is+the+boiling+point+of+mercury` },
    { name: 'full-console-files-view-pdf', path: `${filesPath}/${files.pdfId}/view?${place}` },
    { name: 'full-console-files-deletion-steps', path: `${filesPath}/${files.deletedId}/deletion` },
    ...overlaysOf([
      ['files-share', `${filesPath}/${files.leaseId}`, dialogOf('Share')],
      ['files-move', filesPath, dialogOf('Move ')],
      ['files-delete', `${filesPath}/trash`, dialogOf('Delete for ever')],
    ]),
  ];
};

/** The session of a person who chose a password. */
const enrol = async (browser: Browser, enrolmentUrl: string): Promise<BrowserContext> => {
  const { origin, pathname, search } = new URL(enrolmentUrl);
  const context = await openContext(browser, origin);
  const page = await context.newPage();
  await page.goto(pathname + search);
  await page.getByLabel('New password').fill(strong);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.waitForURL(/\/(?:account|console\/(?!session))/);
  await page.goto('/console/overview');
  await page.getByRole('navigation', { name: 'Sections' }).waitFor();
  await page.close();
  return context;
};

interface Options {
  readonly minutes: number;
  /** Where the images go. */
  readonly directory: string;
  /** Only pages with this in their name. */
  readonly only: string;
}

const main = async ({ minutes, directory, only }: Options): Promise<void> => {
  assert.ok(chromiumPath(), noChromium);
  mkdirSync(directory, { recursive: true });
  const { path: data, remove } = temporaryDirectory('screenshots');
  linkTools(data);
  const system = await launch({
    directory: process.cwd(),
    arguments: ['--data', data, '--port', '0'],
    // Vectors without a model that has to be fetched first.
    env: { EMBEDDINGS: 'hashed' },
  });
  const browser = await chromium.launch({ executablePath: chromiumPath() as string, args: ['--no-sandbox'] });
  const { url } = system;
  const take = async (context: BrowserContext, shots: readonly Shot[]): Promise<void> => {
    for (const one of shots.filter(({ name }) => name.includes(only))) {
      const faults = await takeShot(one, { context, directory });
      process.stdout.write([one.name, ...faults.map((fault) => `  ${fault}`), ''].join('\n'));
    }
  };
  try {
    const stranger = await openContext(browser, url);
    await take(stranger, [shot('/sign-in/first')]);
    const { credential, session } = await enterFirst(browser, { url, code: system.code as string });
    await take(await openContext(browser, url, { session }), consoleShots('empty', unknownValues));
    const populated = await populate({ url, credential, folder: data, minutes });
    const { septet, run } = populated;
    const login = { login: 'root@example.org', displayName: 'Grace Murray', roles: ['admin'] } as const;
    const { enrolmentUrl } = (await septet.registerPerson({ body: login })).body;
    const { pathname, search } = new URL(enrolmentUrl);
    await take(stranger, [...strangerShots, { name: 'served-enrol', path: pathname + search }]);
    const person = await enrol(browser, new URL(pathname + search, url).href);
    const values = await valuesOf(septet, populated);
    const job = run.jobs.find(({ status }) => status === 'failure')?.jobId ?? unknownId;
    const queued = (await firstOf(septet.listJobs.items({}))).jobId;
    const shots = consoleShots('full', { ...values, jobId: job });
    const isOfFiles = ({ path }: Shot): boolean => path.startsWith(filesPath);
    // The admin has uploaded the files; other people see shared ones only.
    await take(await openContext(browser, url, { session }), [
      ...shots.filter(isOfFiles),
      ...(await fileShots(septet, populated.files)),
    ]);
    await take(person, [
      ...shots.filter((one) => !isOfFiles(one) && !one.path.startsWith('/console/jobs/')),
      ...consoleShots('full', { ...values, jobId: queued }).filter(({ path }) => path.startsWith('/console/jobs/')),
      ...personShots(),
      ...overlays(values),
    ]);
    await populated.close();
  } finally {
    await browser.close();
    await system.stop();
    remove();
  }
};

export const program = tool({
  name: 'npm run screenshots --',
  about: 'Takes screenshots of every page on a system of its own, and names the faults of their layout.',
  options: {
    directory: {
      type: 'string',
      value: 'DIR',
      default: '.data/screenshots',
      about: 'where the images go; sheets/ has several in one',
    },
    minutes: {
      type: 'string',
      value: 'N',
      default: '3',
      about: 'how long the system works before the pages with data',
    },
    only: { type: 'string', value: 'TEXT', default: '', about: 'only pages with this in their name' },
  },
});

if (require.main === module) {
  const { directory, minutes, only } = readArguments(program).options;
  runTool(() => main({ directory: resolve(directory), minutes: Number(minutes), only }));
}
