/** A browser with persistent site storage, and pages in it that edit a document of the running system. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../../support/browser/chromium';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { descendantsOf } from '../../support/processes/launcher';
import { useConsole } from '../support/fixture';
import { setQuota, type Tab, tabOf } from './tab';

export interface Beginning {
  /** Bytes that the site may keep. */
  readonly quota?: number;
  /** Run before the engine is. */
  readonly script?: string;
}

export interface EditorPages {
  readonly createDocument: () => Promise<string>;
  readonly open: (documentId: string, beginning?: Beginning) => Promise<Tab>;
  /** With the session of the console. */
  readonly show: (documentId: string, module: string) => Promise<Page>;
  /** Of a program that edits the document, run to its end. */
  readonly run: (documentId: string, module: string) => string;
  readonly setOnline: (isOnline: boolean) => Promise<void>;
  /** SIGKILL to every process of the browser. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly request: (method: string, path: string, body?: object) => Promise<Response>;
}

const bundle = (): string => {
  const { outputFiles } = buildSync({
    entryPoints: [join(__dirname, 'page.main.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    mainFields: ['module', 'main'],
    target: 'es2022',
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
};

const home = '/editor-engine';
const page = '<!doctype html><html lang="en"><head><title>Editor</title></head><body></body></html>';

interface Caller {
  readonly url: string;
  readonly token: string;
}

const requestAs =
  ({ url, token }: Caller): EditorPages['request'] =>
  (method, path, body) =>
    fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

const tokenOf = async (url: string, credential: { clientId: string; clientSecret: string }): Promise<string> => {
  const form = {
    grant_type: 'client_credentials',
    client_id: credential.clientId,
    client_secret: credential.clientSecret,
  };
  const issued = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  return ((await issued.json()) as { readonly access_token: string }).access_token;
};

/** Every process that has the directory as its profile: what this file has started, and nothing else. */
const processesOf = (directory: string): readonly number[] =>
  descendantsOf(process.pid).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(directory);
    } catch {
      return false;
    }
  });

/** Registers its hooks with the describe that calls it. */
export const useEditorPages = (): EditorPages => {
  const stage = useConsole();
  const { path: profile, remove } = temporaryDirectory('editor-profile');
  let context: BrowserContext | undefined;
  let caller: Caller;
  let script = '';
  before(async () => {
    script = bundle();
    caller = { url: stage.system.url, token: await tokenOf(stage.system.url, stage.credential) };
  });
  const start = async (): Promise<void> => {
    // The page comes from nowhere, which is elsewhere than here.
    const here = '--disable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets';
    const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', here];
    context = await chromium.launchPersistentContext(profile, { executablePath: chromiumPath() as string, args });
    context.setDefaultTimeout(20_000);
    await context.route(`${caller.url}${home}*`, (route) => route.fulfill({ contentType: 'text/html', body: page }));
    await context.addInitScript({ content: script });
  };
  before(start);
  afterEach(async () => {
    await context?.setOffline(false);
    for (const opened of context?.pages() ?? []) await opened.close();
  });
  after(async () => {
    await context?.close();
    remove();
  });
  return {
    request: (method, path, body) => requestAs(caller)(method, path, body),
    createDocument: async () => {
      const made = await requestAs(caller)('POST', '/v1/documents', { title: 'A plan' });
      assert.equal(made.status, 201);
      return ((await made.json()) as { readonly documentId: string }).documentId;
    },
    open: async (documentId, { quota, script: first } = {}) => {
      const opened = (await context?.newPage()) as Page;
      await opened.goto(`${caller.url}${home}`);
      const started = `start(${JSON.stringify({ documentId, userId: 'admin', token: caller.token })})`;
      if (first !== undefined) await opened.evaluate(first);
      if (quota !== undefined) await setQuota(opened, quota);
      await opened.evaluate(started);
      return tabOf(opened, started);
    },
    show: async (documentId, module) => {
      await context?.addCookies(stage.session.cookies);
      const opened = (await context?.newPage()) as Page;
      await opened.goto(`${caller.url}${home}?documentId=${documentId}&userId=admin`);
      await opened.addScriptTag({ type: 'module', content: module });
      return opened;
    },
    run: (documentId, module) => {
      const path = join(profile, 'program.mjs');
      writeFileSync(path, module);
      const given = { SEPTET_URL: caller.url, DOCUMENT_ID: documentId, USER_ID: 'admin', TOKEN: caller.token };
      const env = { ...process.env, ...given };
      return execFileSync(process.execPath, [path], { cwd: profile, env, encoding: 'utf8', timeout: 60_000 });
    },
    setOnline: async (isOnline) => {
      await context?.setOffline(!isOnline);
      for (const opened of context?.pages() ?? []) await opened.evaluate('globalThis.cut?.()');
    },
    kill: async () => {
      for (const pid of processesOf(profile)) process.kill(pid, 'SIGKILL');
      await context?.close().catch(() => undefined);
      context = undefined;
    },
    start,
  };
};
