/** Starts a workflow by hand: its branch, its file, and the inputs that it declares. */
import { useEffect, useState } from 'preact/hooks';
import { listDispatchableWorkflows, receiveRepositoryEvent } from '../../../../packages/client/src/operations';
import type { DeclaredInput, DispatchableWorkflows } from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { CheckField, ChoiceField, TextField } from '../../components/form-fields';
import { ProblemMessage } from '../../components/problem-message';
import { countOf } from '../../kernel/format';
import { ownPrincipal } from '../../kernel/permissions';
import type { Problem } from '../../kernel/problem';
import { showToast } from '../../kernel/toasts';
import { useCommand } from '../../kernel/use-command';
import { useFirstField } from '../../kernel/use-first-field';
import { useResource } from '../../kernel/use-resource';

type Values = Readonly<Record<string, string>>;

/** An input that has no default: a choice has its first option, and what is not checked is false. */
const initialOf = ({ type, default: value, options, required }: DeclaredInput): string => {
  if (value !== null) return value;
  if (type === 'boolean') return 'false';
  return type === 'choice' && required ? (options[0] ?? '') : '';
};

const pointerTo = (name: string): string => `/body/inputs/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

interface InputProps {
  readonly input: DeclaredInput;
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

const InputField = ({ input, value, fault, onChange }: InputProps) => {
  const { name, type, options, required } = input;
  const help = input.description === null ? {} : { help: input.description };
  if (type === 'boolean')
    return (
      <CheckField
        label={name}
        {...help}
        checked={value === 'true'}
        onCheck={(isChecked) => onChange(String(isChecked))}
      />
    );
  if (type === 'choice') {
    const choices = options.map((option) => ({ value: option, label: option }));
    return (
      <ChoiceField
        label={name}
        {...help}
        value={value}
        options={required ? choices : [{ value: '', label: 'None' }, ...choices]}
        onChoose={onChange}
        fault={fault}
      />
    );
  }
  return (
    <TextField
      label={name}
      {...help}
      value={value}
      onType={onChange}
      maxLength={10_000}
      isRequired={required}
      isNumber={type === 'number'}
      fault={fault}
    />
  );
};

/** The faults without a field. */
const Refusal = ({ problem, atFields }: { readonly problem: Problem; readonly atFields: readonly DeclaredInput[] }) => {
  const pointers = atFields.map(({ name }) => pointerTo(name));
  const isAtFields = problem.errors.length > 0 && problem.errors.every(({ pointer }) => pointers.includes(pointer));
  if (!isAtFields) return <ProblemMessage problem={problem} />;
  return (
    <p class="notice bad" role="alert">
      The workflow was not started: {countOf(problem.errors.length, 'input is', 'inputs are')} not valid.
    </p>
  );
};

interface Props {
  readonly repoId: string;
  readonly onDone: (started: { readonly name: string; readonly triggerEventId: string }) => void;
  readonly close: () => void;
}

const CloseButton = ({ close }: Pick<Props, 'close'>) => (
  <div class="actions">
    <button type="button" class="button" onClick={close}>
      Cancel
    </button>
  </div>
);

/** Where the branch is now, and what it has to start. */
const DispatchFields = ({ repoId, found, onDone, close }: Props & { readonly found: DispatchableWorkflows }) => {
  const [path, setPath] = useState(found.workflows[0]?.path ?? '');
  const [changed, setChanged] = useState<Values>({});
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const command = useCommand();
  const workflow = found.workflows.find((one) => one.path === path) ?? found.workflows[0];
  if (workflow === undefined)
    return (
      <>
        <p class="notice">No workflow of this branch can be started by hand: none has workflow_dispatch.</p>
        <CloseButton close={close} />
      </>
    );
  const currentOf = (input: DeclaredInput): string => changed[input.name] ?? initialOf(input);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const inputs = Object.fromEntries(workflow.inputs.map((input) => [input.name, currentOf(input)]));
    const { branch, commitSha } = found;
    const dispatch = { eventType: 'workflow_dispatch', branch, commitSha, actorId: ownPrincipal() } as const;
    const answer = await command(
      receiveRepositoryEvent({ repoId, body: { ...dispatch, workflow: workflow.path, inputs } }),
    );
    setBusy(false);
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok) return;
    showToast(`${workflow.name} was started.`);
    onDone({ name: workflow.name, triggerEventId: answer.content.eventId });
  };
  const faultOf = ({ name }: DeclaredInput): string | undefined => {
    const fault = problem?.errors.find(({ pointer }) => pointer === pointerTo(name));
    return fault === undefined ? undefined : `Must be ${fault.expected}.`;
  };
  return (
    <form class="form" noValidate onSubmit={(event) => void submit(event)}>
      <ChoiceField
        label="Workflow"
        value={workflow.path}
        options={found.workflows.map((one) => ({
          value: one.path,
          label: one.name === one.path ? one.path : `${one.name} (${one.path})`,
        }))}
        onChoose={(value) => {
          setPath(value);
          setChanged({});
          setProblem(undefined);
        }}
        help={
          <>
            At commit <span class="mono">{found.commitSha.slice(0, 8)}</span>.
          </>
        }
      />
      {workflow.inputs.map((input) => (
        <InputField
          key={`${workflow.path} ${input.name}`}
          input={input}
          value={currentOf(input)}
          fault={faultOf(input)}
          onChange={(value) => setChanged({ ...changed, [input.name]: value })}
        />
      ))}
      {problem !== undefined && <Refusal problem={problem} atFields={workflow.inputs} />}
      <div class="actions">
        <button type="submit" class="button primary" disabled={isBusy}>
          Start
        </button>
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
};

const typingMilliseconds = 400;
/** A branch that is missing may be pushed while the form is open. */
const untilPushedMilliseconds = 3_000;

const closeOnEscape =
  (close: () => void) =>
  ({ key }: { readonly key: string }): void => {
    if (key === 'Escape') close();
  };

export const DispatchForm = ({ repoId, onDone, close }: Props) => {
  const section = useFirstField<HTMLElement>();
  const [typed, setTyped] = useState<string>();
  const [branch, setBranch] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setBranch(typed?.trim() || undefined), typingMilliseconds);
    return () => clearTimeout(timer);
  }, [typed]);
  const [isMissing, setMissing] = useState(false);
  const source = useResource(
    listDispatchableWorkflows({ repoId, ...(branch === undefined ? {} : { branch }) }),
    isMissing ? { everyMilliseconds: untilPushedMilliseconds } : {},
  );
  const { content: found, problem, isOld } = source;
  useEffect(() => setMissing(problem?.code === 'ref-unknown'), [problem]);
  if (isMissing && branch === undefined)
    return (
      <section
        ref={section}
        class="section repository-form"
        aria-label="Run a workflow"
        onKeyDown={closeOnEscape(close)}
      >
        <p class="notice">
          The repository has no default branch yet. Push to it first: workflows are read from the branch that they run
          on.
        </p>
        <CloseButton close={close} />
      </section>
    );
  return (
    <section ref={section} class="section repository-form" aria-label="Run a workflow" onKeyDown={closeOnEscape(close)}>
      <div class="form">
        <TextField
          label="Branch"
          value={typed ?? found?.branch ?? ''}
          onType={setTyped}
          maxLength={220}
          suggestions={found?.branches ?? []}
          fault={isMissing ? 'The repository has no such branch or tag.' : undefined}
        />
        {isMissing ? (
          <CloseButton close={close} />
        ) : (
          <AsyncContent source={isOld ? { ...source, content: undefined, problem: undefined } : source} rows={2}>
            {(current) => (
              <DispatchFields key={current.commitSha} repoId={repoId} found={current} onDone={onDone} close={close} />
            )}
          </AsyncContent>
        )}
      </div>
    </section>
  );
};
