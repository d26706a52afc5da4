/** The field of a filter by name, and the notes on unknown and ambiguous names. */
import type { ComponentChildren } from 'preact';
import { EmptyState } from '../components/empty-state';
import { FilterField } from '../components/filter-field';
import { ProblemMessage } from '../components/problem-message';
import { Reference } from './reference';
import type { Kind } from './targets';
import type { NameFilter } from './use-name-filter';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onType: (value: string) => void;
  /** What is found by: `Name, login or id`. */
  readonly by: string;
  readonly isSearch?: boolean;
}

export const NameFilterField = ({ by, ...field }: FieldProps) => <FilterField {...field} placeholder={by} />;

interface NotesProps {
  /** The list without the filter. */
  readonly allPath: string;
  /** `Grants`, `Sessions`. */
  readonly noun: string;
  readonly typed: string;
  readonly filter: NameFilter;
  readonly kind: Extract<Kind, 'principal' | 'client'>;
}

/** Whose list this is where an id is typed, or that more match than are listed. */
export const NameFilterNotes = ({ allPath, noun, typed, filter, kind }: NotesProps) => {
  if (filter.kind !== 'found') return null;
  const [first] = filter.ids;
  if (filter.isCut)
    return <p class="notice">More match “{typed.trim()}” than fit here. Type more of the name to see all of them.</p>;
  if (first !== typed.trim()) return null;
  return (
    <p class="notice">
      {noun} of <Reference kind={kind} id={first} isShort />. <a href={allPath}>Show all</a>
    </p>
  );
};

interface ListProps {
  readonly filters: readonly { readonly typed: string; readonly filter: NameFilter; readonly noun: string }[];
  readonly children: ComponentChildren;
}

/** The list, unless a name of its filters is unknown or cannot be looked up. */
export const ListByName = ({ filters, children }: ListProps) => {
  const unknown = filters.find(({ filter }) => filter.kind === 'unknown');
  if (unknown !== undefined)
    return (
      <EmptyState title={`No ${unknown.noun} matches “${unknown.typed.trim()}”`}>
        Names are found by the beginnings of their words, from two letters.
      </EmptyState>
    );
  for (const { filter } of filters)
    if (filter.kind === 'searching' && filter.problem !== undefined)
      return <ProblemMessage problem={filter.problem} retry={filter.reload} />;
  return <>{children}</>;
};
