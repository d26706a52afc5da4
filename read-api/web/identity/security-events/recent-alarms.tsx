/** Critical security events of the last week, at the top of the overview and of pages about access. */
import { listSecurityEvents } from '../../../../packages/client/src/operations';
import { Timestamp } from '../../components/timestamp';
import { countOf } from '../../kernel/format';
import { renderTime } from '../../kernel/now';
import { withQuery } from '../../kernel/router';
import { fromAddress } from '../../kernel/use-filter-input';
import { useResource } from '../../kernel/use-resource';

const everyMilliseconds = 30_000;
const maxListed = 10;
const recentMilliseconds = 7 * 86_400_000;

export const securityEventsPath = '/console/security-events';

interface Props {
  /** `platform`: events of no tenant, such as those of signing keys, for operators; else the tenant's. */
  readonly about?: string;
}

/** The newest critical events, of the last week. Nothing where there is none. */
export const RecentAlarms = ({ about = '' }: Props) => {
  const wanted = { severity: 'SEV-1', limit: maxListed, about };
  const { content } = useResource(listSecurityEvents(fromAddress(wanted)), { everyMilliseconds });
  const recent = (content?.items ?? []).filter(
    ({ timestamp }) => renderTime() - Date.parse(timestamp) < recentMilliseconds,
  );
  const [newest] = recent;
  if (newest === undefined) return null;
  const count =
    recent.length === maxListed ? `${maxListed} or more critical events` : countOf(recent.length, 'critical event');
  return (
    <section
      class="alarm"
      aria-label={about === '' ? 'Critical security events' : 'Critical security events of the platform'}
    >
      <p>
        <strong>
          {count}
          {about === '' ? '' : ' of the platform'} in the last week
        </strong>
      </p>
      <p>
        {newest.summary} <Timestamp at={newest.timestamp} />
      </p>
      <a class="button small" href={withQuery(securityEventsPath, { severity: 'SEV-1', about })}>
        Show SEV-1 events
      </a>
    </section>
  );
};
