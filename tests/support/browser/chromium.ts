/** The browser of this machine: none is downloaded. */
import { onPath } from '../../../packages/sandbox/src/on-path';

/** Why the tests of pages are skipped. */
export const noChromium = 'pages: Chromium is not installed';

/** The shell comes first: it draws no window, and a page costs half as much in it. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Undefined: there is none. */
export const chromiumPath = (): string | undefined =>
  process.env.CHROMIUM ?? names.map(onPath).find((path) => path !== undefined);
