/** Dialogs that register a principal and issue an enrolment link. */
import { useState } from 'preact/hooks';
import { enrolPerson, registerPerson, registerPrincipal } from '../../../../packages/client/src/operations';
import { ChoiceField, TextField } from '../../components/form-fields';
import type { FaultAt, FieldTexts } from '../../kernel/field-faults';
import { navigate } from '../../kernel/router';
import { nameOfPrincipalRow } from '../../references/names';
import { principalTypeNames } from '../../references/principal-type-names';
import { EnrolmentLinkDialog } from '../credentials/secret-dialog';
import { principalPath } from '../paths';
import { FormDialog } from '../shared/form-dialog';
import type { EnrolledPerson, Principal, PrincipalAnswer, PrincipalType } from '../wire';
import { LabelField } from './label-principal';

export const principalTypes = ['HUMAN', 'PIPELINE', 'AI_AGENT'] as const;

export interface Profile {
  readonly login: string;
  readonly displayName: string;
  readonly email: string;
}

const emptyProfile: Profile = { login: '', displayName: '', email: '' };

/** Omits empty fields. */
const profileFields = (profile: Profile): Partial<Profile> =>
  Object.fromEntries(
    Object.entries(profile)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  );

interface FieldsProps {
  readonly profile: Profile;
  readonly change: (profile: Profile) => void;
  readonly isRequired: boolean;
  readonly faultAt: FaultAt;
}

const loginRules = 'Must be one word without spaces, in letters of one alphabet.';

const profileTexts: FieldTexts = {
  texts: {
    '/body/login': loginRules,
    '/body/displayName': 'Must be visible letters.',
    '/body/email': 'Must be an e-mail address, such as ada@example.org.',
  },
  codes: { 'identifier-taken': { pointer: '/body/login', text: 'Another person has this login.' } },
};

const ProfileFields = ({ profile, change, isRequired, faultAt }: FieldsProps) => (
  <>
    <TextField
      label="Login"
      fault={faultAt('/body/login')}
      help={`${isRequired ? '' : 'Optional. '}What the person signs in with, such as an e-mail address.`}
      value={profile.login}
      onType={(login) => change({ ...profile, login })}
      maxLength={200}
      isRequired={isRequired}
    />
    <TextField
      label="Name"
      fault={faultAt('/body/displayName')}
      {...(isRequired ? {} : { help: 'Optional.' })}
      value={profile.displayName}
      onType={(displayName) => change({ ...profile, displayName })}
      maxLength={120}
      isRequired={isRequired}
    />
    <TextField
      label="E-mail address"
      fault={faultAt('/body/email')}
      help="Optional."
      value={profile.email}
      onType={(email) => change({ ...profile, email })}
      maxLength={254}
    />
  </>
);

type RegisteredPrincipal = PrincipalAnswer & Partial<EnrolledPerson>;

export const RegisterPrincipal = ({ close }: { readonly close: () => void }) => {
  const [principalType, setType] = useState<PrincipalType>('HUMAN');
  const [profile, setProfile] = useState(emptyProfile);
  const [label, setLabel] = useState('');
  const [made, setMade] = useState<RegisteredPrincipal>();
  const isPerson = principalType === 'HUMAN';
  const done = (next: RegisteredPrincipal): void =>
    next.enrolmentUrl === undefined ? navigate(principalPath(next.principalId)) : setMade(next);
  if (made?.enrolmentUrl !== undefined)
    return (
      <EnrolmentLinkDialog
        url={made.enrolmentUrl}
        name={profile.displayName.trim()}
        close={() => navigate(principalPath(made.principalId))}
      />
    );
  return (
    <FormDialog<RegisteredPrincipal>
      title="Register a principal"
      act="Register"
      success="The principal was registered."
      command={() =>
        isPerson
          ? registerPerson({ body: { login: '', displayName: '', ...profileFields(profile) } })
          : registerPrincipal({ body: { principalType, ...(label.trim() === '' ? {} : { label: label.trim() }) } })
      }
      onDone={done}
      close={close}
      keepsOpen
      fields={profileTexts}
    >
      {(faultAt) => (
        <>
          <ChoiceField
            label="Type"
            help="The type is part of every token and cannot be changed."
            value={principalType}
            options={principalTypes.map((value) => ({ value, label: principalTypeNames[value] }))}
            onChoose={setType}
          />
          {!isPerson && <LabelField label={label} onType={setLabel} />}
          {isPerson && <ProfileFields profile={profile} change={setProfile} isRequired faultAt={faultAt} />}
        </>
      )}
    </FormDialog>
  );
};

interface LinkProps {
  readonly principal: Pick<Principal, 'principalId' | 'principalType' | 'login' | 'name'>;
  readonly close: () => void;
}

export const NewEnrolmentLink = ({ principal, close }: LinkProps) => {
  const [profile, setProfile] = useState(emptyProfile);
  const [url, setUrl] = useState<string>();
  const { principalId, login } = principal;
  const { name } = nameOfPrincipalRow(principal);
  if (url !== undefined)
    return <EnrolmentLinkDialog url={url} name={profile.displayName.trim() || name} close={close} />;
  return (
    <FormDialog
      title={`New sign-in link for ${name}`}
      act="Create"
      command={() => enrolPerson({ principalId, body: profileFields(profile) })}
      onDone={({ enrolmentUrl }) => setUrl(enrolmentUrl)}
      close={close}
      keepsOpen
      fields={profileTexts}
    >
      {(faultAt) => (
        <>
          {login === null ? (
            <p>With the link the person sets up how to sign in.</p>
          ) : (
            <p>
              For a person who forgot the password, or lost a passkey or phone. With the link the person sets up a new
              way to sign in. Leave the fields empty to keep the login and the name.
            </p>
          )}
          <ProfileFields profile={profile} change={setProfile} isRequired={login === null} faultAt={faultAt} />
        </>
      )}
    </FormDialog>
  );
};
