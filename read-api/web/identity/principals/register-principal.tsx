/** Dialogs that register a principal and issue an enrolment link. */
import { useState } from 'preact/hooks';
import { enrolPerson, registerPerson, registerPrincipal } from '../../../../packages/client/src/operations';
import { ChoiceField, TextField } from '../../components/form-fields';
import { navigate } from '../../kernel/router';
import { principalTypeNames } from '../../references/principal-type-names';
import { EnrolmentLinkDialog } from '../credentials/secret-dialog';
import { principalPath } from '../paths';
import { FormDialog } from '../shared/form-dialog';
import type { EnrolledPerson, PrincipalAnswer, PrincipalType } from '../wire';
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
}

const ProfileFields = ({ profile, change, isRequired }: FieldsProps) => (
  <>
    <TextField
      label="Login"
      help="What the person signs in with, such as an e-mail address."
      value={profile.login}
      onType={(login) => change({ ...profile, login })}
      maxLength={200}
      isRequired={isRequired}
    />
    <TextField
      label="Name"
      value={profile.displayName}
      onType={(displayName) => change({ ...profile, displayName })}
      maxLength={120}
      isRequired={isRequired}
    />
    <TextField
      label="E-mail address"
      help="Optional."
      value={profile.email}
      onType={(email) => change({ ...profile, email })}
      maxLength={254}
    />
  </>
);

type RegisteredPrincipal = PrincipalAnswer & Partial<EnrolledPerson>;

export const RegisterPrincipal = ({ close }: { readonly close: () => void }) => {
  const [principalType, setType] = useState<PrincipalType>('PIPELINE');
  const [profile, setProfile] = useState(emptyProfile);
  const [label, setLabel] = useState('');
  const [made, setMade] = useState<RegisteredPrincipal>();
  const isPerson = principalType === 'HUMAN';
  const done = (next: RegisteredPrincipal): void =>
    next.enrolmentUrl === undefined ? navigate(principalPath(next.principalId)) : setMade(next);
  if (made?.enrolmentUrl !== undefined)
    return <EnrolmentLinkDialog url={made.enrolmentUrl} close={() => navigate(principalPath(made.principalId))} />;
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
    >
      <ChoiceField
        label="Type"
        help="The type is part of every token and cannot be changed."
        value={principalType}
        options={principalTypes.map((value) => ({ value, label: principalTypeNames[value] }))}
        onChoose={setType}
      />
      {!isPerson && <LabelField label={label} onType={setLabel} />}
      {isPerson && <ProfileFields profile={profile} change={setProfile} isRequired />}
    </FormDialog>
  );
};

export const NewEnrolmentLink = ({
  principalId,
  close,
}: {
  readonly principalId: string;
  readonly close: () => void;
}) => {
  const [profile, setProfile] = useState(emptyProfile);
  const [url, setUrl] = useState<string>();
  if (url !== undefined) return <EnrolmentLinkDialog url={url} close={close} />;
  return (
    <FormDialog
      title="New sign-in link"
      act="Create"
      command={() => enrolPerson({ principalId, body: profileFields(profile) })}
      onDone={({ enrolmentUrl }) => setUrl(enrolmentUrl)}
      close={close}
      keepsOpen
    >
      <p>
        For a new person, or one who lost all authenticators. Fill in the name only if the person has no profile yet.
      </p>
      <ProfileFields profile={profile} change={setProfile} isRequired={false} />
    </FormDialog>
  );
};
