/** Which groups and services of the sidebar a person opened or closed. Remembered in the browser. */
import { signal } from '@preact/signals';

const key = 'septet-sidebar';

type Choices = Readonly<Record<string, boolean>>;

const isChoices = (value: unknown): value is Choices =>
  typeof value === 'object' && value !== null && Object.values(value).every((choice) => typeof choice === 'boolean');

const stored = (): Choices => {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return isChoices(found) ? found : {};
  } catch {
    return {};
  }
};

/** By the id of a group or an item; absent: never chosen. */
export const openChoices = signal<Choices>(stored());

export const setOpen = (id: string, isOpen: boolean): void => {
  openChoices.value = { ...openChoices.value, [id]: isOpen };
  try {
    localStorage.setItem(key, JSON.stringify(openChoices.value));
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
};
