/** Screenshots of a page at three widths in two themes, and a contact sheet of them. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { layoutFaultsOf } from './layout-faults';

const widths = [1_440, 900, 390] as const;
const themes = ['light', 'dark'] as const;

/** Of a longer page only its top is taken. */
const highest = { 1440: 1_600, 900: 1_800, 390: 1_450 } as const;

/** Two sheets of a page, each so small that no viewer shrinks it: widths and scales of the screenshots beside each other. */
const sheets = [
  [
    { image: '1440-light', scale: 0.62 },
    { image: '390-light', scale: 0.7 },
  ],
  [
    { image: '900-light', scale: 0.55 },
    { image: '1440-dark', scale: 0.33 },
    { image: '390-dark', scale: 0.45 },
  ],
] as const;

const windowHeight = 900;

/** What does not come within this time is taken as it is. */
const longestMilliseconds = 15_000;

/** Waits until content, fonts and the map are there. */
export const settle = async (page: Page): Promise<void> => {
  const options = { timeout: longestMilliseconds };
  await page.locator('h1, h2').locator('visible=true').first().waitFor(options);
  const skeleton = page.locator('.skeleton').first();
  await skeleton.waitFor({ ...options, state: 'detached' }).catch(() => undefined);
  const map = page.locator('.map-canvas');
  if ((await map.count()) > 0)
    await page
      .locator('.map-canvas.has-land')
      .waitFor(options)
      .catch(() => undefined);
  // Only a page that is drawn has its text.
  if (new URL(page.url()).pathname.endsWith('/view'))
    await page
      .locator('.pdf-page.is-drawn, .passage, .file-line, .picture, .slide, [role=alert]')
      .first()
      .waitFor(options)
      .catch(() => undefined);
  await page.evaluate('document.fonts.ready.then(() => undefined)');
};

const twoFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(undefined))))';

export interface Shot {
  /** Of the files: `full-principals`. */
  readonly name: string;
  readonly path: string;
  /** Opens a dialog, a form or a menu before the page is taken; once for each width. */
  readonly act?: (page: Page, width: number) => Promise<unknown>;
  /** `page`: from the top to the end; `window`: what a person sees at first. */
  readonly extent?: 'page' | 'window';
}

interface Options {
  readonly context: BrowserContext;
  readonly directory: string;
}

const heightOf = async (page: Page, width: (typeof widths)[number], extent: Shot['extent']): Promise<number> => {
  if (extent === 'window') return windowHeight;
  const whole = await page.evaluate<number>('document.documentElement.scrollHeight');
  return Math.min(Math.max(whole, windowHeight), highest[width]);
};

/** Writes the images, and answers the faults of the layout by width. */
export const takeShot = async (
  { name, path, act, extent = 'page' }: Shot,
  { context, directory }: Options,
): Promise<readonly string[]> => {
  const faults: string[] = [];
  const page = await context.newPage();
  try {
    for (const width of widths) {
      await page.setViewportSize({ width, height: windowHeight });
      if (width === widths[0] || act !== undefined) await page.goto(path);
      await settle(page);
      await act?.(page, width);
      for (const colorScheme of themes) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: await heightOf(page, width, extent) });
        await page.evaluate(twoFrames);
        await page.screenshot({
          path: join(directory, `${name}-${width}-${colorScheme}.png`),
          animations: 'disabled',
        });
      }
      faults.push(...(await layoutFaultsOf(page)).map((fault) => `${width} px ${fault}`));
      await page.emulateMedia({ colorScheme: 'light' });
    }
  } finally {
    await page.close();
  }
  await writeSheets(context.browser() as Browser, { directory, name });
  return faults;
};

interface Sheets {
  readonly directory: string;
  readonly name: string;
}

const writeSheets = async (browser: Browser, { directory, name }: Sheets): Promise<void> => {
  const figureOf = ({ image, scale }: (typeof sheets)[number][number]): string => {
    const content = readFileSync(join(directory, `${name}-${image}.png`));
    // The width of a PNG is in its first chunk.
    return `<img width="${content.readUInt32BE(16) * scale}" src="data:image/png;base64,${content.toString('base64')}">`;
  };
  mkdirSync(join(directory, 'sheets'), { recursive: true });
  const page = await browser.newPage({ viewport: { width: 1_194, height: 400 } });
  for (const [index, images] of sheets.entries()) {
    await page.setContent(
      `<style>body{display:flex;gap:8px;align-items:start;margin:8px;background:#777}</style>${images.map(figureOf).join('')}`,
    );
    await page.evaluate('Promise.all([...document.images].map((image) => image.decode()))');
    await page.screenshot({ path: join(directory, 'sheets', `${name}-${index + 1}.png`), fullPage: true });
  }
  await page.close();
};
