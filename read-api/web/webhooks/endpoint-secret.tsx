/** Shows the secret of an endpoint once. */
import { SecretDialog } from '../identity/credentials/secret-dialog';

export const EndpointSecret = ({ secret, close }: { readonly secret: string; readonly close: () => void }) => (
  <SecretDialog
    title="Save the secret"
    text="The secret is shown only once. Store it where the receiver reads it, to verify signatures."
    done="I have saved it"
    secret={secret}
    values={[{ name: 'Signing secret', value: secret }]}
    close={close}
  />
);
