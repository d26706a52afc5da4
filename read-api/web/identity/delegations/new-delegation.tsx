/** Dialog that lets an agent act for the reader. */
import { useState } from 'preact/hooks';
import { createDelegation, listPrincipals } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { ChoiceField, type Option, TextField } from '../../components/form-fields';
import type { FieldTexts } from '../../kernel/field-faults';
import { useResource } from '../../kernel/use-resource';
import { shortId } from '../../references/short-id';
import { FormDialog } from '../shared/form-dialog';
import { ScopeField } from '../shared/scope-field';
import type { DelegationAnswer, Principal } from '../wire';

const hours = ['1', '4', '8'] as const;
type Hours = (typeof hours)[number];

const hourOptions: readonly Option<Hours>[] = hours.map((value) => ({
  value,
  label: value === '1' ? '1 hour' : `${value} hours`,
}));

const agentOptions = (agents: readonly Principal[]): readonly Option<string>[] => [
  { value: '', label: 'Choose an agent' },
  ...agents.map(({ principalId, name }) => ({ value: principalId, label: name ?? `Agent ${shortId(principalId)}` })),
];

const texts: FieldTexts = {
  texts: {
    '/body/taskId': 'Must be letters, digits and . _ : / -, without spaces.',
    '/body/audience': 'Must be the name or the URL of an API.',
  },
  codes: {
    'audience-not-held': { pointer: '/body/audience', text: 'You get no tokens for this API yourself.' },
    'delegation-scopes-invalid': { pointer: '/body/scopes', text: 'Choose a scope.' },
  },
};

interface Props {
  readonly onDone: () => void;
  readonly close: () => void;
}

export const NewDelegation = ({ onDone, close }: Props) => {
  const agents = useResource(listPrincipals({ principalType: 'AI_AGENT', status: 'ACTIVE', limit: 200 }));
  const [agentId, setAgent] = useState('');
  const [taskId, setTask] = useState('');
  const [audience, setAudience] = useState('septet');
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const [duration, setDuration] = useState<Hours>('1');
  return (
    <FormDialog<DelegationAnswer>
      title="Delegate a task"
      act="Delegate"
      success="The agent may act for you."
      command={() =>
        createDelegation({
          body: {
            ...{ agentId, taskId: taskId.trim(), audience: audience.trim(), scopes: [...scopes] },
            expiresInSeconds: Number(duration) * 3_600,
          },
        })
      }
      onDone={onDone}
      close={close}
      isReady={agentId !== '' && scopes.length > 0}
      fields={texts}
    >
      {(faultAt) => (
        <>
          <AsyncContent source={agents} rows={1}>
            {({ items }) => (
              <ChoiceField
                label="Agent"
                help="It gets no more than its own scopes, whatever you delegate."
                value={agentId}
                options={agentOptions(items)}
                onChoose={setAgent}
                fault={faultAt('/body/agentId')}
              />
            )}
          </AsyncContent>
          <TextField
            label="Task"
            help="Your name of the task, such as ticket-4711. It is part of every token."
            value={taskId}
            onType={setTask}
            maxLength={128}
            isRequired
            fault={faultAt('/body/taskId')}
          />
          <TextField
            label="Audience"
            help="The API that the agent calls."
            value={audience}
            onType={setAudience}
            maxLength={256}
            isRequired
            fault={faultAt('/body/audience')}
          />
          <ChoiceField
            label="Ends after"
            help="Or earlier: with your session."
            value={duration}
            options={hourOptions}
            onChoose={setDuration}
          />
          <ScopeField chosen={scopes} onChoose={setScopes} fault={faultAt('/body/scopes')} />
        </>
      )}
    </FormDialog>
  );
};
