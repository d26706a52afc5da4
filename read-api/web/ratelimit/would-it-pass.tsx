/** What one caller has used of every limit that applies to it, and whether its next request would pass. Charges nothing. */
import { useState } from 'preact/hooks';
import { listRateLimitPolicies, peekRateLimit } from '../../../packages/client/src/operations';
import type { LimitDecision, LimitState, RateLimitPolicies, RateLimitRule } from '../../../packages/client/src/schemas';
import { AsyncContent } from '../components/async-content';
import { TextField } from '../components/form-fields';
import { ProblemMessage } from '../components/problem-message';
import { StatusBadge } from '../components/status-badge';
import { type Column, Table } from '../components/table';
import { send } from '../kernel/api-client';
import { type FieldFault, faultIn, fieldFaultsOf } from '../kernel/field-faults';
import { durationOf, numberOf } from '../kernel/format';
import type { Problem } from '../kernel/problem';
import { useResource } from '../kernel/use-resource';
import { rulePath } from './paths';
import { peekFaultsOf, peekTexts } from './peek-faults';

const dimensions = ['user', 'key', 'ip', 'model', 'route', 'device', 'region', 'organisation', 'project'] as const;
type Dimension = (typeof dimensions)[number];

const labels: { readonly [name in Dimension]: string } = {
  user: 'User',
  key: 'Key',
  ip: 'Address',
  model: 'Model',
  route: 'Route',
  device: 'Device',
  region: 'Region',
  organisation: 'Organization',
  project: 'Project',
};

const columns: readonly Column<LimitState>[] = [
  {
    title: 'Limit',
    show: ({ rule, unit, watched }) => (
      <>
        {rule === undefined ? (
          unit
        ) : (
          <a class="mono" href={rulePath(rule)}>
            {rule}
          </a>
        )}{' '}
        {watched === true && <StatusBadge>not enforced</StatusBadge>}
      </>
    ),
  },
  {
    title: 'Used',
    show: ({ limit, remaining, unit, rule }) => (
      <>
        <progress max={Math.max(limit, 1)} value={limit - remaining} aria-label={`Used of ${rule ?? unit}`} />
        <div class="below">
          {numberOf(limit - remaining)} of {numberOf(limit)} {unit.replaceAll('-', ' ')}
        </div>
      </>
    ),
  },
  {
    title: 'Remaining',
    kind: 'number',
    show: ({ over, remaining }) => (over ? <StatusBadge tone="bad">none</StatusBadge> : numberOf(remaining)),
  },
  { title: 'Resets in', kind: 'number', isWide: true, show: ({ resetSeconds }) => durationOf(resetSeconds) },
];

const verdicts: { readonly [outcome in LimitDecision['outcome']]: string } = {
  allow: 'It would pass.',
  deny: 'It would be refused.',
  degrade: 'It would pass, with advice to slow down.',
};

const Verdict = ({ decision }: { readonly decision: LimitDecision }) => (
  <>
    <p class={decision.outcome === 'deny' ? 'notice bad' : 'notice'} role="status">
      {verdicts[decision.outcome]}
      {decision.outcome === 'deny' && decision.retryAfterSeconds > 0
        ? ` Try again after ${durationOf(decision.retryAfterSeconds)}.`
        : ''}
    </p>
    {decision.limits.length === 0 ? (
      <p class="notice">No limit applies.</p>
    ) : (
      <Table
        label="Limits that apply"
        rows={decision.limits}
        columns={columns}
        keyOf={({ rule, unit }) => `${rule ?? ''} ${unit}`}
      />
    )}
  </>
);

type Values = Readonly<Partial<Record<Dimension, string>>>;

const filled = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]])),
  );

const isDimension = (name: string): name is Dimension => (dimensions as readonly string[]).includes(name);

