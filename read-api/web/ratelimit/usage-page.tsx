/** Usage: of one caller's limits now, and of quotas by the hour. */
import { listUsage } from '../../../packages/client/src/operations';
import type { Usage } from '../../../packages/client/src/schemas';
import { PageHeading } from '../components/page-heading';
import { PagedTable } from '../components/paged-table';
import type { Column } from '../components/table';
import { Timestamp } from '../components/timestamp';
import { numberOf } from '../kernel/format';
import { hasScope } from '../kernel/permissions';
import { usePages } from '../kernel/use-pages';
import { RateLimitTabs } from './rate-limit-tabs';
import { WouldItPass } from './would-it-pass';

const columns: readonly Column<Usage>[] = [
  {
    title: 'Quota',
    show: ({ quotaId, usedAt }) => (
      <>
        <span class="mono">{quotaId}</span>
        <div class="below narrow">
          <Timestamp at={usedAt} />
        </div>
      </>
    ),
  },
  { title: 'Used in the hour', kind: 'number', show: ({ used }) => numberOf(used) },
  { title: 'Period from', kind: 'tight', isWide: true, show: ({ startsAt }) => <Timestamp at={startsAt} /> },
  { title: 'Until', kind: 'tight', isWide: true, show: ({ endsAt }) => <Timestamp at={endsAt} /> },
  { title: 'Last used', kind: 'tight', isWide: true, show: ({ usedAt }) => <Timestamp at={usedAt} /> },
];

export const UsagePage = () => (
  <>
    <PageHeading
      title="Rate limits"
      lead="What callers of your service have used. Counters store only hashes of callers, so look up a caller by the values that you send for it."
    />
    <RateLimitTabs current="Usage" />
    {hasScope('ratelimit:check') && <WouldItPass />}
    <section class="section">
      <h2>Quotas by the hour</h2>
      <PagedTable
        pages={usePages(listUsage({ limit: 50 }))}
        label="Quotas by the hour"
        one="entry"
        many="entries"
        columns={columns}
        keyOf={({ quotaId, startsAt, hour }) => `${quotaId} ${startsAt} ${hour}`}
        empty={<p class="notice">No quota has been used yet.</p>}
        rows={2}
      />
    </section>
  </>
);
