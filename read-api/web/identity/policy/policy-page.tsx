/** The access policy of the tenant: its versions, the document, and what it decides. */
import { useState } from 'preact/hooks';
import {
  endAccessPolicyShadow,
  enforceAccessPolicy,
  getAccessPolicyVersion,
  listAccessPolicyVersions,
  shadowAccessPolicy,
  turnOffAccessPolicy,
} from '../../../../packages/client/src/operations';
import type { AccessPolicyVersion } from '../../../../packages/client/src/schemas';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { EmptyState } from '../../components/empty-state';
import { Guide } from '../../components/guide';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import { ProblemMessage } from '../../components/problem-message';
import { StatusBadge } from '../../components/status-badge';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { read } from '../../kernel/api-client';
import { hasScope } from '../../kernel/permissions';
import type { Problem } from '../../kernel/problem';
import { showToast } from '../../kernel/toasts';
import { useCommand } from '../../kernel/use-command';
import { usePages } from '../../kernel/use-pages';
import { type ReasonedAction, RowButton, useActions } from '../shared/action-dialog';
import { PolicyDifferences } from './policy-differences';
import { PolicyEditor } from './policy-editor';
import { PolicyExplainer } from './policy-explainer';

const starter = JSON.stringify(
  {
    covers: [{ paths: ['/v1/documents/**'] }],
    rules: [
      { ruleId: 'people', effect: 'ALLOW', principal: { types: ['HUMAN'] } },
      {
        ruleId: 'agents-need-approval',
        effect: 'STEP_UP_REQUIRED',
        principal: { types: ['AI_AGENT'] },
        action: { methods: ['POST', 'PUT', 'DELETE'] },
      },
    ],
  },
  undefined,
  2,
);

const columns: readonly Column<AccessPolicyVersion>[] = [
  {
    title: 'Version',
    show: ({ version, note, isEnforced, isShadow }) => (
      <>
        {version} {isEnforced && <StatusBadge tone="good">enforced</StatusBadge>}
        {isShadow && <StatusBadge tone="warn">in shadow</StatusBadge>}
        {note !== null && <div class="below wraps">{note}</div>}
      </>
    ),
  },
  { title: 'Rules', kind: 'number', isWide: true, show: ({ rules }) => rules },
  { title: 'Added', kind: 'tight', isWide: true, show: ({ draftedAt }) => <Timestamp at={draftedAt} /> },
];

const turningOff: ReasonedAction = {
  title: 'Turn the policy off?',
  text: 'Scopes alone decide then. The versions stay.',
  act: 'Turn off',
  success: 'The policy is off.',
  isDangerous: true,
  command: (reason) => turnOffAccessPolicy({ body: { reason } }),
};

export const PolicyPage = () => {
  const versions = usePages(listAccessPolicyVersions({ limit: 50 }));
  const [text, setText] = useState(starter);
  const [explained, setExplained] = useState<number>();
  const [enforcing, setEnforcing] = useState<number>();
  const [problem, setProblem] = useState<Problem>();
  const { openDialog, dialog } = useActions(versions.reload);
  const send = useCommand();
  const known = versions.items ?? [];
  const last = known[0]?.version ?? 0;
  const enforced = known.find(({ isEnforced }) => isEnforced)?.version;
  const shadowed = known.find(({ isShadow }) => isShadow)?.version;
  const [mayDraft, mayEnforce] = [hasScope('security:write'), hasScope('tenant:write')];
  const open = async (version: number): Promise<void> => {
    const found = await read(getAccessPolicyVersion({ policyVersion: version }));
    setProblem(found.ok ? undefined : found.problem);
    if (!found.ok) return;
    setText(JSON.stringify(found.content.document, undefined, 2));
    setExplained(version);
  };
  const shadow = async ({ version, isShadow }: AccessPolicyVersion): Promise<void> => {
    const done = await send(isShadow ? endAccessPolicyShadow({}) : shadowAccessPolicy({ policyVersion: version }));
    setProblem(done.ok ? undefined : done.problem);
    if (!done.ok) return;
    showToast(isShadow ? 'The shadow has ended.' : `Version ${version} is in shadow.`);
    versions.reload();
  };
  const actions: Column<AccessPolicyVersion> = {
    title: 'Actions',
    kind: 'tight',
    show: (row) => {
      const what = `version ${row.version}`;
      const isEarlier = enforced !== undefined && row.version < enforced;
      return (
        <span class="row-actions">
          <RowButton label="Open" what={what} onPress={() => void open(row.version)} />{' '}
          {mayDraft && !row.isEnforced && (
            <RowButton label={row.isShadow ? 'End shadow' : 'Shadow'} what={what} onPress={() => void shadow(row)} />
          )}{' '}
          {mayEnforce && !row.isEnforced && (
            <RowButton
              label={isEarlier ? 'Roll back' : 'Enforce'}
              what={what}
              onPress={() => setEnforcing(row.version)}
            />
          )}
        </span>
      );
    },
  };
  return (
    <>
      <PageHeading title="Access policy" lead="Rules over who may do what, beyond scopes, at every door.">
        {mayEnforce && enforced !== undefined && (
          <button type="button" class="button danger" onClick={() => openDialog(turningOff)}>
            Turn off
          </button>
        )}
      </PageHeading>
      <p>
        A version in shadow is evaluated on live requests and refuses nothing.{' '}
        <Guide name="identity#access-policy" group="policies" />
      </p>
      {problem !== undefined && <ProblemMessage problem={problem} />}
      <section class="section">
        <h2>Versions</h2>
        <PagedTable
          pages={versions}
          label="Versions"
          one="version"
          columns={[...columns, actions]}
          keyOf={({ version }) => String(version)}
          empty={<EmptyState title="No version yet">Scopes alone decide until one is enforced.</EmptyState>}
        />
      </section>
      {shadowed !== undefined && <PolicyDifferences version={shadowed} />}
      {mayDraft && <PolicyEditor initial={text} nextVersion={last + 1} onDrafted={versions.reload} />}
      {last > 0 && <PolicyExplainer version={explained ?? enforced ?? last} />}
      {dialog}
      {enforcing !== undefined && (
        <ConfirmDialog
          title={`Enforce version ${enforcing}?`}
          act="Enforce"
          success={`Version ${enforcing} is enforced.`}
          close={() => setEnforcing(undefined)}
          onAct={async () => {
            const done = await send(enforceAccessPolicy({ policyVersion: enforcing }));
            if (!done.ok) return done.problem;
            versions.reload();
            return undefined;
          }}
        >
          <p>It takes effect at every gateway within a second.</p>
        </ConfirmDialog>
      )}
    </>
  );
};
