/** Which rows of a list are selected: one by one, a range with Shift, or all that are visible. */
import { useState } from 'preact/hooks';
import { rangeOf } from './range';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** With `isRange`, everything from the row that was chosen before. */
  readonly choose: (id: string, isSelected: boolean, isRange: boolean) => void;
  readonly chooseAll: (isSelected: boolean) => void;
  readonly isAll: boolean;
}

/** What is no longer visible is no longer selected: an action is about what the reader sees. */
export const useSelection = (visible: readonly string[]): Selection => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string>();
  const ids = new Set(visible.filter((id) => chosen.has(id)));
  return {
    ids,
    choose: (id, isSelected, isRange) => {
      const changed = isRange ? rangeOf(visible, last, id) : [id];
      const next = new Set(ids);
      for (const one of changed) {
        if (isSelected) next.add(one);
        else next.delete(one);
      }
      setChosen(next);
      setLast(id);
    },
    chooseAll: (isSelected) => setChosen(new Set(isSelected ? visible : [])),
    isAll: visible.length > 0 && ids.size === visible.length,
  };
};
