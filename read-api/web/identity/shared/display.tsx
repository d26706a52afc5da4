/** Description list, status tag, tag list and select filter. */
import type { ComponentChildren } from 'preact';
import { ChoiceField } from '../../components/form-fields';
import { StatusBadge, type Tone } from '../../components/status-badge';

export type DescriptionEntry = readonly [name: string, value: ComponentChildren];

export const DescriptionList = ({ facts }: { readonly facts: readonly DescriptionEntry[] }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

const tones: Readonly<Record<string, Tone>> = {
  ACTIVE: 'good',
  SUSPENDED: 'warn',
  DISABLED: 'warn',
  COMPROMISED: 'bad',
  REVOKED: 'bad',
};

interface StatusProps {
  readonly status: string;
  readonly expiresAt?: string | null;
}

/** Two weeks, like the log's warning about expiring credentials. */
const soonMilliseconds = 14 * 86_400_000;

export const isSoonOver = (expiresAt: string | null): boolean =>
  expiresAt !== null && !isOver(expiresAt) && Date.parse(expiresAt) - Date.now() < soonMilliseconds;

export const isOver = (expiresAt: string | null | undefined): boolean =>
  expiresAt !== undefined && expiresAt !== null && Date.parse(expiresAt) <= Date.now();

export const Status = ({ status, expiresAt }: StatusProps) => {
  if (status === 'ACTIVE' && isOver(expiresAt)) return <StatusBadge>expired</StatusBadge>;
  return <StatusBadge tone={tones[status] ?? 'plain'}>{status.toLowerCase()}</StatusBadge>;
};

interface TagListProps {
  readonly words: readonly string[];
  /** Beyond this number, shows a count. */
  readonly most?: number;
}

export const TagList = ({ words, most = 6 }: TagListProps) => {
  if (words.length === 0) return <span class="faint">—</span>;
  return (
    <span class="tags">
      {words.slice(0, most).map((term) => (
        <StatusBadge key={term}>{term}</StatusBadge>
      ))}
      {words.length > most && <StatusBadge>and {words.length - most} more</StatusBadge>}
    </span>
  );
};

/** RFC 8176. */
const methodNames: Readonly<Record<string, string>> = {
  pwd: 'password',
  otp: 'authenticator app',
  hwk: 'passkey',
  fed: 'identity provider',
  mfa: 'multi-factor',
};

/** How a person authenticated. That a person was present (`user`) follows from a passkey. */
export const MethodList = ({ methods }: { readonly methods: readonly string[] }) => (
  <TagList words={methods.filter((method) => method !== 'user').map((method) => methodNames[method] ?? method)} />
);

interface SelectFilterProps {
  readonly label: string;
  readonly value: string;
  readonly words: readonly string[];
  /** By default the word in lower case. */
  readonly labelOf?: (term: string) => string;
  readonly onChoose: (value: string) => void;
}

const readableWord = (term: string): string => term.toLowerCase().replaceAll('_', ' ');

export const SelectFilter = ({ label, value, words, labelOf = readableWord, onChoose }: SelectFilterProps) => (
  <ChoiceField
    label={label}
    value={value}
    options={[{ value: '', label: 'Any' }, ...words.map((term) => ({ value: term, label: labelOf(term) }))]}
    onChoose={onChoose}
  />
);
