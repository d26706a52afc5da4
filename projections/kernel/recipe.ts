/** What a copy of a view is made by: one that was left unfinished is gone on with only where all of this is the same. */
import { createHash } from 'node:crypto';
import type { Projection } from './projection';
import { type Skips, skipsOf } from './skips';

/** Undefined where it cannot be known, and for personal views: somebody may have been forgotten since the first half was written. */
export const recipeOf = ({ view }: Projection, code: string | undefined, skips: Skips): string | undefined => {
  if (code === undefined || view.personal === true) return undefined;
  const { row: _, ...declared } = view;
  const made = JSON.stringify([code, declared, skipsOf(skips, view.name)]);
  return createHash('sha256').update(made).digest('base64url');
};