/** What the rules of the service count by; the rest can be added. */
const countedBy = (rules: readonly RateLimitRule[]): readonly Dimension[] => {
  const used = new Set(rules.flatMap(({ by, match }) => [...by, ...Object.keys(match)]).filter(isDimension));
  return used.size === 0 ? ['user'] : dimensions.filter((name) => used.has(name));
};

interface FormProps {
  readonly rules: readonly RateLimitRule[];
}

const planField = 'plan';

const PeekForm = ({ rules }: FormProps) => {
  const [values, setValues] = useState<Values>({});
  const [added, setAdded] = useState<readonly string[]>([]);
  const [requests, setRequests] = useState('1');
  const [plan, setPlan] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [decision, setDecision] = useState<LimitDecision>();
  const [problem, setProblem] = useState<Problem>();
  const [faults, setFaults] = useState<readonly FieldFault[]>([]);
  const initial = countedBy(rules);
  const fields = dimensions.filter((name) => initial.includes(name) || added.includes(name));
  const addable = [...dimensions.filter((name) => !fields.includes(name)), planField].filter(
    (name) => !added.includes(name),
  );
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    const wrong = peekFaultsOf(filled(values).ip, requests);
    setFaults(wrong);
    setProblem(undefined);
    if (wrong.length > 0) return setDecision(undefined);
    setBusy(true);
    const body = {
      dimensions: filled(values),
      weight: { requests: Number(requests) },
      show: ['rules'] as const,
      ...(plan.trim() === '' ? {} : { plan: plan.trim() }),
    };
    const answer = await send(peekRateLimit({ body }));
    setBusy(false);
    setDecision(answer.ok ? answer.content : undefined);
    const refused = answer.ok ? undefined : answer.problem;
    const ofFields = fieldFaultsOf(refused, { texts: peekTexts });
    setFaults(ofFields);
    setProblem(ofFields.length > 0 ? undefined : refused);
  };
  const faultAt = faultIn(faults);
  return (
    <>
      <form class="form" onSubmit={(event) => void submit(event)}>
        <div class="limit-fields">
          {fields.map((name) => (
            <TextField
              key={name}
              label={labels[name]}
              fault={faultAt(`/body/dimensions/${name}`)}
              value={values[name] ?? ''}
              onType={(value) => setValues({ ...values, [name]: value })}
              maxLength={1_024}
            />
          ))}
          {added.includes(planField) && <TextField label="Plan" value={plan} onType={setPlan} maxLength={64} />}
          <TextField
            label="Requests"
            fault={faultAt('/body/weight/requests')}
            value={requests}
            onType={setRequests}
            maxLength={9}
            isNumber
            isRequired
          />
        </div>
        <div class="actions">
          <button type="submit" class="button primary" disabled={isBusy}>
            Check
          </button>
          {addable.length > 0 && (
            <select
              class="button"
              aria-label="Add a field"
              value=""
              onChange={(event) => {
                setAdded([...added, event.currentTarget.value]);
                event.currentTarget.value = '';
              }}
            >
              <option value="">Add a field…</option>
              {addable.map((name) => (
                <option key={name} value={name}>
                  {isDimension(name) ? labels[name] : 'Plan'}
                </option>
              ))}
            </select>
          )}
        </div>
      </form>
      <div class="section">
        {problem !== undefined && <ProblemMessage problem={problem} />}
        {decision !== undefined && <Verdict decision={decision} />}
      </div>
    </>
  );
};

const rulesOfService = ({ items }: RateLimitPolicies): readonly RateLimitRule[] =>
  items.flatMap(({ enforcedBy, rules }) => (enforcedBy === 'service' ? rules : []));

export const WouldItPass = () => {
  const policies = useResource(listRateLimitPolicies());
  return (
    <section class="section">
      <h2>Would this pass?</h2>
      <p class="help">Checks the next request of one caller of your service. Nothing is counted.</p>
      <AsyncContent source={policies} rows={2}>
        {(content) => <PeekForm rules={rulesOfService(content)} />}
      </AsyncContent>
    </section>
  );
};
