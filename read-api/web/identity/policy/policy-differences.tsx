/** Where the version in shadow would have decided otherwise. */
import { listAccessPolicyDifferences } from '../../../../packages/client/src/operations';
import type { PolicyDifference } from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { type Column, Table } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { useResource } from '../../kernel/use-resource';
import { Reference } from '../../references/reference';

const outcomes: { readonly [outcome in PolicyDifference['shadowEffect']]: string } = {
  ALLOW: 'allowed',
  DENY: 'denied',
  STEP_UP_REQUIRED: 'approval required',
  SIGN_IN_REQUIRED: 'sign-in required',
};

const columns: readonly Column<PolicyDifference>[] = [
  {
    title: 'Request',
    show: ({ method, operation, ruleId }) => (
      <>
        {operation ?? method}
        <div class="below">{ruleId ?? 'no rule'}</div>
      </>
    ),
  },
  { title: 'Now', show: ({ enforcedEffect }) => outcomes[enforcedEffect] },
  { title: 'In shadow', show: ({ shadowEffect }) => outcomes[shadowEffect] },
  {
    title: 'Principal',
    isWide: true,
    show: ({ principalId }) => <Reference kind="principal" id={principalId} isShort />,
  },
  { title: 'Time', kind: 'tight', isWide: true, show: ({ at }) => <Timestamp at={at} /> },
];

export const PolicyDifferences = ({ version }: { readonly version: number }) => (
  <section class="section">
    <h2>Version {version} in shadow</h2>
    <AsyncContent source={useResource(listAccessPolicyDifferences({ policyVersion: version }))} rows={2}>
      {({ evaluated, different, items }) => (
        <>
          <p role="status">
            {different} of {evaluated} requests would have been decided otherwise.
          </p>
          {items.length > 0 && (
            <Table
              label="Differences"
              rows={items}
              columns={columns}
              keyOf={({ at, principalId, method, operation }) => `${at} ${principalId} ${method} ${operation}`}
            />
          )}
        </>
      )}
    </AsyncContent>
  </section>
);
