/** Keyboard shortcuts: sequences of keys (`g` then `s`), inactive while the user types. */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

export interface Shortcut {
  /** Keys separated by a space, also for display. */
  readonly keys: string;
  readonly label: string;
  readonly act: () => void;
}

/** All active shortcuts: of the shell and of the current page. */
export const shortcuts = signal<readonly Shortcut[]>([]);

const offKey = 'septet-keys-off';
const readDisabled = (): boolean => {
  try {
    return localStorage.getItem(offKey) !== null;
  } catch {
    return false;
  }
};

/** Users of voice control, for example, turn shortcuts off (WCAG 2.1.4). */
export const shortcutsDisabled = signal(readDisabled());

export const setShortcutsDisabled = (off: boolean): void => {
  shortcutsDisabled.value = off;
  try {
    if (off) localStorage.setItem(offKey, '');
    else localStorage.removeItem(offKey);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
};

const sequenceMilliseconds = 1_200;

/** Into a slider no letters are typed. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type="range"]), textarea, select, [contenteditable]') !== null;

const isOpen = (): boolean => document.querySelector('dialog[open]') !== null;

const chosenBy = (typed: string): Shortcut | undefined => shortcuts.value.find(({ keys }) => keys === typed);
const mayGoOn = (typed: string): boolean => shortcuts.value.some(({ keys }) => keys.startsWith(`${typed} `));

export const startKeyboardShortcuts = (): void => {
  let typed = '';
  let typedAt = 0;
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    if (shortcutsDisabled.value || isTyping(event.target) || isOpen() || event.key.length !== 1) return;
    const late = performance.now() - typedAt > sequenceMilliseconds;
    const sequence = typed === '' || late ? event.key : `${typed} ${event.key}`;
    const shortcut = chosenBy(sequence) ?? chosenBy(event.key);
    typed = shortcut === undefined && mayGoOn(sequence) ? sequence : '';
    typedAt = performance.now();
    if (shortcut === undefined) return;
    event.preventDefault();
    shortcut.act();
  });
};

export const useKeyboardShortcuts = (own: readonly Shortcut[]): void => {
  const latest = useRef(own);
  latest.current = own;
  useEffect(() => {
    const added = latest.current.map(({ keys, label }, index) => ({
      keys,
      label,
      act: () => latest.current[index]?.act(),
    }));
    shortcuts.value = [...added, ...shortcuts.value];
    return () => {
      shortcuts.value = shortcuts.value.filter((shortcut) => !added.includes(shortcut as (typeof added)[number]));
    };
  }, []);
};
