/** Several words beside one another: scopes, roles, ways of signing in. */
import { Tag } from '../parts/tag';

interface Props {
  readonly words: readonly string[];
  /** Beyond that many, how many there are. */
  readonly most?: number;
}

export const Words = ({ words, most = 6 }: Props) => {
  if (words.length === 0) return <span class="faint">—</span>;
  return (
    <span class="tags">
      {words.slice(0, most).map((word) => (
        <Tag key={word}>{word}</Tag>
      ))}
      {words.length > most && <Tag>and {words.length - most} more</Tag>}
    </span>
  );
};
