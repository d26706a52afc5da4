/** What axe finds on a page, in every way that people see it. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { sized } from '../../support/runner/size';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

const everything = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const colours = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

const violationsOn = async (page: Page, rules: object): Promise<readonly string[]> => {
  const { violations } = await page.evaluate<{ violations: readonly Violation[] }>(
    `axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] })`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
};

const looks = {
  'on a phone': { theme: 'light', width: 360, rules: everything },
  // Only colours differ from the one below.
  'in the dark': { theme: 'dark', width: 1_280, rules: colours },
  'in the light': { theme: 'light', width: 1_280, rules: everything },
} as const;

export type LookName = keyof typeof looks;

/** Phones have the least room; in the dark only colours are looked at, which is soon done. */
const shortNames: readonly LookName[] = ['on a phone', 'in the dark'];
const allNames = Object.keys(looks) as LookName[];

const show = async (page: Page, name: LookName): Promise<void> => {
  const { theme, width } = looks[name];
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize({ width, height: 800 });
  // What lies half below the bar at the top is no fault.
  await page.evaluate('scrollTo(0, 0)');
};

interface Options {
  readonly names?: readonly LookName[];
  /** Visible in every look. */
  readonly content?: Locator;
}

const widerThanItself =
  "[...document.querySelectorAll('dialog[open]')].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)";

/**
 * Empty when the page is for everybody. It looks as is named; else on a phone and in the dark, and the long run in every way.
 * The page is left wide and light, or in the last of the looks that are named.
 */
export const axeViolationsOn = async (page: Page, { names, content }: Options = {}): Promise<readonly string[]> => {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe);
  const faults: string[] = [];
  for (const name of names ?? sized({ short: shortNames, long: allNames })) {
    await show(page, name);
    await content?.filter({ visible: true }).first().waitFor();
    const found = [...(await violationsOn(page, looks[name].rules))];
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push('it is too wide');
    if (await page.evaluate(widerThanItself)) found.push('the dialog is cut off');
    faults.push(...found.map((fault) => `${page.url()} ${name}: ${fault}`));
    if (process.env.SCREENSHOTS !== undefined) {
      const file = `${new URL(page.url()).pathname}-${name}`.replaceAll(/\W+/g, '-');
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/${file}.png`, fullPage: true });
    }
  }
  if (names === undefined) await show(page, 'in the light');
  return faults;
};
