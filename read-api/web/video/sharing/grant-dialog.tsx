/** Dialog that grants a viewer a subscription, purchase or rental. */
import { useState } from 'preact/hooks';
import { grantVideoEntitlement } from '../../../../packages/client/src/operations';
import { ChoiceField } from '../../components/form-fields';
import { TimeField } from '../../components/time-field';
import { FormDialog } from '../../identity/shared/form-dialog';
import { PersonField, personIdOf, usePerson } from '../../references/person-field';
import { type EntitlementKind, entitlementKinds, kindLabels, kindMeanings } from './entitlement-kinds';

const kindOptions = entitlementKinds.map((value) => ({ value, label: kindLabels[value] }));

interface Props {
  readonly videoId: string;
  /** What the video requires; the first one is proposed. */
  readonly requires: readonly EntitlementKind[];
  readonly onDone: () => void;
  readonly close: () => void;
}

export const GrantDialog = ({ videoId, requires, onDone, close }: Props) => {
  const [kind, setKind] = useState<EntitlementKind>(requires[0] ?? 'purchase');
  const [person, setPerson] = useState('');
  const [beginsAt, setBegin] = useState(() => new Date().toISOString());
  const [endsAt, setEnd] = useState('');
  const search = usePerson(person, 'videos');
  const viewerId = personIdOf(search);
  const isPeriod = beginsAt !== '' && (endsAt === '' ? kind !== 'rental' : endsAt > beginsAt);
  const body = { kind, viewerId: viewerId ?? '', beginsAt, endsAt: endsAt === '' ? null : endsAt };
  return (
    <FormDialog<unknown>
      title="Grant an entitlement"
      act="Grant"
      isReady={viewerId !== undefined && isPeriod}
      success="It was granted."
      command={() => grantVideoEntitlement({ videoId, body })}
      onDone={onDone}
      close={close}
    >
      <PersonField label="Name or id of the viewer" value={person} onType={setPerson} search={search} />
      <ChoiceField label="Kind" help={kindMeanings[kind]} value={kind} options={kindOptions} onChoose={setKind} />
      <TimeField label="Begins" value={beginsAt} onType={setBegin} />
      <TimeField label={kind === 'rental' ? 'Ends' : 'Ends (optional)'} value={endsAt} onType={setEnd} />
      {endsAt !== '' && endsAt <= beginsAt && (
        <p class="fault" role="alert">
          It has to end after it begins.
        </p>
      )}
    </FormDialog>
  );
};
