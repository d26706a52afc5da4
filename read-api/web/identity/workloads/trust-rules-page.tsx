/** Which workloads the tenant trusts, and what they get. */
import { useState } from 'preact/hooks';
import {
  endTrustRule,
  endWorkloadIssuer,
  listTrustRules,
  listWorkloadIssuers,
} from '../../../../packages/client/src/operations';
import type { KnownTrustRule, KnownWorkloadIssuer } from '../../../../packages/client/src/schemas';
import { EmptyState } from '../../components/empty-state';
import { Guide } from '../../components/guide';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { hasScope, ownTenant } from '../../kernel/permissions';
import { usePages } from '../../kernel/use-pages';
import { Reference } from '../../references/reference';
import { type ReasonedAction, RowButton, useActions } from '../shared/action-dialog';
import { TagList } from '../shared/display';
import { conditionText, kindNames } from './attribute-names';
import { IssuerDialog } from './issuer-form';
import { RuleDialog } from './rule-form';
import { RuleTester } from './rule-tester';

const issuerColumns: readonly Column<KnownWorkloadIssuer>[] = [
  {
    title: 'Issuer',
    show: ({ name, issuer }) => (
      <>
        {name}
        <div class="below mono wraps">{issuer}</div>
      </>
    ),
  },
  { title: 'Kind', isWide: true, show: ({ kind }) => kindNames[kind] },
  {
    title: 'Keys',
    isWide: true,
    show: ({ keysUri, keyIds }) => (keyIds !== null ? 'Recorded here' : (keysUri ?? 'Found at the issuer')),
  },
  { title: 'Trusted', kind: 'tight', isWide: true, show: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

const ruleColumns = (issuers: readonly KnownWorkloadIssuer[]): readonly Column<KnownTrustRule>[] => [
  {
    title: 'Rule',
    show: ({ name, issuerId, conditions }) => (
      <>
        {name}
        <div class="below">{issuers.find((issuer) => issuer.issuerId === issuerId)?.name ?? 'Another issuer'}</div>
        {conditions.map((condition) => (
          <div class="below wraps" key={condition.attribute}>
            {conditionText(condition)}
          </div>
        ))}
      </>
    ),
  },
  { title: 'Acts as', show: ({ principalId }) => <Reference kind="principal" id={principalId} isShort /> },
  { title: 'Scopes', isWide: true, show: ({ scopes }) => <TagList words={scopes} most={4} /> },
  { title: 'Audience', isWide: true, show: ({ audience }) => audience },
];

const endingRule = ({ ruleId, name }: KnownTrustRule): ReasonedAction => ({
  title: `End the rule “${name}”?`,
  text: 'Its workloads get no more tokens. Those that they have end within five minutes.',
  act: 'End the rule',
  success: 'The rule has ended.',
  isDangerous: true,
  command: (reason) => endTrustRule({ ruleId, body: { reason } }),
});

const endingIssuer = ({ issuerId, name }: KnownWorkloadIssuer): ReasonedAction => ({
  title: `End the trust in “${name}”?`,
  text: 'Its rules end, too: its workloads get no more tokens. Those that they have end within five minutes.',
  act: 'End the trust',
  success: 'The issuer is no longer trusted.',
  isDangerous: true,
  command: (reason) => endWorkloadIssuer({ issuerId, body: { reason } }),
});

interface ActionsProps<Row> {
  readonly nameOf: (row: Row) => string;
  readonly onChange: (row: Row) => void;
  readonly onEnd: (row: Row) => void;
}

const actionColumn = <Row,>({ nameOf, onChange, onEnd }: ActionsProps<Row>): Column<Row> => ({
  title: 'Actions',
  kind: 'tight',
  show: (row) => (
    <span class="row-actions">
      <RowButton label="Change" what={nameOf(row)} onPress={() => onChange(row)} />{' '}
      <RowButton label="End" what={nameOf(row)} isDangerous onPress={() => onEnd(row)} />
    </span>
  ),
});

type Opened =
  | { readonly kind: 'issuer'; readonly issuer?: KnownWorkloadIssuer }
  | { readonly kind: 'rule'; readonly rule?: KnownTrustRule };

export const TrustRulesPage = () => {
  const issuers = usePages(listWorkloadIssuers({ status: 'ACTIVE', limit: 50 }));
  const rules = usePages(listTrustRules({ status: 'ACTIVE', limit: 50 }));
  const [opened, setOpened] = useState<Opened>();
  const reload = (): void => {
    issuers.reload();
    rules.reload();
  };
  const { openDialog, dialog } = useActions(reload);
  const known = issuers.items ?? [];
  const [mayTrust, mayRule] = [hasScope('security:write'), hasScope('credentials:write')];
  const close = (): void => setOpened(undefined);
  const issuerActions = actionColumn<KnownWorkloadIssuer>({
    nameOf: ({ name }) => name,
    onChange: (issuer) => setOpened({ kind: 'issuer', issuer }),
    onEnd: (issuer) => openDialog(endingIssuer(issuer)),
  });
  const ruleActions = actionColumn<KnownTrustRule>({
    nameOf: ({ name }) => name,
    onChange: (rule) => setOpened({ kind: 'rule', rule }),
    onEnd: (rule) => openDialog(endingRule(rule)),
  });
  const ruleList = ruleColumns(known);
  const audience = `${location.origin}/tenants/${ownTenant()}`;
  return (
    <>
      <PageHeading
        title="Trust rules"
        lead="Jobs, containers and machines that get tokens by what their platform attests, without a secret."
      >
        {mayTrust && (
          <button type="button" class="button" onClick={() => setOpened({ kind: 'issuer' })}>
            Trust an issuer
          </button>
        )}
        {mayRule && known.length > 0 && (
          <button type="button" class="button primary" onClick={() => setOpened({ kind: 'rule' })}>
            Make a rule
          </button>
        )}
      </PageHeading>
      <p>
        Workloads ask their platform for credentials with the audience <code>{audience}</code>, and with no other.{' '}
        <Guide name="identity#act-without-a-secret" group="workloads" />
      </p>
      <section class="section">
        <h2>Issuers</h2>
        <PagedTable
          pages={issuers}
          label="Issuers"
          one="issuer"
          columns={mayTrust ? [...issuerColumns, issuerActions] : issuerColumns}
          keyOf={({ issuerId }) => issuerId}
          empty={
            <EmptyState title="No issuer is trusted yet">
              A CI system, a cluster or a SPIFFE trust domain that signs what its workloads are.
            </EmptyState>
          }
        />
      </section>
      <section class="section">
        <h2>Rules</h2>
        <PagedTable
          pages={rules}
          label="Rules"
          one="rule"
          columns={mayRule ? [...ruleList, ruleActions] : ruleList}
          keyOf={({ ruleId }) => ruleId}
          empty={
            <EmptyState title="No rules yet">
              A rule says what a workload must be, and which pipeline or AI agent it acts as.
            </EmptyState>
          }
        />
      </section>
      <RuleTester />
      {dialog}
      {opened?.kind === 'issuer' && (
        <IssuerDialog {...(opened.issuer === undefined ? {} : { issuer: opened.issuer })} done={reload} close={close} />
      )}
      {opened?.kind === 'rule' && (
        <RuleDialog
          issuers={known}
          {...(opened.rule === undefined ? {} : { rule: opened.rule })}
          done={reload}
          close={close}
        />
      )}
    </>
  );
};
