/** The page of access: alarms, sign-ins over time, who is signed in, and which key signs. */
import {
  listApprovals,
  listClients,
  listPrincipals,
  listSecurityEvents,
  listSessions,
  listSigningKeys,
} from '../../../packages/client/src/operations';
import { AsyncContent } from '../components/async-content';
import { LiveCharts, type LiveMetric } from '../components/live-charts';
import { PageHeading } from '../components/page-heading';
import { type Column, Table } from '../components/table';
import { Timestamp } from '../components/timestamp';
import { countOf, perMinuteOf } from '../kernel/format';
import { hasScope } from '../kernel/permissions';
import { withQuery } from '../kernel/router';
import { useResource } from '../kernel/use-resource';
import { Reference } from '../references/reference';
import { approvalsPath, credentialsPath, revokeTokenPath } from './fixed-paths';
import { RecentAlarms, securityEventsPath } from './security-events/recent-alarms';
import { Summary } from './security-events/security-event-table';
import { Severity } from './security-events/severity';
import { isOver, MethodList } from './shared/display';
import type { SecurityEvent, Session } from './wire';

const metrics: readonly LiveMetric[] = [
  {
    title: 'Sign-ins',
    path: '/console/sessions',
    series: [
      { label: 'sessions opened', tone: 'accent', series: 'sessions-opened' },
      { label: 'failed', tone: 'bad', series: 'sign-ins-failed' },
    ],
    format: perMinuteOf,
    isByMinute: true,
  },
];

const everyMilliseconds = 10_000;
/** Beyond it the page shows `100 or more`. */
const maxCounted = 100;
const maxListed = 5;

interface Counted {
  readonly items: readonly unknown[];
  readonly next_cursor?: string | null | undefined;
}

const countText = (page: Counted | undefined): string => {
  if (page === undefined) return '…';
  const isMore = page.next_cursor !== undefined && page.next_cursor !== null;
  return isMore ? `${page.items.length} or more` : String(page.items.length);
};

interface FactProps {
  readonly title: string;
  readonly path: string;
  readonly value: string;
}

const Fact = ({ title, path, value }: FactProps) => (
  <div>
    <dt>
      <a href={path}>{title}</a>
    </dt>
    <dd>{value}</dd>
  </div>
);

const People = () => {
  const { content } = useResource(listPrincipals({ principalType: 'HUMAN', limit: maxCounted }));
  return (
    <Fact
      title="People"
      path={withQuery('/console/principals', { principalType: 'HUMAN' })}
      value={countText(content)}
    />
  );
};

const Clients = () => {
  const { content } = useResource(listClients({ limit: maxCounted }));
  return <Fact title="Clients" path="/console/clients" value={countText(content)} />;
};

const SignedIn = () => {
  const { content } = useResource(listSessions({ status: 'ACTIVE', limit: maxCounted }), { everyMilliseconds });
  return <Fact title="Active sessions" path="/console/sessions" value={countText(content)} />;
};

const WaitingApprovals = () => {
  const { content } = useResource(listApprovals({ status: 'PENDING', limit: maxCounted }), { everyMilliseconds });
  // Requests that no person decided in time keep their status.
  const items = content?.items.filter(({ expiresAt }) => !isOver(expiresAt));
  return (
    <Fact
      title="Actions that wait for approval"
      path={approvalsPath}
      value={countText(items === undefined ? undefined : { items })}
    />
  );
};

const ActiveKeys = () => {
  const { content } = useResource(listSigningKeys({ state: 'ACTIVE', limit: maxCounted }));
  const algorithms = content?.items.map(({ algorithm }) => algorithm).join(', ');
  return (
    <Fact
      title="Signing keys"
      path="/console/signing-keys"
      value={algorithms === undefined ? '…' : algorithms === '' ? 'None is active' : algorithms}
    />
  );
};

const sessionColumns: readonly Column<Session>[] = [
  { title: 'Principal', show: ({ principalId }) => <Reference kind="principal" id={principalId} isShort /> },
  { title: 'Methods', isWide: true, show: ({ methods }) => <MethodList methods={methods} /> },
  { title: 'Signed in', kind: 'tight', show: ({ openedAt }) => <Timestamp at={openedAt} /> },
];

const LatestSessions = () => {
  const sessions = useResource(listSessions({ status: 'ACTIVE', limit: maxListed }), { everyMilliseconds });
  return (
    <section class="section">
      <div class="section-head">
        <h2>Latest sign-ins</h2>
        <a href="/console/sessions">All sessions</a>
      </div>
      <AsyncContent source={sessions} rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="quiet">No one is signed in. Programs that use a credential have no session.</p>
          ) : (
            <Table label="Latest sign-ins" rows={items} columns={sessionColumns} keyOf={({ sessionId }) => sessionId} />
          )
        }
      </AsyncContent>
    </section>
  );
};

const eventColumns: readonly Column<SecurityEvent>[] = [
  { title: 'Event', show: (event) => <Summary event={event} /> },
  { title: 'Severity', kind: 'tight', show: ({ severity }) => <Severity severity={severity} /> },
  { title: 'At', kind: 'tight', isWide: true, show: ({ timestamp }) => <Timestamp at={timestamp} /> },
];

const SeriousEvents = () => {
  const events = useResource(listSecurityEvents({ severity: 'SEV-2', limit: maxListed }), { everyMilliseconds });
  return (
    <section class="section">
      <div class="section-head">
        <h2>Serious events</h2>
        <a href={securityEventsPath}>All security events</a>
      </div>
      <AsyncContent source={events} rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="quiet">No serious event (SEV-2) has been recorded.</p>
          ) : (
            <>
              <Table label="Serious events" rows={items} columns={eventColumns} keyOf={({ eventId }) => eventId} />
              <p class="more">
                <span>The latest {countOf(items.length, 'event')}</span>
                <a href={withQuery(securityEventsPath, { severity: 'SEV-2' })}>Show SEV-2 events</a>
              </p>
            </>
          )
        }
      </AsyncContent>
    </section>
  );
};

export const AccessOverviewPage = () => (
  <>
    <PageHeading title="Access" lead="Who may do what, who is signed in, and what went wrong.">
      <a class="button" href={credentialsPath}>
        Credentials
      </a>
      {hasScope('tokens:revoke') && (
        <a class="button" href={revokeTokenPath}>
          Revoke a token
        </a>
      )}
    </PageHeading>
    {hasScope('security:read') && <RecentAlarms />}
    <dl class="facts">
      <People />
      {hasScope('clients:read') && <Clients />}
      {hasScope('sessions:read') && <SignedIn />}
      {hasScope('approvals:decide') && <WaitingApprovals />}
      {hasScope('keys:read') && <ActiveKeys />}
    </dl>
    <LiveCharts metrics={metrics} />
    {hasScope('security:read') && <SeriousEvents />}
    {hasScope('sessions:read') && <LatestSessions />}
  </>
);
