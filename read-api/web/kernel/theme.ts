/** Light or dark theme: the system's until the user chooses one. `theme.ts` applies the choice before anything is painted. */
import { signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const key = 'septet-theme';

const chosen = (): Theme => {
  const { theme: found } = document.documentElement.dataset;
  return found === 'light' || found === 'dark' ? found : 'system';
};

export const theme = signal<Theme>(chosen());

const keep = (next: Theme): void => {
  try {
    if (next === 'system') localStorage.removeItem(key);
    else localStorage.setItem(key, next);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
};

const setTheme = (next: Theme): void => {
  const { dataset } = document.documentElement;
  if (next === 'system') delete dataset.theme;
  else dataset.theme = next;
  keep(next);
  theme.value = next;
};

const following: { readonly [Before in Theme]: Theme } = { system: 'light', light: 'dark', dark: 'system' };

export const nextTheme = (): void => setTheme(following[theme.value]);
