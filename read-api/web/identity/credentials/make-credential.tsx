/** Dialog that creates a credential or secret. */
import { useState } from 'preact/hooks';
import type { CommandRequest, PageRequest } from '../../../../packages/client/src/operations';
import { TextField } from '../../components/form-fields';
import type { FieldTexts } from '../../kernel/field-faults';
import { FormDialog } from '../shared/form-dialog';
import { ScopeField } from '../shared/scope-field';
import type { Credential, KnownClientSecret } from '../wire';
import type { NewSecret } from './secret-dialog';

/** Secrets of a client have no scopes and no label, and tokens do not name them. */
export type ListedCredential = KnownClientSecret &
  Partial<Pick<Credential, 'label' | 'lastUsedAt' | 'principalId' | 'scopes'>>;

interface Wanted {
  readonly label?: string;
  readonly scopes: readonly string[];
  readonly expiresInSeconds?: number;
}

export interface CredentialOwner {
  readonly title: string;
  readonly list: PageRequest<{ readonly items: readonly ListedCredential[] }>;
  readonly issue: (wanted: Wanted) => CommandRequest<NewSecret>;
  readonly revoke: (credentialId: string, reason: string) => CommandRequest<unknown>;
  /** Needed to create and revoke credentials. */
  readonly scope: string;
  /** Credentials of another person: may be revoked, not created. */
  readonly isOfAnother?: boolean;
  readonly noun: string;
  /** Text of the empty list. */
  readonly none: string;
  /** Of a principal: with scopes and a label. */
  readonly isOfPrincipal: boolean;
}

interface MakeCredentialProps {
  readonly holder: CredentialOwner;
  readonly onMade: (made: NewSecret) => void;
  readonly close: () => void;
}

interface LabelFieldProps {
  readonly label: string;
  readonly onType: (label: string) => void;
}

export const CredentialLabelField = ({ label, onType }: LabelFieldProps) => (
  <TextField
    label="Label"
    help="Optional. What it is for, such as “Laptop of the build team”: you recognize it by this in lists."
    value={label}
    onType={onType}
    maxLength={120}
  />
);

const credentialTexts: FieldTexts = {
  texts: { '/body/expiresInSeconds': 'Must be a number of days that is allowed here.' },
};

const secondsPerDay = 86_400;

export const MakeCredential = ({ holder, onMade, close }: MakeCredentialProps) => {
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const [label, setLabel] = useState('');
  const [days, setDays] = useState('');
  const wanted = (): Wanted => ({
    scopes,
    ...(label.trim() === '' ? {} : { label: label.trim() }),
    ...(days.trim() === '' ? {} : { expiresInSeconds: Math.round(Number(days) * secondsPerDay) }),
  });
  return (
    <FormDialog
      title={`New ${holder.noun.toLowerCase()}`}
      act="Create"
      command={() => holder.issue(wanted())}
      onDone={onMade}
      close={close}
      fields={credentialTexts}
      check={() => [
        ...(holder.isOfPrincipal && scopes.length === 0
          ? [{ pointer: '/body/scopes', text: 'Choose at least one scope.' }]
          : []),
        ...(days.trim() !== '' && !(Number(days) > 0)
          ? [{ pointer: '/body/expiresInSeconds', text: 'Must be a number of days.' }]
          : []),
      ]}
    >
      {(faultAt) => (
        <>
          {holder.isOfPrincipal && <CredentialLabelField label={label} onType={setLabel} />}
          {holder.isOfPrincipal && (
            <ScopeField
              help="You can grant only scopes that you have."
              fault={faultAt('/body/scopes')}
              chosen={scopes}
              onChoose={setScopes}
            />
          )}
          <TextField
            label="Days until it expires"
            fault={faultAt('/body/expiresInSeconds')}
            help={holder.isOfPrincipal ? '90 if left empty.' : 'If left empty, it is valid until it is revoked.'}
            value={days}
            onType={setDays}
            maxLength={6}
            isNumber
          />
        </>
      )}
    </FormDialog>
  );
};
