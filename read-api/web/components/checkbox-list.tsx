/**
 * Chooses several of a known list: checkboxes with descriptions, narrowed by a search. The chosen ones come first and stay visible. The list
 * is one tab stop, in which arrow keys move (WAI-ARIA Authoring Practices, roving tabindex).
 */
import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { countOf } from '../kernel/format';

export interface CheckboxOption {
  readonly value: string;
  readonly description?: string;
}

interface Props {
  readonly label: string;
  readonly help?: ComponentChildren;
  /** The server's validation error. */
  readonly fault?: string | undefined;
  readonly options: readonly CheckboxOption[];
  /** Values that are no options are listed, too. */
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
}

const matches = ({ value, description = '' }: CheckboxOption, search: string): boolean =>
  `${value} ${description}`.toLowerCase().includes(search.trim().toLowerCase());

const withUnknown = (options: readonly CheckboxOption[], chosen: readonly string[]): readonly CheckboxOption[] => {
  const unknown = chosen.filter((value) => options.every((option) => option.value !== value));
  return [...unknown.map((value) => ({ value })), ...options];
};

interface CheckboxProps {
  readonly option: CheckboxOption;
  readonly isChosen: boolean;
  readonly toggle: (value: string) => void;
  /** Tab leads to this one of the list. */
  readonly isTabStop: boolean;
  readonly onFocus: () => void;
}

const Checkbox = ({ option: { value, description }, isChosen, toggle, isTabStop, onFocus }: CheckboxProps) => {
  const id = useId();
  return (
    <li>
      <label class="switch">
        <input
          type="checkbox"
          checked={isChosen}
          tabIndex={isTabStop ? 0 : -1}
          onFocus={onFocus}
          {...(description === undefined ? {} : { 'aria-describedby': id })}
          onChange={() => toggle(value)}
        />
        <span class="mono">{value}</span>
      </label>
      {description !== undefined && (
        <span class="help" id={id}>
          {description}
        </span>
      )}
    </li>
  );
};

const stepOf: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

interface OptionsProps {
  readonly visible: readonly CheckboxOption[];
  readonly chosen: readonly string[];
  readonly toggle: (value: string) => void;
}

const Options = ({ visible, chosen, toggle }: OptionsProps) => {
  const list = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState<string>();
  const tabStop = visible.some(({ value }) => value === current) ? current : visible[0]?.value;
  const pressed = (event: KeyboardEvent): void => {
    const step = Object.hasOwn(stepOf, event.key) ? stepOf[event.key] : undefined;
    const at = visible.findIndex(({ value }) => value === tabStop);
    if (step === undefined || at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    list.current?.querySelectorAll<HTMLElement>('input')[step(at, visible.length)]?.focus();
  };
  return (
    <ul ref={list} onKeyDown={pressed}>
      {visible.map((option) => (
        <Checkbox
          key={option.value}
          option={option}
          isChosen={chosen.includes(option.value)}
          toggle={toggle}
          isTabStop={option.value === tabStop}
          onFocus={() => setCurrent(option.value)}
        />
      ))}
      {visible.length === 0 && <li class="help">Nothing matches.</li>}
    </ul>
  );
};

export const CheckboxList = ({ label, help, fault, options, chosen, onChoose }: Props) => {
  const id = useId();
  const [search, setSearch] = useState('');
  // What was chosen at first, so that an option stays where it is when it is checked.
  const [first] = useState(() => new Set(chosen));
  const all = withUnknown(options, chosen).toSorted(
    (one, other) => Number(first.has(other.value)) - Number(first.has(one.value)),
  );
  const visible = all.filter((option) => matches(option, search));
  const isNarrowed = search.trim() !== '';
  const withVisible = [...new Set([...chosen, ...visible.map(({ value }) => value)])];
  const toggle = (value: string): void =>
    onChoose(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is drawn as a card of a form.
    <div class="field checkboxes" role="group" aria-labelledby={id} aria-describedby={`${id}-notes`}>
      <div class="section-head">
        <span id={id}>{label}</span>
        <span class="faint" role="status">
          {countOf(chosen.length, 'chosen', 'chosen')}
          {isNarrowed && `, ${visible.length} of ${all.length} shown`}
        </span>
      </div>
      <input
        type="search"
        aria-label={`Search ${label.toLowerCase()}`}
        // Where the focus goes when nothing is chosen that has to be.
        {...(fault === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': `${id}-fault` })}
        placeholder="Search"
        value={search}
        maxLength={64}
        spellcheck={false}
        autocomplete="off"
        // Enter would submit the form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        onInput={(event) => setSearch(event.currentTarget.value)}
      />
      <div class="actions">
        <button type="button" class="button quiet small" onClick={() => onChoose(withVisible)}>
          {isNarrowed ? 'Select these' : 'Select all'}
        </button>
        <button type="button" class="button quiet small" onClick={() => onChoose([])} disabled={chosen.length === 0}>
          Clear
        </button>
      </div>
      <Options visible={visible} chosen={chosen} toggle={toggle} />
      <div id={`${id}-notes`}>
        <p class="hidden-text">Arrow keys move within the list.</p>
        {help !== undefined && <p class="help">{help}</p>}
        {fault !== undefined && (
          <p class="fault" id={`${id}-fault`}>
            {fault}
          </p>
        )}
      </div>
    </div>
  );
};
