/** Checkboxes of a list whose rows can be selected, and the bar of what can be done with the selected ones. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { countOf } from '../../kernel/format';
import type { Selection } from './use-selection';

interface RowProps {
  readonly selection: Selection;
  readonly id: string;
  readonly name: string;
}

export const SelectRow = ({ selection, id, name }: RowProps) => {
  // Also the space bar makes a click; a change has no keys.
  const isRange = useRef(false);
  return (
    <input
      type="checkbox"
      class="select-row"
      aria-label={`Select ${name}`}
      checked={selection.ids.has(id)}
      onClick={(event) => {
        isRange.current = event.shiftKey;
      }}
      onChange={({ currentTarget }) => selection.choose(id, currentTarget.checked, isRange.current)}
    />
  );
};

export const SelectAll = ({ selection, of }: { readonly selection: Selection; readonly of: string }) => (
  <input
    type="checkbox"
    class="select-row"
    aria-label={`Select all ${of} shown`}
    checked={selection.isAll}
    ref={(box) => {
      if (box !== null) box.indeterminate = selection.ids.size > 0 && !selection.isAll;
    }}
    onChange={({ currentTarget }) => selection.chooseAll(currentTarget.checked)}
  />
);

interface BarProps {
  readonly selection: Selection;
  readonly one: string;
  readonly children: ComponentChildren;
}

export const SelectionBar = ({ selection, one, children }: BarProps) =>
  selection.ids.size === 0 ? null : (
    <fieldset class="selection-bar">
      <legend class="hidden-text">Selected</legend>
      <span role="status">{countOf(selection.ids.size, one)} selected</span>
      <div class="actions">
        {children}
        <button type="button" class="button small quiet" onClick={() => selection.chooseAll(false)}>
          Clear
        </button>
      </div>
    </fieldset>
  );
