/** One sign-in of a person at a program with a third-party library, through the gateway, page by page. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { openScriptlessBrowser, type Page, type ScriptlessBrowser } from '../../support/identity/scriptless-browser';
import type { Person, Tenant } from '../../support/identity/tenant';
import type { Library, Settings } from './libraries';

export interface StartedProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly directory: string;
}

/** What the program reports: the subject that each source names, and whether the library renewed its tokens. */
export interface Reported {
  readonly idToken?: string;
  readonly userinfo?: string;
  readonly refreshed?: boolean;
}

export type Outcome = { readonly reported: Reported } | { readonly failure: string };

const portOf = async (child: ChildProcess): Promise<number> => {
  assert.ok(child.stdout);
  const lines = createInterface(child.stdout);
  const ended = once(child, 'exit').then(([code]) => assert.fail(`the program ended with ${code}`));
  const listening = (async () => {
    for await (const line of lines) {
      const [, port] = /^listening (\d+)$/.exec(line) ?? [];
      if (port !== undefined) return Number(port);
    }
    return ended;
  })();
  return Promise.race([listening, ended]);
};

/** What a person reads there, in one line. */
const failureOn = ({ text }: Page): string => {
  const content = /<main[^>]*>([\s\S]*?)<\/main>/.exec(text)?.[1] ?? text;
  return content
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
};

/** Without what differs from run to run. */
const stable = (message: string): string =>
  message
    .replaceAll(/https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?/g, '')
    .replaceAll(/tenant-[0-9a-f]{12}/g, 'tenant')
    .replaceAll('|', '\\|')
    .slice(0, 160);

const jsonOn = (page: Page): { readonly error?: string } & Reported => {
  try {
    return JSON.parse(page.text) as Reported;
  } catch {
    return { error: failureOn(page) };
  }
};

/** By a redirect, or as the button of Auth.js does. */
const begin = async (application: ScriptlessBrowser, { authJs, login = '/login' }: Library) => {
  if (authJs === undefined) return application.go(login);
  const page = await application.go(`${authJs}/csrf`);
  assert.ok('text' in page);
  const { csrfToken } = JSON.parse(page.text) as { readonly csrfToken: string };
  return application.go(`${authJs}/signin/septet`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ csrfToken, callbackUrl: '/result' }).toString(),
  });
};

/** Through the provider's pages, back to the application. */
const throughProvider = async (person: Person, target: URL) => {
  const step = await person.browser.go(target);
  if (!('text' in step)) return step;
  const isConsent = step.status === 200 && step.text.includes('name="decision"');
  return isConsent ? person.browser.press(step, { decision: 'allow' }) : step;
};

const signInAt = async (home: string, person: Person, library: Library): Promise<Outcome> => {
  const application = openScriptlessBrowser(home, fetch);
  const away = await begin(application, library);
  if (!('left' in away)) return { failure: stable(jsonOn(away).error ?? failureOn(away)) };
  const back = await throughProvider(person, away.left);
  if (!('left' in back)) return { failure: stable(failureOn(back)) };
  const arrived = await application.go(back.left);
  assert.ok('text' in arrived, 'the application leads elsewhere');
  const { error, ...reported } = jsonOn(arrived);
  return arrived.status === 200 && error === undefined ? { reported } : { failure: stable(error ?? arrived.text) };
};

export interface SignIn {
  readonly tenant: Tenant;
  readonly person: Person;
  readonly issuer: string;
}

/** Starts the program, uses it at its address, and ends it. */
export const withProgram = async <Result>(
  { command, args, env, directory }: StartedProgram,
  given: object,
  use: (home: string) => Promise<Result>,
): Promise<Result> => {
  const child = spawn(command, [...args], {
    cwd: directory,
    env: { ...process.env, ...env, APPLICATION: JSON.stringify(given) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    return await use(`http://127.0.0.1:${await portOf(child)}`);
  } finally {
    const ended = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill();
    await ended;
  }
};

/** Registers a client, and signs in at the program with it. */
export const signInWith = async (
  { tenant, person, issuer }: SignIn,
  library: Library,
  { settings, program }: { readonly settings: Settings; readonly program: StartedProgram },
): Promise<Outcome> => {
  const registration = {
    name: library.name,
    firstParty: false,
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    redirectUris: [`http://127.0.0.1${library.callback}`],
    ...settings.registration,
  };
  const credential = await tenant.registerConfidential('client_secret_basic', registration);
  const given = { ...credential, issuer, settings: settings.program ?? {} };
  return withProgram(program, given, (home) => signInAt(home, person, library));
};
