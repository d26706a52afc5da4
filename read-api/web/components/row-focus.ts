/** A row of a table is few tab stops: its links and buttons. Ids and times are reached by the arrows, from any of them. */
import { createContext } from 'preact';

export const IsInRow = createContext(false);

const stops = 'a[href], button:not(:disabled), input[type=checkbox], time[tabindex]';

/** Of the row: moves the focus to what is before or after it in the row. */
export const moveInRow = (event: KeyboardEvent): void => {
  const { key, target, currentTarget: row } = event;
  if ((key !== 'ArrowLeft' && key !== 'ArrowRight') || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!(row instanceof HTMLElement) || !(target instanceof HTMLElement) || !target.matches(stops)) return;
  const all = [...row.querySelectorAll<HTMLElement>(stops)].filter((one) => one.checkVisibility());
  const next = all[all.indexOf(target) + (key === 'ArrowRight' ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
};
