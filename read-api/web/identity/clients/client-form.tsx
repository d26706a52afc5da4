/** Registers or changes a client; a change replaces all metadata. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  type CommandRequest,
  changeClient,
  getClient,
  issueClientSecret,
  registerClient,
} from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { type Crumb, PageHeading } from '../../components/page-heading';
import { ProblemMessage } from '../../components/problem-message';
import type { Problem } from '../../kernel/problem';
import { navigate, withQuery } from '../../kernel/router';
import { showToast } from '../../kernel/toasts';
import { useUnsavedInput } from '../../kernel/unsaved-input';
import { useCommand } from '../../kernel/use-command';
import { useResource } from '../../kernel/use-resource';
import type { PageProps } from '../../shell/section';
import { clientPath } from '../paths';
import type { ClientAnswer, ClientRegistration } from '../wire';
import { type ClientDraft, draftOf, registrationOf } from './client-draft';
import {
  AuthenticationFields,
  type FieldsProps,
  GrantTypeFields,
  KeyFields,
  LogoutFields,
  NameField,
  ReturnFields,
} from './client-fields';
import { type ClientKind, clientKinds, draftFor, isKindName, type KindName } from './client-kinds';
import { hasSecret } from './client-labels';
import { AudienceFields, ScopesField, TokenRuleFields } from './client-limit-fields';
import { KindChoice } from './kind-choice';
import { type RegisteredClient, RegisteredClientPage } from './registered-client';
import { type RegistrationField, registrationFaultsOf, summaryOf } from './registration-faults';

const clientsPath = '/console/clients';

/** Every setting, in the order of a change. */
const AllFields = (fields: FieldsProps) => (
  <>
    <fieldset>
      <legend>Client</legend>
      <NameField {...fields} />
      <AuthenticationFields {...fields} />
    </fieldset>
    <KeyFields {...fields} />
    <GrantTypeFields {...fields} />
    <fieldset>
      <legend>Addresses</legend>
      <ReturnFields {...fields} />
      <LogoutFields {...fields} />
    </fieldset>
    <fieldset>
      <legend>Access</legend>
      <ScopesField {...fields} />
      <AudienceFields {...fields} />
    </fieldset>
    <TokenRuleFields {...fields} />
  </>
);

interface KindFieldsProps extends FieldsProps {
  readonly kind: KindName;
  /** A setting that was refused is among the folded ones, or may be. */
  readonly isUnfolded: boolean;
}

/** What the kind needs; everything else has a usual value, and is below. */
const KindFields = ({ kind, isUnfolded, ...fields }: KindFieldsProps) => {
  const { label, redirects, scopesHelp }: ClientKind = clientKinds[kind];
  return (
    <>
      <fieldset>
        <legend>{label}</legend>
        <NameField {...fields} />
        <ReturnFields {...fields} help={redirects} />
        <ScopesField {...fields} help={scopesHelp} />
      </fieldset>
      <details class="more-settings" open={isUnfolded}>
        <summary>More settings</summary>
        <div class="folded">
          <fieldset>
            <legend>Authentication</legend>
            <AuthenticationFields {...fields} />
          </fieldset>
          <KeyFields {...fields} />
          <GrantTypeFields {...fields} />
          <fieldset>
            <legend>Logout</legend>
            <LogoutFields {...fields} />
          </fieldset>
          <fieldset>
            <legend>Tokens</legend>
            <AudienceFields {...fields} />
          </fieldset>
          <TokenRuleFields {...fields} />
        </div>
      </details>
    </>
  );
};

/** In sight in the form of a kind. */
const usualFields: readonly RegistrationField[] = ['name', 'redirectUris', 'servicePrincipalId', 'scopes'];

/** Where answers go, and how the client proves itself: what people allowed it rests on both. */
const changesIdentity = (before: ClientDraft, draft: ClientDraft): boolean =>
  before.redirectUris !== draft.redirectUris || before.authentication !== draft.authentication;

interface FormProps {
  readonly first: ClientDraft;
  readonly act: string;
  readonly command: (registration: ClientRegistration) => CommandRequest<ClientAnswer>;
  /** Resolves once the result is shown. */
  readonly onDone: (answer: ClientAnswer, registration: ClientRegistration) => void | Promise<void>;
  readonly back: string;
  /** Of a new client; one that exists may have been allowed something by people. */
  readonly kind?: KindName;
}

