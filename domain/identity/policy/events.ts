/**
 * The access policy of a tenant, in versions. Versions that gateways evaluate are repeated with the event that puts them into effect, so that a
 * gateway needs these events alone.
 */
import type { TypeOf } from 'io-ts';
import { integer, nullable, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import type { TenantId } from '../../kernel/ids';
import { Reason } from '../principal/events';
import { PolicyDocument } from './document';

export const maxVersions = 200;

export const PolicyVersion = integer(1, maxVersions);
export type PolicyVersion = TypeOf<typeof PolicyVersion>;

export const PolicyNote = text('PolicyNote', {
  content: 'lines',
  maxLength: 500,
  examples: ['Payments need an approval.'],
});

export const accessPolicies = aggregate(
  { context: 'identity', name: 'accessPolicy' },
  {
    AccessPolicyDrafted: {
      v: 1,
      data: { version: PolicyVersion, document: PolicyDocument, note: nullable(PolicyNote) },
    },
    /** Gateways evaluate it beside what is enforced, and count the differences. It takes the place of an earlier one. */
    AccessPolicyShadowed: { v: 1, data: { version: PolicyVersion, document: PolicyDocument } },
    AccessPolicyShadowEnded: { v: 1, data: { version: PolicyVersion } },
    /** A version below `previous` is a roll-back. */
    AccessPolicyEnforced: {
      v: 1,
      data: { version: PolicyVersion, document: PolicyDocument, previous: nullable(PolicyVersion) },
    },
    /** Nothing is enforced until a version is again. */
    AccessPolicyTurnedOff: { v: 1, data: { version: PolicyVersion, reason: Reason } },
  },
);
export type AccessPolicyEvent = typeof accessPolicies.Event;

export const accessPolicyStream = (tenant: TenantId): string => accessPolicies.stream(tenant, 'policy');
