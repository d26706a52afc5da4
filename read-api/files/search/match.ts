/** Whether a passage has words of the query, or is near to it in meaning only. */
import type { RankedPassage } from './ranking/rerank';
import { type SearchWords, stemsIn } from './words';

export const matchOf = (
  { content, headings, filename }: RankedPassage,
  { stems }: Pick<SearchWords, 'stems'>,
): 'words' | 'meaning' => {
  const hasOne = (text: string): boolean => stemsIn(text).some((stem) => stems.has(stem));
  return [content, ...headings, filename ?? ''].some(hasOne) ? 'words' : 'meaning';
};
