/** Faults of a page's layout that a program can see: sideways scrolling, cut texts, labels that wrap, columns without room. */
import type { Page } from 'playwright-core';

/** Runs in the page. Names an element by its tag, its classes and its first words. */
const findFaults = `(() => {
  const nameOf = (element) => {
    const words = (element.textContent ?? '').trim().replaceAll(/\\s+/g, ' ').slice(0, 48);
    return [element.localName, ...element.classList].join('.') + (words === '' ? '' : ' "' + words + '"');
  };
  const isHidden = '.hidden-text, .skip, svg, canvas, .chart, .map-canvas';
  const all = [...document.body.querySelectorAll('*')].filter(
    (element) => element.checkVisibility({ visibilityProperty: true }) && element.closest(isHidden) === null,
  );
  const linesOf = (element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const tops = [];
    while (texts.nextNode()) {
      if (texts.currentNode.parentElement.closest(isHidden) !== null) continue;
      range.selectNodeContents(texts.currentNode);
      tops.push(...[...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => top));
    }
    const height = Number.parseFloat(getComputedStyle(element).lineHeight) || 20;
    return tops.length === 0 ? 0 : Math.round((Math.max(...tops) - Math.min(...tops)) / height) + 1;
  };
  const root = document.documentElement;
  const faults = [];
  if (root.scrollWidth > root.clientWidth) {
    const widest = all.findLast((element) => element.getBoundingClientRect().right > root.clientWidth + 1);
    faults.push('scrolls sideways: ' + (widest === undefined ? 'hidden text' : nameOf(widest)));
  }
  for (const element of all) {
    const { overflowX, display } = getComputedStyle(element);
    const isTooWide = element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1;
    if (isTooWide && ['hidden', 'clip'].includes(overflowX)) faults.push('cut: ' + nameOf(element));
    if (isTooWide && element.matches('.table')) faults.push('columns do not fit: ' + nameOf(element));
    if (element.matches('.button:not(.icon), .tag, time, .tabs a, thead th, .side a') && linesOf(element) > 1)
      faults.push('wraps: ' + nameOf(element));
    if (element.matches('tbody th') && element.clientWidth < 120 && linesOf(element) > 5)
      faults.push('no room: ' + nameOf(element));
    if (element.matches('.json span') && display !== 'inline') faults.push('breaks a line: ' + nameOf(element));
  }
  const { color } = getComputedStyle(document.body);
  const dialog = document.querySelector('dialog:modal');
  // In a heading, the button is a plain one while a form is open.
  const primary = all.filter(
    (element) =>
      element.matches('main .button.primary') &&
      getComputedStyle(element).color !== color &&
      (dialog === null || dialog.contains(element)),
  );
  if (primary.length > 1) faults.push('several main buttons: ' + primary.map(nameOf).join(', '));
  return [...new Set(faults)];
})()`;

export const layoutFaultsOf = (page: Page): Promise<readonly string[]> => page.evaluate<readonly string[]>(findFaults);
