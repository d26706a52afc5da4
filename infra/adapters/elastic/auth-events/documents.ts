/** AuthEvents as documents: an index for each day, so that what is too old goes as a whole. */
import type { Client, estypes } from '@elastic/elasticsearch';
import { AuthEvent, hasPersonal } from '../../../../domain/identity/protocol/auth-event';
import { writeAlias } from '../index-names';

const base = 'identity_auth_events';

/** Of all days. */
export const authEventsAlias = (prefix = ''): string => `${prefix}${base}`;

export const dayIndex = (prefix: string | undefined, day: string): string => `${authEventsAlias(prefix)}_${day}`;

/** `2026-11-30` */
export const dayOf = ({ timestamp }: Pick<AuthEvent, 'timestamp'>): string => timestamp.slice(0, 10);

const dayShape = /^\d{4}-\d\d-\d\d$/;

/** Undefined: an index of something else. */
export const dayIn = (prefix: string | undefined, index: string): string | undefined => {
  const day = index.slice(authEventsAlias(prefix).length + 1);
  return dayShape.test(day) ? day : undefined;
};

const keyword = { type: 'keyword' } as const;
const stored = { type: 'keyword', index: false, doc_values: false } as const;

const properties: { readonly [Field in keyof AuthEvent | 'subject']: estypes.MappingProperty } = {
  eventId: keyword,
  timestamp: { type: 'date' },
  jti: keyword,
  principalId: keyword,
  principalType: keyword,
  tenantId: keyword,
  audience: keyword,
  scopes: stored,
  result: keyword,
  sourceIp: stored,
  deviceId: stored,
  workloadId: keyword,
  clusterId: keyword,
  dpopThumbprint: keyword,
  certThumbprint: keyword,
  reason: keyword,
  /** The vault's hash of the principal, where something personal is to go with the person. Readers do not see it. */
  subject: keyword,
};

export const createDayIndex = async (client: Client, prefix: string | undefined, day: string): Promise<void> => {
  const index = dayIndex(prefix, day);
  await client.indices.create(
    {
      index,
      settings: { number_of_shards: 1, auto_expand_replicas: '0-1', refresh_interval: '1s' },
      mappings: { dynamic: 'strict', properties: properties as Record<string, estypes.MappingProperty> },
      aliases: { [authEventsAlias(prefix)]: {}, [writeAlias(index)]: {} },
    },
    // Another projector made it meanwhile.
    { ignore: [400] },
  );
};

export const documentOf = (event: AuthEvent, subjectOf: (tenantId: string, principalId: string) => string): object => {
  const { tenantId, principalId } = event;
  const fields = AuthEvent.encode(event) as object;
  return tenantId === null || principalId === null || !hasPersonal(event)
    ? fields
    : { ...fields, subject: subjectOf(tenantId, principalId) };
};
