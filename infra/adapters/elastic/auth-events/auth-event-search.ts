/** Finds AuthEvents of one tenant, the newest first. */
import type { estypes } from '@elastic/elasticsearch';
import { isLeft, left, right } from 'fp-ts/Either';
import { AuthEvent } from '../../../../domain/identity/protocol/auth-event';
import { decodeStored } from '../../../../domain/kernel/codec';
import { fault } from '../../../../domain/kernel/rejection';
import type { AuthEventQuery, AuthEventReader } from '../../../ports/identity/auth-events';
import { openElastic } from '../client';
import { attempt } from './auth-event-index';
import { authEventsAlias } from './documents';

/** Upper bound of a query: a store that does not answer is unavailable before the client gives up. */
const queryMilliseconds = 5_000;

const filtersOf = (
  tenantId: string | null,
  { principalIds, result, reason, jti, from, to }: AuthEventQuery,
): estypes.QueryDslQueryContainer[] => {
  const terms = { result, reason, jti };
  return [
    tenantId === null ? { bool: { must_not: { exists: { field: 'tenantId' } } } } : { term: { tenantId } },
    ...Object.entries(terms).flatMap(([field, value]) => (value === undefined ? [] : [{ term: { [field]: value } }])),
    ...(principalIds === undefined ? [] : [{ terms: { principalId: [...principalIds] } }]),
    ...(from === undefined ? [] : [{ range: { timestamp: { gte: from } } }]),
    ...(to === undefined ? [] : [{ range: { timestamp: { lt: to } } }]),
  ];
};

const unreadable = left(fault('service-unavailable', 'Some of the authorization decisions are of another version.'));

export const openAuthEventSearch = ({
  url,
  prefix,
}: {
  readonly url: string;
  readonly prefix?: string | undefined;
}): Omit<AuthEventReader, 'dropped'> => {
  const client = openElastic(url, queryMilliseconds);
  return {
    find: async (tenantId, query) => {
      const found = await attempt(() =>
        client.search({
          index: authEventsAlias(prefix),
          // Before the first event there is no index.
          ignore_unavailable: true,
          query: { bool: { filter: filtersOf(tenantId, query) } },
          _source: { excludes: ['subject'] },
          size: query.limit,
          sort: [{ timestamp: 'desc' }, { eventId: 'desc' }],
          track_total_hits: false,
          allow_partial_search_results: false,
          ...(query.after === undefined ? {} : { search_after: [query.after.timestamp, query.after.eventId] }),
        }),
      );
      if (isLeft(found)) return found;
      const events: AuthEvent[] = [];
      for (const { _source: source } of found.right.hits.hits) {
        const event = decodeStored(AuthEvent, source);
        if (isLeft(event)) return unreadable;
        events.push(event.right);
      }
      return right(events);
    },
    close: () => client.close(),
  };
};
