/**
 * Keeps the keyboard's focus in sight: the browser moves it to the body when the element that has it is removed or disabled, as the row of
 * what was just revoked. From there Tab begins at the top of the page.
 */

const headings = 'h1, h2, h3';

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** A modal dialog makes the page behind it inert. */
const isBehindDialog = (element: Element): boolean => {
  const dialog = document.querySelector('dialog[open]');
  return dialog !== null && !dialog.contains(element);
};

const focusOn = (element: HTMLElement): void => element.focus({ preventScroll: true });

/** The page was left, and its successor has not shown its heading yet: what had the focus then. */
let due: { readonly before: Element | null } | undefined;

const focusHeading = (): void => {
  const heading = document.querySelector<HTMLElement>('main h1');
  if (heading === null || isBehindDialog(heading)) return;
  due = undefined;
  focusOn(heading);
};

/** After a navigation: the heading of the page, as soon as there is one. A page that opens with a form has the focus in its first field. */
export const focusNextHeading = (): void => {
  if (document.activeElement?.matches('main input, main select, main textarea') === true) return;
  due = { before: document.activeElement };
  focusHeading();
};

/** A heading appeared. The reader may have moved on by then. */
export const focusDueHeading = (): void => {
  if (due !== undefined && (isLost() || document.activeElement === due.before)) focusHeading();
};

/** After a dialog: the browser has returned the focus to the opener, if there was one. */
export const focusAfterDialog = (): void => {
  if (isLost() && document.querySelector('dialog[open]') === null) focusHeading();
};

interface FocusHistory {
  readonly element: HTMLElement;
  /** From the nearest on. */
  readonly ancestors: readonly Element[];
}

const ancestorsOf = (element: Element): readonly Element[] =>
  element.parentElement === null ? [] : [element.parentElement, ...ancestorsOf(element.parentElement)];

/** The heading of the smallest part that is still there. */
const nearestHeading = ({ ancestors }: FocusHistory): HTMLElement | undefined => {
  for (const ancestor of ancestors) {
    if (!ancestor.isConnected) continue;
    const isPage = ancestor.querySelector('main') !== null;
    const heading = ancestor.querySelector<HTMLElement>(isPage ? 'main h1' : headings);
    if (heading !== null && !isBehindDialog(heading)) return heading;
  }
  return undefined;
};

const isFocusable = ({ element }: FocusHistory): boolean => element.isConnected && !element.matches(':disabled');

/** Once, for the whole document. */
export const startFocusKeeper = (): void => {
  let last: FocusHistory | undefined;
  const restore = (): void => {
    if (last === undefined || !isLost()) return;
    if (isFocusable(last)) {
      if (!isBehindDialog(last.element)) focusOn(last.element);
      return;
    }
    // It may be enabled again, as the button of a request that was refused.
    if (last.element.isConnected) return;
    const heading = nearestHeading(last);
    if (heading === undefined) return;
    if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
    focusOn(heading);
  };
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) last = { element: target, ancestors: ancestorsOf(target) };
  });
  document.addEventListener('focusout', () => {
    // What is removed is gone by then; what still takes the focus was left by the reader.
    queueMicrotask(() => {
      if (last !== undefined && isLost() && isFocusable(last)) last = undefined;
    });
  });
  new MutationObserver(restore).observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['disabled'],
  });
};
