/** Explains what a version decides about a described request. */
import { useState } from 'preact/hooks';
import { explainAccessPolicy } from '../../../../packages/client/src/operations';
import type { PolicyExplanation } from '../../../../packages/client/src/schemas';
import { ChoiceField, TextField } from '../../components/form-fields';
import { ProblemMessage } from '../../components/problem-message';
import { StatusBadge } from '../../components/status-badge';
import { type Column, Table } from '../../components/table';
import { ownPrincipal } from '../../kernel/permissions';
import type { Problem } from '../../kernel/problem';
import { useCommand } from '../../kernel/use-command';

type Finding = PolicyExplanation['rules'][number];

const methods = ['GET', 'POST', 'PUT', 'DELETE'].map((value) => ({ value, label: value }));
const types = [
  { value: 'HUMAN', label: 'Person' },
  { value: 'PIPELINE', label: 'Pipeline' },
  { value: 'AI_AGENT', label: 'Agent' },
];

const causes: { readonly [cause in PolicyExplanation['cause']]: string } = {
  rule: 'This rule decides.',
  'not-allowed': 'The policy covers the request, and no rule allows it.',
  'not-covered': 'The policy does not cover the request; scopes alone decide.',
  'ambiguous-path': 'Servers read this path in different ways, so it is refused.',
};

const effects = { ALLOW: 'allows', DENY: 'denies', STEP_UP_REQUIRED: 'requires an approval' } as const;
const tones = { ALLOW: 'good', DENY: 'bad', STEP_UP_REQUIRED: 'warn' } as const;

const columnsOf = (deciding: string | null): readonly Column<Finding>[] => [
  {
    title: 'Rule',
    show: ({ ruleId, unmet }) => (
      <>
        <span class="mono wraps">{ruleId}</span>
        {unmet.length > 0 && <div class="below wraps">Not met: {unmet.join(', ')}</div>}
      </>
    ),
  },
  { title: 'Effect', isWide: true, show: ({ effect }) => effects[effect] },
  {
    title: 'Outcome',
    show: ({ ruleId, isMatch }) =>
      ruleId === deciding ? (
        <StatusBadge tone="good">decides</StatusBadge>
      ) : (
        <StatusBadge>{isMatch ? 'matches' : 'does not match'}</StatusBadge>
      ),
  },
];

const Result = ({ explanation }: { readonly explanation: PolicyExplanation }) => {
  const { effect, ruleId, cause, version, needsSignIn, requires, rules } = explanation;
  return (
    <div role="status">
      <p class="notice">
        Version {version} <StatusBadge tone={tones[effect]}>{effects[effect]}</StatusBadge> the request
        {ruleId === null ? '' : ' by '}
        {ruleId !== null && <code>{ruleId}</code>}. {causes[cause]}
        {needsSignIn && ' The person has to sign in again first.'}
        {requires.introspection === true && ' The token is checked against the log.'}
      </p>
      {rules.length > 0 && (
        <Table label="What each rule finds" rows={rules} columns={columnsOf(ruleId)} keyOf={(rule) => rule.ruleId} />
      )}
    </div>
  );
};

const wordsIn = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean);

export const PolicyExplainer = ({ version }: { readonly version: number | undefined }) => {
  const [method, setMethod] = useState('GET');
  const [path, setPath] = useState('/v1/principals');
  const [principalId, setPrincipal] = useState(ownPrincipal());
  const [principalType, setType] = useState('HUMAN');
  const [context, setContext] = useState('role:admin');
  const [address, setAddress] = useState('');
  const [explanation, setExplanation] = useState<PolicyExplanation>();
  const [problem, setProblem] = useState<Problem>();
  const send = useCommand();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const described = {
      ...{ method, path, principalId, principalType, authContext: wordsIn(context) },
      ...(address === '' ? {} : { address }),
    };
    const body = { request: described, ...(version === undefined ? {} : { version }) };
    const answer = await send(explainAccessPolicy({ body: body as Parameters<typeof explainAccessPolicy>[0]['body'] }));
    setExplanation(answer.ok ? answer.content : undefined);
    setProblem(answer.ok ? undefined : answer.problem);
  };
  return (
    <section class="section">
      <h2>Explain a request</h2>
      <p>{version === undefined ? 'By the version that is enforced.' : `By version ${version}.`} Nothing is sent.</p>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <ChoiceField label="Method" value={method} options={methods} onChoose={setMethod} />
        <TextField label="Path" value={path} onType={setPath} maxLength={8_192} isRequired />
        <TextField label="Principal" value={principalId} onType={setPrincipal} maxLength={128} isRequired />
        <ChoiceField label="Type of principal" value={principalType} options={types} onChoose={setType} />
        <TextField
          label="Context"
          value={context}
          onType={setContext}
          maxLength={2_000}
          help="What the token says for policies: role:admin, environment:production."
        />
        <TextField label="Address" value={address} onType={setAddress} maxLength={45} />
        <div class="actions">
          <button type="submit" class="button">
            Explain
          </button>
        </div>
        {problem !== undefined && <ProblemMessage problem={problem} />}
        {explanation !== undefined && <Result explanation={explanation} />}
      </form>
    </section>
  );
};
