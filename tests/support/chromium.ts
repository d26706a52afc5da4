/** The browser of this machine: none is downloaded. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Why the tests of pages are skipped. */
export const noChromium = 'pages: Chromium is not installed';

/** The shell comes first: it draws no window, and a page costs half as much in it. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Undefined: there is none. */
export const chromiumPath = (): string | undefined =>
  process.env.CHROMIUM ??
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((directory) => names.map((name) => join(directory, name)))
    .find(isProgram);
