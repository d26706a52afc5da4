/** Why a place ranks where it does: the terms of `rankOf`, computed from the place itself. */
import type { TypeOf } from 'io-ts';
import { rankOf } from '../../../domain/geo/ranking/rank';
import { textClasses, textClassOf } from '../../../domain/geo/ranking/text-class';
import { finite, nullable, oneOf, record } from '../../../domain/kernel/codec';
import type { FoundOnPage } from './find-page';
import type { PlaceSearch } from './parameters';

export const Explanation = record('RankExplanation', {
  /** The sum of the terms, times the factor. */
  score: finite,
  distance: finite,
  text: finite,
  /** How the text matches; null without words. */
  text_class: nullable(oneOf('TextClass', textClasses)),
  popularity: finite,
  rating: finite,
  /** Below 1 for places that closed permanently. */
  factor: finite,
});
export type Explanation = TypeOf<typeof Explanation>;

export const explanationOf = ({ words, reach }: PlaceSearch, { place, meters }: FoundOnPage): Explanation => {
  const { mainName = '', names = [], words: others = [] } = place;
  const textClass = words === '' ? null : (textClassOf(words, { mainName, names, words: others }) ?? 'fuzzy');
  const { score, terms, factor } = rankOf({
    meters,
    radius: reach,
    textClass,
    popularityShare: place.popularityShare,
    ratingShare: place.ratingShare,
    isPermanentlyClosed: place.status === 'permanently_closed',
  });
  return { score, ...terms, text_class: textClass, factor };
};
