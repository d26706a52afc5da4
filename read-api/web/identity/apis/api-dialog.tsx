/** Dialog that registers an API, or changes its name and scopes. */
import { useState } from 'preact/hooks';
import { changeApi, registerApi } from '../../../../packages/client/src/operations';
import type { KnownApi } from '../../../../packages/client/src/schemas';
import { TextField } from '../../components/form-fields';
import type { FieldFault, FieldTexts } from '../../kernel/field-faults';
import { FormDialog } from '../shared/form-dialog';

/** One scope per line: its name, then what it allows. */
const linesOf = ({ scopes }: KnownApi): string =>
  scopes.map(({ name, description }) => `${name} ${description}`).join('\n');

const scopesIn = (lines: string) =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', ...words] = line.split(/\s+/);
      return { name, description: words.join(' ') };
    });

const lineFault = (lines: string): readonly FieldFault[] => {
  const scopes = scopesIn(lines);
  const wrong = scopes.find(({ name, description }) => !/^[a-z]+:[a-z]+$/.test(name) || description === '');
  if (scopes.length > 0 && wrong === undefined) return [];
  const text =
    wrong === undefined
      ? 'Write at least one scope.'
      : `“${wrong.name}” must be small letters around a colon, then what it allows.`;
  return [{ pointer: '/body/scopes', text }];
};

const texts: FieldTexts = {
  texts: { '/body/name': '', '/body/audience': 'Must be an https URL or a urn.', '/body/scopes': '' },
  codes: {
    'api-audience-invalid': {
      pointer: '/body/audience',
      text: 'Must be an https URL as browsers write it, or a urn, and not one of Septet itself.',
    },
    'api-exists': { pointer: '/body/audience', text: 'An API with this audience is registered.' },
    'audience-taken': { pointer: '/body/audience', text: 'This audience is registered in this installation already.' },
  },
};

interface Props {
  readonly api?: KnownApi;
  readonly done: () => void;
  readonly close: () => void;
}

export const ApiDialog = ({ api, done, close }: Props) => {
  const [name, setName] = useState(api?.name ?? '');
  const [audience, setAudience] = useState(api?.audience ?? 'https://');
  const [lines, setLines] = useState(api === undefined ? '' : linesOf(api));
  const fields = () => ({ name: name.trim(), scopes: scopesIn(lines) });
  return (
    <FormDialog<unknown>
      title={api === undefined ? 'Register an API' : 'Change the API'}
      act={api === undefined ? 'Register' : 'Change'}
      success={api === undefined ? 'The API was registered.' : 'The API was changed.'}
      command={() =>
        api === undefined
          ? registerApi({ body: { ...fields(), audience: audience.trim() } })
          : changeApi({ apiId: api.apiId, body: fields() })
      }
      onDone={done}
      close={close}
      fields={texts}
      check={() => lineFault(lines)}
    >
      {(faultAt) => (
        <>
          <TextField
            label="Name"
            help="People see it when they are asked for their consent."
            value={name}
            onType={setName}
            maxLength={120}
            isRequired
            fault={faultAt('/body/name')}
          />
          {api === undefined && (
            <TextField
              label="Audience"
              help="The URL by which clients name it as a resource. It stays as it is."
              value={audience}
              onType={setAudience}
              maxLength={256}
              isRequired
              fault={faultAt('/body/audience')}
            />
          )}
          <TextField
            label="Scopes"
            help="One per line: a name such as tickets:read, a space, and what it allows."
            value={lines}
            onType={setLines}
            maxLength={20_000}
            rows={5}
            isRequired
            fault={faultAt('/body/scopes')}
          />
          {api !== undefined && (
            <p>Tokens that were issued last out their minutes. The next ones have only the scopes above.</p>
          )}
        </>
      )}
    </FormDialog>
  );
};
