/** Settings of a rule, and what they would have found in the last days. */
import { useState } from 'preact/hooks';
import { backTestDetectionRule, setDetectionRule } from '../../../../packages/client/src/operations';
import type { BackTestAlert, BackTestAnswer, KnownDetectionRule } from '../../../../packages/client/src/schemas';
import { CheckField, ChoiceField, type Option, TextField } from '../../components/form-fields';
import { ProblemMessage } from '../../components/problem-message';
import { type Column, Table } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import type { FieldTexts } from '../../kernel/field-faults';
import { countOf } from '../../kernel/format';
import { hasScope } from '../../kernel/permissions';
import type { Problem } from '../../kernel/problem';
import { useCommand } from '../../kernel/use-command';
import { Reference } from '../../references/reference';
import { reasonText } from '../auth-events/choices';
import { Severity } from '../security-events/severity';
import { FormDialog } from '../shared/form-dialog';
import { ruleTexts } from './rule-texts';

type Settings = KnownDetectionRule['settings'];

const days = ['1', '7', '30'] as const;
type Days = (typeof days)[number];
const dayOptions: readonly Option<Days>[] = days.map((value) => ({
  value,
  label: value === '1' ? 'the last day' : `the last ${value} days`,
}));

const columns: readonly Column<BackTestAlert>[] = [
  {
    title: 'Alert',
    show: ({ severity, count, decision: { principalId, reason, timestamp } }) => (
      <>
        <Severity severity={severity} />{' '}
        {principalId !== null && <Reference kind="principal" id={principalId} isShort />}
        <div class="below dotted">
          <span>{countOf(count, 'count')}</span>
          {reason !== undefined && <span>{reasonText(reason)}</span>}
          <Timestamp at={timestamp} />
        </div>
      </>
    ),
  },
];

const Found = ({ answer: { decisions, isComplete, alerts, items } }: { readonly answer: BackTestAnswer }) => (
  <div class="section" role="status">
    <p class="notice">
      {countOf(alerts, 'alert')} in {countOf(decisions, 'decision')}
      {isComplete ? '' : ', the newest of that time'}.
    </p>
    {items.length > 0 && (
      <Table
        label="What the rule would have found"
        rows={items}
        columns={columns}
        keyOf={({ decision }) => decision.eventId}
      />
    )}
  </div>
);

const BackTest = ({ rule, settings }: { readonly rule: KnownDetectionRule['rule']; readonly settings: Settings }) => {
  const [past, setPast] = useState<Days>('7');
  const [answer, setAnswer] = useState<BackTestAnswer>();
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const send = useCommand();
  const run = async (): Promise<void> => {
    setBusy(true);
    const to = new Date();
    const from = new Date(to.getTime() - Number(past) * 86_400_000);
    const body = { rule, settings, from: from.toISOString(), to: to.toISOString() };
    const tested = await send(backTestDetectionRule({ body }));
    setBusy(false);
    setAnswer(tested.ok ? tested.content : undefined);
    setProblem(tested.ok ? undefined : tested.problem);
  };
  return (
    <section class="section" aria-label="Back-test">
      <ChoiceField
        label="Back-test over"
        help="What these settings would have found. Nothing is recorded."
        value={past}
        options={dayOptions}
        onChoose={setPast}
      />
      <div class="actions">
        <button type="button" class="button" disabled={isBusy} onClick={() => void run()}>
          Run back-test
        </button>
      </div>
      {problem !== undefined && <ProblemMessage problem={problem} />}
      {answer !== undefined && <Found answer={answer} />}
    </section>
  );
};

const texts: FieldTexts = {
  texts: {
    '/body/threshold': 'Must be a whole number from 1 to 10000.',
    '/body/windowSeconds': 'Must be a whole number of seconds from 10 to 86400.',
  },
  codes: { 'threshold-too-high': { pointer: '/body/threshold', text: 'This rule compares at most 50.' } },
};

interface Props {
  readonly known: KnownDetectionRule;
  readonly onDone: () => void;
  readonly close: () => void;
}

export const RuleDialog = ({ known: { rule, settings, defaults }, onDone, close }: Props) => {
  const [isOn, setOn] = useState(settings.isOn);
  const [threshold, setThreshold] = useState(String(settings.threshold));
  const [seconds, setSeconds] = useState(String(settings.windowSeconds));
  const [opensIncident, setOpens] = useState(settings.opensIncident);
  const changed: Settings = { isOn, threshold: Number(threshold), windowSeconds: Number(seconds), opensIncident };
  return (
    <FormDialog
      title={ruleTexts[rule].name}
      act="Save"
      success="The rule was set."
      command={() => setDetectionRule({ rule, body: changed })}
      onDone={onDone}
      close={close}
      isReady={hasScope('security:write')}
      fields={texts}
    >
      {(faultAt) => (
        <>
          <p>{ruleTexts[rule].text}</p>
          <CheckField label="On" checked={isOn} onCheck={setOn} />
          <TextField
            label="Threshold"
            help={`How many are an alert. Default: ${defaults.threshold}.`}
            value={threshold}
            onType={setThreshold}
            maxLength={5}
            isRequired
            fault={faultAt('/body/threshold')}
          />
          <TextField
            label="Window in seconds"
            help={`Within how long. Default: ${defaults.windowSeconds}.`}
            value={seconds}
            onType={setSeconds}
            maxLength={5}
            isRequired
            fault={faultAt('/body/windowSeconds')}
          />
          <CheckField label="Each alert opens an incident" checked={opensIncident} onCheck={setOpens} />
          <BackTest rule={rule} settings={changed} />
        </>
      )}
    </FormDialog>
  );
};
