/** Chooses the pipeline or agent that a client acts as, by its name. */
import { useState } from 'preact/hooks';
import { listPrincipals } from '../../../../packages/client/src/operations';
import type { Principal } from '../../../../packages/client/src/schemas';
import { ChoiceField, type Option, TextField } from '../../components/form-fields';
import { hasScope } from '../../kernel/permissions';
import { useResource } from '../../kernel/use-resource';
import { nameOfPrincipalRow } from '../../references/names';
import { principalTypeNames } from '../../references/principal-type-names';

/** Of each type, the newest. */
const mostListed = 100;
const another = 'another';

const optionOf = (row: Principal): Option<string> => ({
  value: row.principalId,
  label: `${nameOfPrincipalRow(row).name} (${principalTypeNames[row.principalType]})`,
});

interface Props {
  readonly value: string;
  readonly onChange: (principalId: string) => void;
  readonly fault: string | undefined;
  /** What the principal is here. */
  readonly help?: string;
}

const clientHelp = 'The pipeline or AI agent whose tokens it gets. Its scopes limit those of the client.';

export const ServicePrincipalField = ({ value, onChange, fault, help = clientHelp }: Props) => {
  const mayList = hasScope('principals:read');
  const active = { status: 'ACTIVE', limit: mostListed } as const;
  const pipelines = useResource(mayList ? listPrincipals({ principalType: 'PIPELINE', ...active }) : undefined);
  const agents = useResource(mayList ? listPrincipals({ principalType: 'AI_AGENT', ...active }) : undefined);
  const [isAnother, setAnother] = useState(false);
  const listed = [...(pipelines.content?.items ?? []), ...(agents.content?.items ?? [])].map(optionOf);
  const isListed = value === '' || listed.some((option) => option.value === value);
  const choose = (chosen: string): void => {
    setAnother(chosen === another);
    onChange(chosen === another ? '' : chosen);
  };
  const isTyped = !mayList || isAnother || !isListed;
  return (
    <>
      {mayList && (
        <ChoiceField
          label="Acts as"
          help={
            <>
              {help} <a href="/console/principals">Register another one</a>
            </>
          }
          value={isTyped ? another : value}
          options={[
            { value: '', label: 'Choose a pipeline or AI agent' },
            ...listed,
            { value: another, label: 'Another one, by its id' },
          ]}
          onChoose={choose}
          {...(isTyped ? {} : { fault })}
        />
      )}
      {isTyped && (
        <TextField
          label="Id of the pipeline or AI agent"
          value={value}
          onType={onChange}
          maxLength={128}
          fault={fault}
          isRequired
        />
      )}
    </>
  );
};
