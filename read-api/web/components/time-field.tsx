/** An instant, typed as a local date and time. */
import { useId } from 'preact/hooks';

const two = (value: number): string => String(value).padStart(2, '0');

const localOf = (instant: string): string => {
  const date = new Date(instant);
  if (instant === '' || Number.isNaN(date.getTime())) return '';
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
};

const instantOf = (local: string): string => {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
};

interface Props {
  readonly label: string;
  /** An instant, or empty. */
  readonly value: string;
  readonly onType: (instant: string) => void;
}

export const TimeField = ({ label, value, onType }: Props) => {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>
        <span>{label}</span>
      </label>
      <input
        id={id}
        type="datetime-local"
        value={localOf(value)}
        onChange={(event) => onType(instantOf(event.currentTarget.value))}
      />
    </div>
  );
};
