/** How a person uses a page: with a mouse, or with the keyboard alone. */
import type { Locator } from 'playwright-core';

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

/** The focus goes where Tab leads it, round the page if need be. */
const tabTo = async (target: Locator): Promise<void> => {
  await target.waitFor();
  const page = target.page();
  for (let stop = 0; stop < mostStops; stop += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
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
