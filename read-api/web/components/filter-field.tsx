/** A filter field of a page. */
import { useId } from 'preact/hooks';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onType: (value: string) => void;
  readonly placeholder?: string;
  /** The search shortcut focuses this field. */
  readonly isSearch?: boolean;
  /** Offered while typing; other values are possible. */
  readonly suggestions?: readonly string[];
}

export const FilterField = ({ label, value, onType, placeholder, isSearch = false, suggestions }: Props) => {
  const id = useId();
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type={(isSearch ? 'search' : 'text') as 'text'}
        value={value}
        maxLength={256}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        {...(placeholder === undefined ? {} : { placeholder })}
        {...(suggestions === undefined ? {} : { list: id })}
        onInput={(event) => onType(event.currentTarget.value)}
      />
      {suggestions !== undefined && (
        <datalist id={id}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </label>
  );
};
