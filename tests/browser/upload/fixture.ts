/** A page with the console's upload component, whose service is a blob store of the test. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { BlobStore } from '../../../infra/ports/blob-store';
import { expectSuccess } from '../../contracts/blobs/suite/store-calls';

const bundle = () => {
  const { outputFiles } = buildSync({
    entryPoints: [join(__dirname, 'upload.page.tsx')],
    bundle: true,
    write: false,
    outdir: 'out',
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.woff2': 'empty' },
    logLevel: 'error',
  });
  const text = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { script: text('.js'), style: text('.css') };
};

export const partSize = 5 * 1_024 * 1_024;

const html = `<!doctype html><html lang="en"><head><title>Import</title><meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width, initial-scale=1"></head><body><div id="root"></div></body></html>`;

/** Serves the page itself: Chromium lets a page that a test filled in reach no other local server. */
export const servePage = async (): Promise<{ readonly origin: string; readonly close: () => void }> => {
  const server = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close().closeAllConnections() };
};

interface UploadPageOptions {
  readonly origin: string;
  readonly blobs: BlobStore;
  readonly key: string;
  /** By `servePage`; otherwise the browser fills it in. */
  readonly isServed?: boolean;
}

/** Opens the page at an origin. The service continues the pending upload of the key, if there is one. */
export const openUploadPage = async (
  browser: Browser,
  { origin, blobs, key, isServed = false }: UploadPageOptions,
): Promise<Page> => {
  const { script, style } = bundle();
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  if (!isServed)
    await page.route(`${origin}/upload`, (route) => route.fulfill({ contentType: 'text/html', body: html }));
  let uploadId = '';
  await page.exposeFunction('begin', async (_name: string, _size: number, type: string) => {
    const [pending] = expectSuccess(await blobs.uploads(key));
    const upload = pending ?? expectSuccess(await blobs.beginUpload({ key, contentType: type }));
    uploadId = upload.uploadId;
    return { partSize, stored: expectSuccess(await blobs.parts({ key, uploadId })).parts };
  });
  await page.exposeFunction('sign', async ({ part, size, sha256 }: { part: number; size: number; sha256: string }) =>
    expectSuccess(await blobs.signPart({ upload: { key, uploadId }, part, size, sha256, seconds: 600 })),
  );
  await page.exposeFunction(
    'complete',
    async (parts: Parameters<BlobStore['completeUpload']>[1]) =>
      expectSuccess(await blobs.completeUpload({ key, uploadId }, parts)).size,
  );
  const load = async (): Promise<void> => {
    await page.goto(`${origin}/upload`);
    await page.addStyleTag({ content: style });
    await page.addScriptTag({ content: script });
  };
  await load();
  const reload = async (): Promise<null> => {
    await load();
    return null;
  };
  return Object.assign(page, { reload });
};
