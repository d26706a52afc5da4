/** Leads from one citation of the file to the next, as the search found them. */
import type { RetrievalResult } from '../../../../../packages/client/src/schemas';
import { compareCitations, placeOf } from '../citation-place';

interface Props {
  /** Of this file. */
  readonly results: readonly RetrievalResult[];
  readonly chunkId: string;
  readonly hrefOf: (result: RetrievalResult) => string;
}

export const CitationSteps = ({ results, chunkId, hrefOf }: Props) => {
  const ordered = results.toSorted((one, other) => compareCitations(one.citation, other.citation));
  const at = ordered.findIndex((one) => one.chunkId === chunkId);
  if (at < 0 || ordered.length < 2) return null;
  const [previous, next] = [ordered[at - 1], ordered[at + 1]];
  return (
    <nav class="citation-steps" aria-label="Passages of this file">
      {previous !== undefined && (
        <a class="button small" href={hrefOf(previous)}>
          Previous: {placeOf(previous.citation)}
        </a>
      )}
      <span>
        {at + 1} of {ordered.length} found in this file
      </span>
      {next !== undefined && (
        <a class="button small" href={hrefOf(next)}>
          Next: {placeOf(next.citation)}
        </a>
      )}
    </nav>
  );
};
