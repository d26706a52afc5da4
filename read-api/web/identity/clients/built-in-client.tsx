/** A client that every tenant has: it is part of Septet, so nothing of it is registered or changed. */
import type { BuiltInClient } from '../../../../packages/client/src/schemas';
import { CopyButton } from '../../components/copy-button';
import { PageHeading } from '../../components/page-heading';
import { hasScope } from '../../kernel/permissions';
import { withQuery } from '../../kernel/router';
import { clientPath } from '../paths';
import { DescriptionList } from '../shared/display';

export const BuiltInClientPage = ({ client: { clientId, name, purpose } }: { readonly client: BuiltInClient }) => (
  <>
    <PageHeading
      title={name}
      lead={`${purpose} Built in: every tenant has it, and its settings cannot be changed.`}
      trail={[{ label: 'Clients', path: '/console/clients' }]}
    >
      <CopyButton text={clientId} label="Copy the id" />
    </PageHeading>
    <DescriptionList
      facts={[
        [
          'Client id',
          <span key="id" class="mono">
            {clientId}
          </span>,
        ],
      ]}
    />
    {hasScope('grants:read') && (
      <p class="section">
        <a href={withQuery('/console/grants', { clientId })}>Grants to this client</a>
      </p>
    )}
  </>
);

export const BuiltInClientList = ({ clients }: { readonly clients: readonly BuiltInClient[] }) => (
  <section class="section">
    <h2>Built in</h2>
    <ul class="plain">
      {clients.map(({ applicationId, clientId, name, purpose }) => (
        <li key={applicationId}>
          <a href={clientPath(applicationId)}>{name}</a> <span class="faint">{purpose}</span>
          <div class="below mono">{clientId}</div>
        </li>
      ))}
    </ul>
  </section>
);
