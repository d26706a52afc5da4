/** Dialog that sets a tool of an API: what it needs, and what agents may use through it. */
import { useState } from 'preact/hooks';
import { setApiTool } from '../../../../packages/client/src/operations';
import type { KnownApi, KnownApiTool, PrincipalType } from '../../../../packages/client/src/schemas';
import { CheckboxList } from '../../components/checkbox-list';
import { CheckField, TextField } from '../../components/form-fields';
import type { FieldTexts } from '../../kernel/field-faults';
import { FormDialog } from '../shared/form-dialog';

const typeOptions: readonly { readonly value: PrincipalType; readonly description: string }[] = [
  { value: 'HUMAN', description: 'People' },
  { value: 'PIPELINE', description: 'Pipelines' },
  { value: 'AI_AGENT', description: 'AI agents' },
];

const isType = (value: string): value is PrincipalType => typeOptions.some((option) => option.value === value);

const texts: FieldTexts = {
  texts: {
    '/path/tool': 'Must be letters, digits and . _ -, without spaces.',
    '/body/description': '',
    '/body/requiredScopes': 'Choose at least one scope.',
    '/body/principalTypes': 'Choose at least one.',
  },
  codes: {},
};

interface Props {
  readonly api: KnownApi;
  readonly tool?: KnownApiTool;
  readonly done: () => void;
  readonly close: () => void;
}

export const ToolDialog = ({ api, tool: existing, done, close }: Props) => {
  const [name, setName] = useState(existing?.tool ?? '');
  const [description, setDescription] = useState(existing?.description ?? '');
  const [requiredScopes, setRequired] = useState<readonly string[]>(existing?.requiredScopes ?? []);
  const [agentScopes, setAgentScopes] = useState<readonly string[]>(existing?.agentScopes ?? []);
  const [stepUp, setStepUp] = useState(existing?.stepUp ?? false);
  const [types, setTypes] = useState<readonly string[]>(existing?.principalTypes ?? ['HUMAN', 'AI_AGENT']);
  const options = api.scopes.map((scope) => ({ value: scope.name, description: scope.description }));
  const body = () => ({
    ...{ description: description.trim(), requiredScopes, agentScopes, stepUp },
    principalTypes: types.filter(isType),
  });
  return (
    <FormDialog<unknown>
      title={existing === undefined ? `Set a tool of ${api.name}` : `Change the tool ${existing.tool}`}
      act={existing === undefined ? 'Set the tool' : 'Change'}
      success="The tool was set."
      command={() => setApiTool({ apiId: api.apiId, tool: name.trim(), body: body() })}
      onDone={done}
      close={close}
      fields={texts}
      check={() =>
        requiredScopes.length === 0 ? [{ pointer: '/body/requiredScopes', text: 'Choose at least one scope.' }] : []
      }
    >
      {(faultAt) => (
        <>
          {existing === undefined && (
            <TextField
              label="Name"
              help="As the API calls it, such as close_ticket."
              value={name}
              onType={setName}
              maxLength={64}
              isRequired
              fault={faultAt('/path/tool')}
            />
          )}
          <TextField
            label="What it does"
            value={description}
            onType={setDescription}
            maxLength={256}
            isRequired
            fault={faultAt('/body/description')}
          />
          <CheckboxList
            label="Scopes that it needs"
            options={options}
            chosen={requiredScopes}
            onChoose={setRequired}
            fault={faultAt('/body/requiredScopes')}
          />
          <CheckboxList
            label="Scopes that agents may use through it"
            help="An agent gets none of the others, whatever was delegated to it."
            options={options}
            chosen={agentScopes}
            onChoose={setAgentScopes}
          />
          <CheckboxList
            label="Who may use it"
            options={typeOptions}
            chosen={types}
            onChoose={setTypes}
            fault={faultAt('/body/principalTypes')}
          />
          <CheckField label="A person approves each use by an agent" checked={stepUp} onCheck={setStepUp} />
        </>
      )}
    </FormDialog>
  );
};
