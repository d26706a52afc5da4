/** One of several, in the bar of the player: the browser's own list works by keys, by touch and in full screen. */
interface Props {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly onChange: (value: string) => void;
}

export const PlayerChoice = ({ label, value, options, onChange }: Props) => (
  <label class="player-choice">
    <span>{label}</span>
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </select>
  </label>
);
