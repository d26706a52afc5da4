/** Why a place is where it is in the order: the terms of its score. */
import type { RankExplanation } from '../../../../packages/client/src/schemas';
import { spaced } from '../labels';

const rounded = (value: number): string => value.toFixed(3);

export const Explanation = ({ explanation }: { readonly explanation: RankExplanation }) => {
  const { score, distance, text, text_class: match, popularity, rating, factor } = explanation;
  const terms = [
    ['distance', distance] as const,
    ...(match === null ? [] : [[`text (${spaced(match)})`, text] as const]),
    ['popularity', popularity] as const,
    ['rating', rating] as const,
  ];
  return (
    <div class="explanation">
      <span>
        Score <b>{rounded(score)}</b> =
      </span>{' '}
      {terms.map(([name, value], index) => (
        <span key={name}>
          {index > 0 && '+ '}
          {name} <b>{rounded(value)}</b>{' '}
        </span>
      ))}
      {factor !== 1 && <span>× {rounded(factor)}, because it is permanently closed</span>}
    </div>
  );
};
