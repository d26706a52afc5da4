/** A principal is registered: a person by the login that leads to them, the others by what they are. */
import { useState } from 'preact/hooks';
import { registerPerson, registerPrincipal } from '../../../packages/client/src/operations';
import { navigate } from '../kernel/router';
import { Choice, TextField } from '../parts/field';
import { FormDialog } from './form';
import { principalPath } from './paths';
import { LinkOnce } from './secret-once';
import type { EnrolledPerson, PrincipalAnswer, PrincipalType } from './wire';

export const typeNames = { HUMAN: 'Person', PIPELINE: 'Pipeline', AI_AGENT: 'AI agent' } as const;
export const types = ['HUMAN', 'PIPELINE', 'AI_AGENT'] as const;

export interface Profile {
  readonly login: string;
  readonly displayName: string;
  readonly email: string;
}

export const noProfile: Profile = { login: '', displayName: '', email: '' };

/** What was left empty is not said. */
export const said = (profile: Profile): Partial<Profile> =>
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

export const ProfileFields = ({ profile, change, isRequired }: FieldsProps) => (
  <>
    <TextField
      label="Login"
      help="What the person types first, such as an e-mail address."
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
      help="May be left empty."
      value={profile.email}
      onType={(email) => change({ ...profile, email })}
      maxLength={254}
    />
  </>
);

type Made = PrincipalAnswer & Partial<EnrolledPerson>;

export const Register = ({ close }: { readonly close: () => void }) => {
  const [principalType, setType] = useState<PrincipalType>('PIPELINE');
  const [profile, setProfile] = useState(noProfile);
  const [made, setMade] = useState<Made>();
  const isPerson = principalType === 'HUMAN';
  const done = (next: Made): void =>
    next.enrolmentUrl === undefined ? navigate(principalPath(next.principalId)) : setMade(next);
  if (made?.enrolmentUrl !== undefined)
    return <LinkOnce url={made.enrolmentUrl} close={() => navigate(principalPath(made.principalId))} />;
  return (
    <FormDialog<Made>
      title="Register a principal"
      act="Register"
      command={() =>
        isPerson
          ? registerPerson({ body: { login: '', displayName: '', ...said(profile) } })
          : registerPrincipal({ body: { principalType } })
      }
      onDone={done}
      close={close}
      isKept
    >
      <Choice
        label="Type"
        help="It is signed into every token and never changes."
        value={principalType}
        options={types.map((value) => ({ value, label: typeNames[value] }))}
        onChoose={setType}
      />
      {isPerson && <ProfileFields profile={profile} change={setProfile} isRequired />}
    </FormDialog>
  );
};
