/** Keys that act anywhere on a page: one after another (`g` then `s`), never while something is typed. */
import { signal } from '@preact/signals';

export interface Shortcut {
  /** As it is shown: keys separated by a space. */
  readonly keys: string;
  readonly label: string;
  readonly act: () => void;
}

/** What the page in view adds to what is there everywhere. */
export const shortcuts = signal<readonly Shortcut[]>([]);

const offKey = 'septet-keys-off';
const wereOff = (): boolean => {
  try {
    return localStorage.getItem(offKey) !== null;
  } catch {
    return false;
  }
};

/** Whoever speaks to the computer, or rests on keys, turns them off. */
export const keysOff = signal(wereOff());

export const setKeysOff = (off: boolean): void => {
  keysOff.value = off;
  try {
    if (off) localStorage.setItem(offKey, '');
    else localStorage.removeItem(offKey);
  } catch {
    // It holds for as long as the page.
  }
};

const patienceMilliseconds = 1_200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

const isOpen = (): boolean => document.querySelector('dialog[open]') !== null;

const chosenBy = (typed: string): Shortcut | undefined => shortcuts.value.find(({ keys }) => keys === typed);
const mayGoOn = (typed: string): boolean => shortcuts.value.some(({ keys }) => keys.startsWith(`${typed} `));

export const startKeys = (): void => {
  let typed = '';
  let typedAt = 0;
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    if (keysOff.value || isTyping(event.target) || isOpen() || event.key.length !== 1) return;
    const late = performance.now() - typedAt > patienceMilliseconds;
    const sequence = typed === '' || late ? event.key : `${typed} ${event.key}`;
    const shortcut = chosenBy(sequence) ?? chosenBy(event.key);
    typed = shortcut === undefined && mayGoOn(sequence) ? sequence : '';
    typedAt = performance.now();
    if (shortcut === undefined) return;
    event.preventDefault();
    shortcut.act();
  });
};
