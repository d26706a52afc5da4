/** Shows a new secret or link once; it cannot be retrieved again. */
import { CopyButton } from '../../components/copy-button';
import { Dialog } from '../../components/dialog';

export interface NewSecret {
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Props {
  readonly title: string;
  readonly text: string;
  readonly values: readonly { readonly name: string; readonly value: string }[];
  readonly close: () => void;
}

const SecretDialog = ({ title, text, values, close }: Props) => (
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
        I have saved it
      </button>
    </div>
  </Dialog>
);

export const NewSecretDialog = ({ made, close }: { readonly made: NewSecret; readonly close: () => void }) => (
  <SecretDialog
    title="Save the secret"
    text="It is shown only once. Store it where the client reads it."
    values={[
      { name: 'Client id', value: made.clientId },
      { name: 'Client secret', value: made.clientSecret },
    ]}
    close={close}
  />
);

interface LinkProps {
  readonly url: string;
  readonly close: () => void;
}

export const EnrolmentLinkDialog = ({ url, close }: LinkProps) => (
  <SecretDialog
    title="Send the link"
    text="Whoever opens the link first sets up how this person signs in. It works once, within 24 hours, and is shown only once."
    values={[{ name: 'Link', value: url }]}
    close={close}
  />
);
