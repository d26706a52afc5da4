/** A person gets a new link to set up how they sign in; who has no login yet gets one with it. */
import { useState } from 'preact/hooks';
import { enrolPerson } from '../../../packages/client/src/operations';
import { FormDialog } from './form';
import { noProfile, ProfileFields, said } from './register';
import { LinkOnce } from './secret-once';

export const NewLink = ({ principalId, close }: { readonly principalId: string; readonly close: () => void }) => {
  const [profile, setProfile] = useState(noProfile);
  const [url, setUrl] = useState<string>();
  if (url !== undefined) return <LinkOnce url={url} close={close} />;
  return (
    <FormDialog
      title="New link to sign in"
      act="Make it"
      command={() => enrolPerson({ principalId, body: said(profile) })}
      onDone={({ enrolmentUrl }) => setUrl(enrolmentUrl)}
      close={close}
      isKept
    >
      <p>
        For somebody who is new, or has lost what they signed in with. Say who it is only where that is not known yet.
      </p>
      <ProfileFields profile={profile} change={setProfile} isRequired={false} />
    </FormDialog>
  );
};
