/** What an application is connected with: addresses, client id, the secret just after it was made, and code to paste. */
import { getOpenidConfiguration } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { CopyButton } from '../../components/copy-button';
import { Guide } from '../../components/guide';
import { Snippet } from '../../components/snippet';
import { useResource } from '../../kernel/use-resource';
import { DescriptionList } from '../shared/display';
import type { Client } from '../wire';
import type { KindName } from './client-kinds';
import { type Connection, discoveryUrlOf, environmentOf, programOf } from './snippets';

const Copyable = ({ value, of }: { readonly value: string; readonly of: string }) => (
  <>
    <span class="mono">{value}</span>
    <div class="copy-below">
      <CopyButton text={value} label={`Copy the ${of}`} />
    </div>
  </>
);

const Addresses = ({ issuer, secret, client }: Connection) => (
  <DescriptionList
    facts={[
      ['Issuer', <Copyable key="issuer" value={issuer} of="issuer" />],
      ['Discovery', <Copyable key="discovery" value={discoveryUrlOf(issuer)} of="discovery address" />],
      ['Client id', <Copyable key="id" value={client.clientId} of="client id" />],
      ...(secret === undefined
        ? []
        : [['Client secret', <Copyable key="secret" value={secret} of="client secret" />] as const]),
      ...client.redirectUris.map(
        (uri, index) =>
          [
            client.redirectUris.length === 1 ? 'Redirect URI' : `Redirect URI ${index + 1}`,
            <Copyable key={uri} value={uri} of="redirect URI" />,
          ] as const,
      ),
    ]}
  />
);

interface Props {
  readonly client: Pick<Client, 'authentication' | 'clientId' | 'dpopBound' | 'grantTypes' | 'redirectUris' | 'scopes'>;
  readonly kind: KindName;
  readonly secret?: string | undefined;
}

/** Delivered to others with its settings in it: no environment is read. */
const hasEnvironment = (kind: KindName): boolean => kind !== 'spa' && kind !== 'native';

export const ConnectionDetails = ({ client, kind, secret }: Props) => (
  <AsyncContent source={useResource(getOpenidConfiguration())} rows={3}>
    {({ issuer }) => {
      const connection = { issuer, secret, client };
      return (
        <>
          <Addresses {...connection} />
          {hasEnvironment(kind) && (
            <Snippet
              title="Environment variables"
              text="Paste them into a terminal, or into the settings of the application. Libraries of other languages take the same values."
              command={environmentOf(connection)}
              copyLabel="Copy the variables"
            />
          )}
          <Snippet
            title="With openid-client"
            text={
              hasEnvironment(kind)
                ? 'A program for Node, with the variables above. Save it as app.mjs.'
                : 'For the code of the application.'
            }
            command={programOf(kind, connection)}
            copyLabel="Copy the program"
          />
          <p class="section">
            Other libraries (Auth.js, Passport, Spring, ASP.NET and more):{' '}
            <Guide name="applications" group="applications" isInNewTab={secret !== undefined} />
          </p>
        </>
      );
    }}
  </AsyncContent>
);
