/** A filter field of a page. */
interface Props {
  readonly label: string;
  readonly value: string;
  readonly onType: (value: string) => void;
  readonly placeholder?: string;
  /** The search shortcut focuses this field. */
  readonly isSearch?: boolean;
}

export const FilterField = ({ label, value, onType, placeholder, isSearch = false }: Props) => (
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
      onInput={(event) => onType(event.currentTarget.value)}
    />
  </label>
);
