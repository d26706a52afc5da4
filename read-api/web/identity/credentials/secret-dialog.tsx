/** Shows a new secret or link once; it cannot be retrieved again. */
import { CopyButton } from '../../components/copy-button';
import { Dialog } from '../../components/dialog';
import { useUnsavedSecret } from '../../kernel/unsaved-secret';

export interface NewSecret {
  readonly credentialId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Props {
  readonly title: string;
  readonly text: string;
  /** Among the values; the others can be looked up again. */
  readonly secret: string;
  readonly values: readonly { readonly name: string; readonly value: string }[];
  /** Label of the button. */
  readonly done: string;
  readonly close: () => void;
}

export const SecretDialog = ({ title, text, secret, values, done, close }: Props) => {
  useUnsavedSecret(secret);
  return (
    <Dialog title={title}>
      <p>{text}</p>
      <dl class="form">
        {values.map(({ name, value }) => (
          <div key={name} class="secret">
            <dt class="faint">{name}</dt>
            <dd class="mono">{value}</dd>
            <dd>
              <CopyButton text={value} label={`Copy the ${name.toLowerCase()}`} />
            </dd>
          </div>
        ))}
      </dl>
      <div class="actions">
        <button type="button" class="button primary" onClick={close}>
          {done}
        </button>
      </div>
    </Dialog>
  );
};

export const NewSecretDialog = ({ made, close }: { readonly made: NewSecret; readonly close: () => void }) => (
  <SecretDialog
    title="Save the secret"
    text="The secret is shown only once. Store it where the client reads it. The id finds it in lists when you want to revoke it."
    done="I have saved it"
    secret={made.clientSecret}
    values={[
      { name: 'Client id', value: made.clientId },
      { name: 'Client secret', value: made.clientSecret },
      { name: 'Credential id', value: made.credentialId },
    ]}
    close={close}
  />
);

interface LinkProps {
  readonly url: string;
  /** Whose it is. */
  readonly name: string;
  readonly close: () => void;
}

export const EnrolmentLinkDialog = ({ url, name, close }: LinkProps) => (
  <SecretDialog
    title={`Send the link to ${name}`}
    text={`With it ${name} sets up how to sign in. It works once, within 24 hours, and for anyone who has it: send it to nobody else. It is shown only once.`}
    done="Done"
    secret={url}
    values={[{ name: 'Link', value: url }]}
    close={close}
  />
);
