/** Tests a pasted credential: which rule answers, and why the others do not. Nothing is issued, and nothing is kept. */
import { useState } from 'preact/hooks';
import { testTrustRules } from '../../../../packages/client/src/operations';
import type { RuleTest, TrustRuleTestAnswer } from '../../../../packages/client/src/schemas';
import { TextField } from '../../components/form-fields';
import { ProblemMessage } from '../../components/problem-message';
import { StatusBadge } from '../../components/status-badge';
import { type Column, Table } from '../../components/table';
import type { Problem } from '../../kernel/problem';
import { useCommand } from '../../kernel/use-command';
import { attributeNames, conditionText } from './attribute-names';

type Attribute = TrustRuleTestAnswer['attributes'][number];

const attributeColumns: readonly Column<Attribute>[] = [
  { title: 'Attribute', show: ({ attribute }) => attributeNames[attribute] },
  { title: 'Value', show: ({ value }) => <span class="mono wraps">{value}</span> },
];

const reasonsOf = ({ isOfIssuer, isForAudience, missingScopes, unmet }: RuleTest): readonly string[] => [
  ...(isOfIssuer ? [] : ['It is of another issuer.']),
  ...(isForAudience ? [] : ['It is for another audience.']),
  ...(missingScopes.length === 0 ? [] : [`It does not give ${missingScopes.join(', ')}.`]),
  ...unmet.map((condition) => `It needs: ${conditionText(condition)}.`),
];

const rulesColumns = (answering: string | undefined, isAccepted: boolean): readonly Column<RuleTest>[] => [
  { title: 'Rule', show: ({ name }) => name },
  {
    title: 'Outcome',
    show: (tested) =>
      tested.ruleId === answering ? (
        <StatusBadge tone={isAccepted ? 'good' : 'plain'}>{isAccepted ? 'answers' : 'would answer'}</StatusBadge>
      ) : tested.isAnswer ? (
        <StatusBadge>a rule before it answers</StatusBadge>
      ) : (
        <StatusBadge tone="warn">does not answer</StatusBadge>
      ),
  },
  {
    title: 'Why',
    show: (tested) => (
      <>
        {reasonsOf(tested).map((reason) => (
          <div key={reason}>{reason}</div>
        ))}
      </>
    ),
  },
];

const Result = ({ answer }: { readonly answer: TrustRuleTestAnswer }) => {
  const { fault, expectedAudience, attributes, rules } = answer;
  const answering = rules.find(({ isAnswer }) => isAnswer)?.ruleId;
  return (
    <div class="section" role="status">
      {fault === null ? (
        <p class="notice">
          The credential is accepted
          {answering === undefined ? ', but no rule answers it.' : ', and a rule answers it.'}
        </p>
      ) : (
        <p class="notice warn">
          The credential is not accepted: {fault} Its audience has to be <code>{expectedAudience}</code>.
        </p>
      )}
      {attributes.length > 0 && (
        <>
          <h3>What it attests</h3>
          <Table
            label="Attributes of the credential"
            rows={attributes}
            columns={attributeColumns}
            keyOf={({ attribute }) => attribute}
          />
        </>
      )}
      {rules.length > 0 && (
        <>
          <h3>Rules</h3>
          <Table
            label="Outcome of each rule"
            rows={rules}
            columns={rulesColumns(answering, fault === null)}
            keyOf={({ ruleId }) => ruleId}
          />
        </>
      )}
    </div>
  );
};

export const RuleTester = () => {
  const [credential, setCredential] = useState('');
  const [audience, setAudience] = useState('septet');
  const [answer, setAnswer] = useState<TrustRuleTestAnswer>();
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const send = useCommand();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const tested = await send(testTrustRules({ body: { credential: credential.trim(), audience: audience.trim() } }));
    setBusy(false);
    setAnswer(tested.ok ? tested.content : undefined);
    setProblem(tested.ok ? undefined : tested.problem);
  };
  return (
    <section class="section">
      <h2>Test a credential</h2>
      <p>Paste a credential of a workload to see which rule answers it. Nothing is issued, and it is not used up.</p>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <TextField
          label="Credential"
          value={credential}
          onType={setCredential}
          maxLength={16_384}
          rows={4}
          isRequired
        />
        <TextField label="Audience of the token" value={audience} onType={setAudience} maxLength={256} isRequired />
        <div class="actions">
          <button type="submit" class="button primary" disabled={isBusy}>
            Test
          </button>
        </div>
      </form>
      {problem !== undefined && <ProblemMessage problem={problem} />}
      {answer !== undefined && <Result answer={answer} />}
    </section>
  );
};
