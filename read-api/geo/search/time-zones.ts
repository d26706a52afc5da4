/** Names of time zones that a tenant's places have, remembered for a moment: feeds use older and newer names than the runtime lists. */

import { isLeft } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import type { IndexQueries } from '../../../infra/ports/views/index-query';
import { placeIndexView } from '../../../projections/geo/place-index/view';

const rememberMilliseconds = 30_000;
const maxTenants = 1_000;
const maxZones = 1_000;

interface Remembered {
  readonly until: number;
  readonly zones: Promise<readonly string[]>;
}

const zonesIn = async (indexes: Pick<IndexQueries, 'search'>, tenantId: string): Promise<readonly string[]> => {
  const found = await indexes.search(placeIndexView, tenantId, {
    limit: 0,
    acceptPartial: true,
    aggregations: { zones: { kind: 'terms', field: 'timeZone', size: maxZones } },
  });
  // The search itself then returns the problem.
  if (isLeft(found)) return [];
  const { zones } = found.right.aggregations;
  return zones?.kind === 'buckets' ? zones.buckets.map(({ key }) => String(key)) : [];
};

export type TimeZones = (tenantId: string, at: number) => Promise<readonly string[]>;

export const openTimeZones = (indexes: Pick<IndexQueries, 'search'>): TimeZones => {
  const remembered = new LRUCache<string, Remembered>({ max: maxTenants });
  return (tenantId, at) => {
    const known = remembered.get(tenantId);
    if (known !== undefined && at < known.until) return known.zones;
    const zones = zonesIn(indexes, tenantId);
    remembered.set(tenantId, { until: at + rememberMilliseconds, zones });
    return zones;
  };
};
