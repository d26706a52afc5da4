/** How a person uses a page: with a mouse, or with the keyboard alone. */
import type { Locator } from 'playwright-core';
import { sized } from '../../support/runner/size';

export interface Hand {
  readonly name: string;
  /** Of a link, a button, or a row that opens. */
  readonly press: (target: Locator) => Promise<void>;
  readonly type: (field: Locator, text: string) => Promise<void>;
}

const mouse: Hand = {
  name: 'mouse',
  press: (target) => target.click(),
  type: async (field, text) => {
    await field.click();
    await field.page().keyboard.press('Control+a');
    await field.page().keyboard.type(text);
  },
};

/** More than any page has. */
const mostStops = 150;

const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement);

/** Where Tab leads to the target. */
const focusStopBefore = (target: Locator): Promise<void> =>
  target.evaluate((element) => {
    const area = element.closest('dialog') ?? element.ownerDocument;
    const stops = [...area.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter(
      (stop) => stop.tabIndex >= 0 && !stop.matches(':disabled') && stop.checkVisibility(),
    );
    stops[stops.indexOf(element) - 1]?.focus();
  });

/** The focus goes where Tab leads it, round the page if need be. The short run begins at the stop before. */
const tabTo = async (target: Locator): Promise<void> => {
  await target.waitFor();
  const page = target.page();
  if (await isFocused(target)) return;
  if (sized({ short: true, long: false })) await focusStopBefore(target);
  for (let stop = 0; stop < mostStops; stop += 1) {
    await page.keyboard.press('Tab');
    if (await isFocused(target)) return;
  }
  throw new Error(`Tab does not lead to ${target}`);
};

const keyboard: Hand = {
  name: 'keyboard alone',
  press: async (target) => {
    await tabTo(target);
    await target.page().keyboard.press('Enter');
  },
  type: async (field, text) => {
    await tabTo(field);
    await field.page().keyboard.press('Control+a');
    await field.page().keyboard.type(text);
  },
};

export const hands = { mouse, keyboard } as const;
