/** Security events of a principal, newest first. */

import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { exactTimeOf } from '../../kernel/format';
import { hasScope } from '../../kernel/permissions';
import type { Pages } from '../../kernel/use-pages';
import { eventPath } from '../../platform/paths';
import { principalTypeNames } from '../../references/principal-type-names';
import { Actor } from '../../references/reference';
import { ActingFor } from '../shared/acting-for';
import type { HistoryItem } from '../wire';

const splitCamelCase = (type: string): string => type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
/** Types with a clearer text than their name. */
const typeTexts: Readonly<Record<string, string>> = {
  SecurityEpochBumped: 'All tokens revoked',
  AdministratorRecovered: 'Administrator restored by break-glass',
};

const readableType = (type: string): string => {
  const text = Object.hasOwn(typeTexts, type) ? typeTexts[type] : undefined;
  if (text !== undefined) return text;
  const words = splitCamelCase(type);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

/** A longer list, as of scopes, is shown as a number. */
const maxListed = 4;

const isPrincipalType = (value: unknown): value is keyof typeof principalTypeNames =>
  typeof value === 'string' && Object.hasOwn(principalTypeNames, value);

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

const textOf = (value: unknown): string => {
  if (isPrincipalType(value)) return principalTypeNames[value];
  if (Array.isArray(value)) return value.length > maxListed ? String(value.length) : value.join(', ');
  return typeof value === 'string' && instant.test(value) ? exactTimeOf(value) : String(value);
};

/** Shortened to one line; the log explorer has all. */
const detailOf = ({ details }: HistoryItem): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${splitCamelCase(name)}: ${textOf(value)}`)
    .join('; ')
    .slice(0, 300);

const columnsOf = (stream: string): readonly Column<HistoryItem>[] => [
  {
    title: 'Event',
    show: (item) => (
      <>
        {hasScope('platform:read') ? (
          <a href={eventPath(stream, item.revision)}>{readableType(item.type)}</a>
        ) : (
          readableType(item.type)
        )}
        {item.reason !== null && <div class="below">{item.reason}</div>}
        {Object.keys(item.details).length > 0 && <div class="below">{detailOf(item)}</div>}
        <div class="below narrow dotted">
          <span>
            by <Actor actor={item.actor} />
            <ActingFor details={item.details} />
          </span>
          <Timestamp at={item.at} />
        </div>
      </>
    ),
  },
  {
    title: 'By',
    isWide: true,
    show: ({ actor, details }) => (
      <>
        <Actor actor={actor} />
        <ActingFor details={details} />
      </>
    ),
  },
  { title: 'At', kind: 'tight', isWide: true, show: ({ at }) => <Timestamp at={at} /> },
];

interface Props {
  readonly pages: Pages<HistoryItem>;
  /** Of the events. */
  readonly stream: string;
}

export const History = ({ pages, stream }: Props) => (
  <section class="section">
    <h2>History</h2>
    <PagedTable
      pages={pages}
      label="History"
      one="event"
      columns={columnsOf(stream)}
      keyOf={({ eventId }) => eventId}
      empty={<p class="notice">No events yet.</p>}
      rows={3}
    />
  </section>
);
