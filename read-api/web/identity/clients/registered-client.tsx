/** After a registration: everything that the application needs, with the secret, which is shown only once. */

import { PageHeading } from '../../components/page-heading';
import { ProblemMessage } from '../../components/problem-message';
import { ResultHeading } from '../../components/result-heading';
import type { Problem } from '../../kernel/problem';
import { useUnsavedSecret } from '../../kernel/unsaved-secret';
import { clientPath } from '../paths';
import type { ClientAnswer, ClientRegistration } from '../wire';
import type { KindName } from './client-kinds';
import { hasSecret } from './client-labels';
import { ConnectionDetails } from './connection-details';

export interface RegisteredClient {
  readonly kind: KindName;
  readonly answer: ClientAnswer;
  readonly registration: ClientRegistration;
  /** Undefined: it authenticates without one, or none was issued. */
  readonly secret: string | undefined;
  /** Why none was issued. */
  readonly problem: Problem | undefined;
}

/** Of a registration that names none. */
const usualAuthentication = 'client_secret_basic';

export const RegisteredClientPage = ({ client }: { readonly client: RegisteredClient }) => {
  const { kind, answer, registration, secret, problem } = client;
  useUnsavedSecret(secret);
  const {
    authentication = usualAuthentication,
    grantTypes,
    redirectUris = [],
    scopes,
    dpopBound = false,
  } = registration;
  const connected = { clientId: answer.clientId, authentication, grantTypes, redirectUris, scopes, dpopBound };
  return (
    <>
      <PageHeading
        title={`${registration.name} is registered`}
        trail={[{ label: 'Clients', path: '/console/clients' }]}
      >
        <a class="button" href={clientPath(answer.applicationId)}>
          Open the client
        </a>
      </PageHeading>
      <ResultHeading title="Connect the application" />
      {secret !== undefined && (
        <p class="notice warn">The secret is shown only once. Store it now where the application reads it.</p>
      )}
      {problem !== undefined && <ProblemMessage problem={problem} />}
      {problem !== undefined && hasSecret({ authentication }) && (
        <p class="notice">
          The client was registered without a secret. <a href={clientPath(answer.applicationId)}>Create one</a> on its
          page.
        </p>
      )}
      <ConnectionDetails client={connected} kind={kind} secret={secret} />
    </>
  );
};
