/** Activity of one principal: security events about it, or by it. */
import { PageHeading } from '../../components/page-heading';
import { hasScope } from '../../kernel/permissions';
import { withQuery } from '../../kernel/router';
import { useName } from '../../references/reference';
import type { PageProps } from '../../shell/section';
import { activityPath, principalPath, refusedRequestsOf } from '../paths';
import { SecurityEventTable, TailState } from './security-event-table';
import { useSecurityEvents } from './use-security-events';

interface TabsProps {
  readonly principalId: string;
  readonly current: 'overview' | 'activity';
}

export const PrincipalTabs = ({ principalId, current }: TabsProps) => {
  if (!hasScope('security:read')) return null;
  const here = (name: TabsProps['current']) => (name === current ? { 'aria-current': 'page' as const } : {});
  return (
    <nav class="tabs" aria-label="About this principal">
      <a href={principalPath(principalId)} {...here('overview')}>
        Overview
      </a>
      <a href={activityPath(principalId)} {...here('activity')}>
        Activity
      </a>
    </nav>
  );
};

const anyEvent = {
  ...{ principalIds: '', clientIds: '', actors: '', type: '', severity: '' },
  ...{ result: '', jti: '', from: '', to: '', about: '' },
};

export const PrincipalActivityPage = ({ params, query }: PageProps) => {
  const { principalId = '' } = params;
  const name = useName('principal', principalId);
  const isBy = query.get('of') === 'actor';
  const filter = isBy ? { actors: principalId } : { principalIds: principalId };
  const { pages, state } = useSecurityEvents({ ...anyEvent, ...filter });
  const path = activityPath(principalId);
  const other = isBy ? path : withQuery(path, { of: 'actor' });
  return (
    <>
      <PageHeading
        title={name ?? principalId}
        trail={[{ label: 'Principals', path: '/console/principals' }]}
        lead={isBy ? 'Events that this principal caused.' : 'Events about this principal.'}
      >
        <TailState state={state} />
        <a class="button" href={refusedRequestsOf({ principalId })}>
          Refused requests
        </a>
        <a class="button" href={other}>
          {isBy ? 'Events about it' : 'Events by it'}
        </a>
      </PageHeading>
      <PrincipalTabs principalId={principalId} current="activity" />
      <SecurityEventTable pages={pages} isOfOne />
    </>
  );
};
