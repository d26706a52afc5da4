/** Rows of the access policy: a change of what is enforced changes what everyone of the tenant may do. */
import { accessPolicies } from '../../../../domain/identity/policy/events';
import { streamsOf } from '../../../kernel/projection';
import { type RowSource, row } from '../row';

export const accessPolicyEvents: RowSource = streamsOf(accessPolicies, {
  AccessPolicyDrafted: (recorded) => {
    const { version, note } = recorded.data;
    return row(recorded, { summary: `Access policy: version ${version} drafted`, details: { version, note } });
  },
  AccessPolicyShadowed: (recorded) => {
    const { version } = recorded.data;
    return row(recorded, { summary: `Access policy: version ${version} in shadow`, details: { version } });
  },
  AccessPolicyShadowEnded: (recorded) => {
    const { version } = recorded.data;
    return row(recorded, { summary: `Access policy: shadow of version ${version} ended`, details: { version } });
  },
  AccessPolicyEnforced: (recorded) => {
    const { version, previous } = recorded.data;
    const how = previous !== null && version < previous ? `rolled back from version ${previous} to` : 'enforced:';
    return row(recorded, { summary: `Access policy ${how} version ${version}`, details: { version, previous } });
  },
  AccessPolicyTurnedOff: (recorded) => {
    const { version, reason } = recorded.data;
    const summary = `Access policy turned off, version ${version}: ${reason}`;
    return row(recorded, { summary, details: { version, reason } });
  },
});
