/** Dialog that opens an incident. */
import { useState } from 'preact/hooks';
import { openIncident } from '../../../../packages/client/src/operations';
import { ChoiceField, type Option, TextField } from '../../components/form-fields';
import { FormDialog } from '../shared/form-dialog';
import type { IncidentAnswer, NewIncident } from '../wire';
import { reachNames } from './words';

type Suspected = NewIncident['suspected'];

const suspected: readonly Option<Suspected>[] = (['principal', 'grant', 'token', 'tenant', 'nothing'] as const).map(
  (value) => ({ value, label: reachNames[value] }),
);

const severities: readonly Option<NewIncident['severity']>[] = [
  { value: 'SEV-1', label: 'SEV-1: act now' },
  { value: 'SEV-2', label: 'SEV-2: look at it today' },
  { value: 'SEV-3', label: 'SEV-3: worth knowing' },
];

/** The id that the reach needs; null: none. */
const idLabels: {
  readonly [reach in Suspected]: readonly [field: 'principalId' | 'grantId' | 'jti', label: string] | null;
} = {
  principal: ['principalId', 'Principal'],
  grant: ['grantId', 'Grant'],
  token: ['jti', 'Token (jti)'],
  tenant: null,
  platform: null,
  nothing: null,
};

interface Props {
  readonly onDone: (answer: IncidentAnswer) => void;
  readonly close: () => void;
}

export const ReportIncident = ({ onDone, close }: Props) => {
  const [reach, setReach] = useState<Suspected>('principal');
  const [severity, setSeverity] = useState<NewIncident['severity']>('SEV-2');
  const [id, setId] = useState('');
  const [note, setNote] = useState('');
  const needed = idLabels[reach];
  return (
    <FormDialog<IncidentAnswer>
      title="Report an incident"
      act="Open incident"
      success="The incident is being contained."
      command={() =>
        openIncident({
          body: {
            severity,
            suspected: reach,
            note: note.trim(),
            ...(needed === null ? {} : { [needed[0]]: id.trim() }),
          },
        })
      }
      onDone={onDone}
      close={close}
    >
      {(faultAt) => (
        <>
          <ChoiceField
            label="Suspected to be in wrong hands"
            help="It ends at once, and nothing replaces it before a recovery."
            value={reach}
            options={suspected}
            onChoose={setReach}
            fault={faultAt('/body/suspected')}
          />
          {needed !== null && (
            <TextField
              key={needed[0]}
              label={needed[1]}
              help="Its id."
              value={id}
              onType={setId}
              maxLength={128}
              isRequired
              fault={faultAt(`/body/${needed[0]}`)}
            />
          )}
          <ChoiceField label="Severity" value={severity} options={severities} onChoose={setSeverity} />
          <TextField
            label="What happened"
            help="Recorded with everything that ends for it."
            value={note}
            onType={setNote}
            maxLength={500}
            rows={3}
            isRequired
            fault={faultAt('/body/note')}
          />
        </>
      )}
    </FormDialog>
  );
};
