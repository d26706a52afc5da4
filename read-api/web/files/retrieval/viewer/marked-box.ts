import type { Box } from '../../../../../packages/client/src/schemas';

/** A box that a citation marks: fractions of what is drawn. */
export interface MarkedBox {
  readonly box: Box;
  /** `word`: one by which the passage was found; `passage`: a line of it. */
  readonly kind: 'passage' | 'word';
  /** What stands there, where nothing else draws it. */
  readonly text?: string;
}
