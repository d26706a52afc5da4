/** What a tenant allows applications that register themselves: audiences, and hosts whose metadata documents are clients. */

import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import type { TenantId } from '../../kernel/ids';
import { Audience } from '../ids';

/** `*`: every host. */
const MetadataHost = text('MetadataHost', {
  maxLength: 253,
  pattern: '\\*|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?',
  examples: ['client.example.org'],
});

export const registrationPolicyFields = {
  /** Audiences of such clients besides the first. */
  audiences: t.array(Audience, 'OpenedAudiences'),
  /** Hosts of client_ids that are URLs (client id metadata documents); none: they are off. */
  metadataHosts: t.array(MetadataHost, 'MetadataHosts'),
};

export const registrationPolicies = aggregate(
  { context: 'identity', name: 'registrationPolicy' },
  {
    RegistrationPolicySet: { v: 1, data: registrationPolicyFields },
    /** The audiences and hosts that were opened; a separate event for monitoring. */
    RegistrationPolicyLoosened: { v: 1, data: registrationPolicyFields },
  },
);
export type RegistrationPolicyEvent = typeof registrationPolicies.Event;
export type RegistrationPolicy = TypeOf<t.TypeC<typeof registrationPolicyFields>>;

export const registrationPolicyStream = (tenant: TenantId): string => registrationPolicies.stream(tenant, 'policy');
