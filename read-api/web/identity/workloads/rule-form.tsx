/** Dialog that makes a trust rule, or changes one. */
import { useState } from 'preact/hooks';
import { changeTrustRule, makeTrustRule } from '../../../../packages/client/src/operations';
import type {
  KnownTrustCondition,
  KnownTrustRule,
  KnownWorkloadIssuer,
  NewTrustRule,
  WorkloadAttribute,
} from '../../../../packages/client/src/schemas';
import { ChoiceField, type Option, TextField } from '../../components/form-fields';
import type { FieldTexts } from '../../kernel/field-faults';
import { ServicePrincipalField } from '../clients/service-principal-field';
import { FormDialog } from '../shared/form-dialog';
import { ScopeField } from '../shared/scope-field';
import { attributeNames, attributeOptions } from './attribute-names';

type RuleDraft = Omit<NewTrustRule, 'scopes'> & { readonly scopes: readonly string[] };

const firstConditions: { readonly [kind in KnownWorkloadIssuer['kind']]: readonly WorkloadAttribute[] } = {
  github: ['repository', 'branch'],
  gitlab: ['repository', 'branch'],
  kubernetes: ['namespace', 'serviceAccount'],
  spiffe: ['subject'],
  oidc: ['subject'],
};

const emptyCondition = (attribute: WorkloadAttribute): KnownTrustCondition => ({
  attribute,
  comparison: 'exact',
  value: '',
});

const draftFor = (issuer: KnownWorkloadIssuer | undefined): RuleDraft => ({
  name: '',
  issuerId: issuer?.issuerId ?? '',
  conditions: (issuer === undefined ? [] : firstConditions[issuer.kind]).map(emptyCondition),
  principalId: '',
  scopes: [],
  audience: 'septet',
});

const comparisons: readonly Option<KnownTrustCondition['comparison']>[] = [
  { value: 'exact', label: 'is exactly' },
  { value: 'path', label: 'is, or is below' },
];

const mostConditions = 15;

interface ConditionsProps {
  readonly conditions: readonly KnownTrustCondition[];
  readonly onChange: (conditions: readonly KnownTrustCondition[]) => void;
}

const ConditionFields = ({ conditions, onChange }: ConditionsProps) => {
  const replace = (at: number, fields: Partial<KnownTrustCondition>): void =>
    onChange(conditions.map((condition, index) => (index === at ? { ...condition, ...fields } : condition)));
  const unused = attributeOptions.find(({ value }) => conditions.every(({ attribute }) => attribute !== value));
  return (
    <fieldset>
      <legend>Conditions, all of which hold</legend>
      {conditions.map(({ attribute, comparison, value }, index) => (
        <div class="condition" key={attribute}>
          <ChoiceField
            label="Attribute"
            value={attribute}
            options={attributeOptions}
            onChoose={(chosen) => replace(index, { attribute: chosen })}
          />
          <ChoiceField
            label="Comparison"
            value={comparison}
            options={comparisons}
            onChoose={(chosen) => replace(index, { comparison: chosen })}
          />
          <TextField
            label={`Value of ${attributeNames[attribute].toLowerCase()}`}
            value={value}
            onType={(typed) => replace(index, { value: typed })}
            maxLength={512}
            isRequired
          />
          <button
            type="button"
            class="button small"
            onClick={() => onChange(conditions.filter((_, other) => other !== index))}
          >
            Remove<span class="hidden-text"> the condition on {attributeNames[attribute]}</span>
          </button>
        </div>
      ))}
      {unused !== undefined && conditions.length < mostConditions && (
        <button
          type="button"
          class="button small"
          onClick={() => onChange([...conditions, emptyCondition(unused.value)])}
        >
          Add a condition
        </button>
      )}
    </fieldset>
  );
};

const texts: FieldTexts = {
  texts: { '/body/name': '', '/body/scopes': 'Choose at least one scope.', '/body/audience': '' },
  codes: {
    'principal-unknown': { pointer: '/body/principalId', text: 'There is no such principal.' },
    'trust-rule-of-a-person': { pointer: '/body/principalId', text: 'Choose a pipeline or an AI agent.' },
  },
};

interface Props {
  readonly issuers: readonly KnownWorkloadIssuer[];
  readonly rule?: KnownTrustRule;
  readonly done: () => void;
  readonly close: () => void;
}

export const RuleDialog = ({ issuers, rule: existing, done, close }: Props) => {
  const [draft, setDraft] = useState<RuleDraft>(existing ?? draftFor(issuers[0]));
  const change = (fields: Partial<RuleDraft>): void => setDraft({ ...draft, ...fields });
  const body = (): NewTrustRule => {
    const { name, issuerId, conditions, principalId, scopes, audience } = draft;
    const trimmed = conditions.map((condition) => ({ ...condition, value: condition.value.trim() }));
    return { name: name.trim(), issuerId, conditions: trimmed, principalId, scopes, audience: audience.trim() };
  };
  const chooseIssuer = (issuerId: string): void => {
    const { conditions } = draftFor(issuers.find((one) => one.issuerId === issuerId));
    change({ issuerId, ...(existing === undefined ? { conditions } : {}) });
  };
  return (
    <FormDialog<unknown>
      title={existing === undefined ? 'Make a trust rule' : 'Change the trust rule'}
      act={existing === undefined ? 'Make the rule' : 'Change'}
      success={existing === undefined ? 'The rule was made.' : 'The rule was changed.'}
      command={() =>
        existing === undefined
          ? makeTrustRule({ body: body() })
          : changeTrustRule({ ruleId: existing.ruleId, body: body() })
      }
      onDone={done}
      close={close}
      fields={texts}
      check={() => (draft.scopes.length === 0 ? [{ pointer: '/body/scopes', text: 'Choose at least one scope.' }] : [])}
    >
      {(faultAt) => (
        <>
          <TextField
            label="Name"
            value={draft.name}
            onType={(name) => change({ name })}
            maxLength={120}
            fault={faultAt('/body/name')}
            isRequired
          />
          <ChoiceField
            label="Issuer"
            value={draft.issuerId}
            options={issuers.map(({ issuerId, name }) => ({ value: issuerId, label: name }))}
            onChoose={chooseIssuer}
          />
          <ConditionFields conditions={draft.conditions} onChange={(conditions) => change({ conditions })} />
          <ServicePrincipalField
            value={draft.principalId}
            onChange={(principalId) => change({ principalId })}
            fault={faultAt('/body/principalId')}
            help="The pipeline or AI agent whose tokens the workloads get."
          />
          <ScopeField
            help="You can give only scopes that you have."
            fault={faultAt('/body/scopes')}
            chosen={draft.scopes}
            onChoose={(scopes) => change({ scopes })}
          />
          <TextField
            label="Audience"
            help="The one that tokens are for."
            value={draft.audience}
            onType={(audience) => change({ audience })}
            maxLength={256}
            fault={faultAt('/body/audience')}
            isRequired
          />
        </>
      )}
    </FormDialog>
  );
};
