/** Shows which place a typed name was taken for, with others of that name, and offers to split `cafés near Lisbon` into two fields. */
import { Fragment } from 'preact';
import { EmptyState } from '../../components/empty-state';
import { guidePath } from '../../components/guide';
import { ProblemMessage } from '../../components/problem-message';
import { nameWithAddress, pointText } from '../labels';
import { nearRadius, type SearchFields, splitNear } from './search-fields';
import type { Near } from './use-near';

interface Linked {
  readonly hrefOf: (changed: Partial<SearchFields>) => string;
}

export const SplitWords = ({ query, hrefOf }: Linked & { readonly query: string }) => {
  const split = splitNear(query);
  if (split === undefined) return null;
  return (
    <p class="notice">
      <a href={hrefOf({ ...split, radius: nearRadius, box: '' })}>
        Search “{split.query}” near {split.near}
      </a>
    </p>
  );
};

export const NearPlace = ({ name, near, hrefOf }: Linked & { readonly name: string; readonly near: Near }) => {
  const { place, others, isUnknown, problem, reload } = near;
  if (problem !== undefined) return <ProblemMessage problem={problem} retry={reload} />;
  if (isUnknown)
    return (
      <EmptyState title={`No place is called “${name.trim()}”`}>
        Check its spelling, or click on the map. Only imported places have names here:{' '}
        <a href={guidePath('places#the-worlds-towns')}>load the world’s towns</a> to search near any of them.
      </EmptyState>
    );
  if (place === undefined) return null;
  return (
    <p class="near-place" role="status">
      Near {nameWithAddress(place)}.{others.length > 0 && ' Others: '}
      {others.map((other, index) => (
        <Fragment key={other.entity_id}>
          {index > 0 && ' · '}
          <a href={hrefOf({ near: pointText(other) })}>{nameWithAddress(other)}</a>
        </Fragment>
      ))}
    </p>
  );
};
