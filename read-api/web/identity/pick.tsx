/** One of a page's filters, of which only some words are possible. */
import { Choice } from '../parts/field';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly words: readonly string[];
  readonly onChoose: (value: string) => void;
}

const read = (word: string): string => word.toLowerCase().replaceAll('_', ' ');

export const Pick = ({ label, value, words, onChoose }: Props) => (
  <Choice
    label={label}
    value={value}
    options={[{ value: '', label: 'Any' }, ...words.map((word) => ({ value: word, label: read(word) }))]}
    onChoose={onChoose}
  />
);