const ClientForm = ({ first, act, command, onDone, back, kind }: FormProps) => {
  const [draft, setDraft] = useState(first);
  const isChange = kind === undefined;
  useUnsavedInput(JSON.stringify(draft) !== JSON.stringify(first));
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const send = useCommand();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const registration = registrationOf(draft);
    const answer = await send(command(registration));
    if (answer.ok) await onDone(answer.content, registration);
    setBusy(false);
    setProblem(answer.ok ? undefined : answer.problem);
  };
  const change = (fields: Partial<ClientDraft>): void => setDraft((before) => ({ ...before, ...fields }));
  const faults = registrationFaultsOf(problem);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [problem]);
  const faultOf = (field: string): string | undefined => faults.find((fault) => fault.field === field)?.text;
  const fields = { draft, change, faultOf };
  const isUnfolded =
    problem !== undefined && (faults.length === 0 || faults.some(({ field }) => !usualFields.includes(field)));
  return (
    <form ref={form} class="form wide-form" onSubmit={(event) => void submit(event)}>
      {kind === undefined ? <AllFields {...fields} /> : <KindFields {...fields} kind={kind} isUnfolded={isUnfolded} />}
      {isChange && changesIdentity(first, draft) && (
        <div class="notice warn" role="status">
          <p>
            This ends every grant to the client and its tokens. People are asked for consent again and see what changed.
          </p>
        </div>
      )}
      {problem !== undefined && faults.length === 0 && <ProblemMessage problem={problem} />}
      {faults.length > 0 && (
        <p class="notice bad" role="alert">
          {summaryOf(faults)}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="button primary" disabled={isBusy}>
          {act}
        </button>
        <a class="button" href={back}>
          Cancel
        </a>
      </div>
    </form>
  );
};

interface FormPageProps {
  readonly title: string;
  /** That is changed. */
  readonly client?: Crumb | undefined;
  readonly children: ComponentChildren;
}

const ClientFormPage = ({ title, client, children }: FormPageProps) => (
  <>
    <PageHeading
      title={title}
      trail={[{ label: 'Clients', path: clientsPath }, ...(client === undefined ? [] : [client])]}
    />
    {children}
  </>
);

const newClientPath = `${clientsPath}/new`;

export const NewClientPage = ({ query }: PageProps) => {
  const named = query.get('kind') ?? '';
  const kind = isKindName(named) ? named : undefined;
  const [made, setMade] = useState<RegisteredClient>();
  const send = useCommand();
  const finish = async (answer: ClientAnswer, registration: ClientRegistration): Promise<void> => {
    if (kind === undefined) return;
    const result = { kind, answer, registration };
    if (!hasSecret({ authentication: registration.authentication ?? 'none' }))
      return setMade({ ...result, secret: undefined, problem: undefined });
    const issued = await send(issueClientSecret({ applicationId: answer.applicationId, body: {} }));
    setMade(
      issued.ok
        ? { ...result, secret: issued.content.clientSecret, problem: undefined }
        : { ...result, secret: undefined, problem: issued.problem },
    );
  };
  if (made !== undefined) return <RegisteredClientPage client={made} />;
  return (
    <ClientFormPage title="Register a client">
      <div class="form wide-form">
        <KindChoice
          chosen={kind}
          onChoose={(chosen) => navigate(withQuery(newClientPath, { kind: chosen }), 'replace')}
        />
        {kind === undefined && (
          <div class="actions">
            <a class="button" href={clientsPath}>
              Cancel
            </a>
          </div>
        )}
      </div>
      {kind !== undefined && (
        <ClientForm
          key={kind}
          kind={kind}
          first={draftFor(kind)}
          act="Register"
          onDone={finish}
          command={(body) => registerClient({ body })}
          back={clientsPath}
        />
      )}
    </ClientFormPage>
  );
};

export const ChangeClientPage = ({ params }: PageProps) => {
  const { applicationId = '' } = params;
  const client = useResource(getClient({ applicationId }));
  return (
    <ClientFormPage
      title={client.content === undefined ? 'Change a client' : `Change ${client.content.name}`}
      client={client.content && { label: client.content.name, path: clientPath(applicationId) }}
    >
      <AsyncContent source={client}>
        {(found) => (
          <ClientForm
            first={draftOf(found)}
            act="Change"
            onDone={({ applicationId: changed }) => {
              showToast('The client was changed.');
              navigate(clientPath(changed));
            }}
            command={(body) => changeClient({ applicationId, body })}
            back={clientPath(applicationId)}
          />
        )}
      </AsyncContent>
    </ClientFormPage>
  );
};
