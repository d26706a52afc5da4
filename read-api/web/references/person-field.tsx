/** A field for a person or program by name or id. Callers that share files or videos find active principals of the tenant by it. */
import type { TenantPerson } from '../../../packages/client/src/schemas';
import { TextField } from '../components/form-fields';
import { ProblemMessage } from '../components/problem-message';
import { hasScope, isMe } from '../kernel/permissions';
import type { Problem } from '../kernel/problem';
import { useResource } from '../kernel/use-resource';
import { nameOfPrincipalRow, type SharedThings, tenantPeople } from './names';
import { PrincipalName } from './reference';
import { pathOf } from './targets';

type PersonSearch = { readonly shared: SharedThings } & PersonResult;

type PersonResult =
  | { readonly kind: 'off' }
  | { readonly kind: 'searching'; readonly problem: Problem | undefined }
  | { readonly kind: 'found'; readonly people: readonly TenantPerson[]; readonly isCut: boolean };

/** Who was enrolled a moment ago is found as soon as the view has them. */
const everyMilliseconds = 5_000;

const isId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/** By id first: what is typed may be one that looks like a name. */
export const usePerson = (text: string, shared: SharedThings): PersonSearch => ({
  shared,
  ...usePersonOf(text, shared),
});

const usePersonOf = (text: string, shared: SharedThings): PersonResult => {
  const wanted = text.trim();
  const byId = useResource(isId.test(wanted) ? tenantPeople({ principalIds: wanted }, shared) : undefined, {
    everyMilliseconds,
  });
  const byName = useResource(wanted === '' ? undefined : tenantPeople({ q: wanted }, shared), { everyMilliseconds });
  if (wanted === '') return { kind: 'off' };
  const problem = byName.problem ?? (isId.test(wanted) ? byId.problem : undefined);
  if (byName.content === undefined || byName.isOld) return { kind: 'searching', problem };
  if (isId.test(wanted) && (byId.content === undefined || byId.isOld)) return { kind: 'searching', problem };
  const exact = isId.test(wanted) ? (byId.content?.items ?? []) : [];
  if (exact.length > 0) return { kind: 'found', people: exact, isCut: false };
  return { kind: 'found', people: byName.content.items, isCut: byName.content.isCut };
};

export const onePerson = (search: PersonSearch): TenantPerson | undefined =>
  search.kind === 'found' && search.people.length === 1 ? search.people[0] : undefined;

/** Undefined until exactly one active principal is meant. */
export const personIdOf = (search: PersonSearch): string | undefined => {
  const person = onePerson(search);
  return person?.isActive === true ? person.principalId : undefined;
};

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onType: (text: string) => void;
  readonly search: PersonSearch;
  readonly isOptional?: boolean;
}

/** For a principal that lacks the scope: sharing has no effect. */
const NoReader = ({ principalId, shared }: { readonly principalId: string; readonly shared: SharedThings }) => (
  <p class="notice warn" role="status">
    They may not open {shared} yet, so this has no effect for now. An administrator changes that:{' '}
    {hasScope('principals:read') ? <a href={pathOf('principal', principalId)}>on their page</a> : 'on their page'}, by
    granting the scope <code>{shared}:read</code>.
  </p>
);

const Found = ({ search, onType }: Pick<Props, 'search' | 'onType'>) => {
  if (search.kind === 'off') return null;
  if (search.kind === 'searching')
    return search.problem === undefined ? null : <ProblemMessage problem={search.problem} />;
  const { people, isCut } = search;
  const [person] = people;
  if (person === undefined) return <p class="help">Nobody in the tenant has this name or id.</p>;
  if (people.length > 1)
    return (
      <div class="help">
        {isCut ? `More than ${people.length}` : people.length} match. Type more of the name, or choose:
        <ul class="reasons">
          {people.map(({ principalId, ...row }) => (
            <li key={principalId}>
              <button type="button" class="button small" onClick={() => onType(principalId)}>
                {nameOfPrincipalRow({ ...row, principalId, login: null }).name}
                {isMe(principalId) && ' (you)'}
              </button>
            </li>
          ))}
        </ul>
      </div>
    );
  const { principalId, isActive, mayRead } = person;
  return (
    <>
      <p class="help" role="status">
        This is <PrincipalName id={principalId} />
        {isActive ? '.' : ', who is suspended: nothing can be shared with them.'}
      </p>
      {isActive && !mayRead && <NoReader {...{ principalId, shared: search.shared }} />}
    </>
  );
};

export const PersonField = ({ label, value, onType, search, isOptional = false }: Props) => (
  <>
    <TextField
      label={label}
      help="A name is found by the beginnings of its words."
      value={value}
      onType={onType}
      maxLength={200}
      isRequired={!isOptional}
    />
    <Found search={search} onType={onType} />
  </>
);
