/** Registers or changes a client; a change replaces all metadata. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import {
  type CommandRequest,
  changeClient,
  getClient,
  registerClient,
} from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { PageHeading } from '../../components/page-heading';
import { ProblemMessage } from '../../components/problem-message';
import type { Problem } from '../../kernel/problem';
import { navigate } from '../../kernel/router';
import { showToast } from '../../kernel/toasts';
import { useCommand } from '../../kernel/use-command';
import { useResource } from '../../kernel/use-resource';
import type { PageProps } from '../../shell/section';
import { clientPath } from '../paths';
import type { ClientAnswer, ClientRegistration } from '../wire';
import { type ClientDraft, draftOf, emptyDraft, registrationOf } from './client-draft';
import { BasicFields, type FieldsProps, KeyFields, RedirectFields } from './client-fields';
import { ScopeFields, TokenRuleFields } from './client-limit-fields';

/** Finds the server's error of a field. */
const faultFinder =
  (problem: Problem | undefined) =>
  (field: string): string | undefined => {
    const found = problem?.errors.find(({ pointer }) => `${pointer}/`.startsWith(`/body/${field}/`));
    return found === undefined ? undefined : `It must be ${found.expected}.`;
  };

const AllFields = (fields: FieldsProps) => (
  <>
    <BasicFields {...fields} />
    <KeyFields {...fields} />
    <RedirectFields {...fields} />
    <ScopeFields {...fields} />
    <TokenRuleFields {...fields} />
  </>
);

/** Where answers go, and how the client proves itself: what people allowed it rests on both. */
const changesIdentity = (before: ClientDraft, draft: ClientDraft): boolean =>
  before.redirectUris !== draft.redirectUris || before.authentication !== draft.authentication;

interface FormProps {
  readonly first: ClientDraft;
  readonly act: string;
  readonly command: (registration: ClientRegistration) => CommandRequest<ClientAnswer>;
  /** The toast afterwards. */
  readonly success: string;
  readonly back: string;
  /** The client exists, so people may have allowed it something. */
  readonly isChange?: boolean;
}

const ClientForm = ({ first, act, command, success, back, isChange = false }: FormProps) => {
  const [draft, setDraft] = useState(first);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const send = useCommand();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const answer = await send(command(registrationOf(draft)));
    setBusy(false);
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok) return;
    showToast(success);
    navigate(clientPath(answer.content.applicationId));
  };
  const change = (fields: Partial<ClientDraft>): void => setDraft((before) => ({ ...before, ...fields }));
  return (
    <form class="form wide-form" onSubmit={(event) => void submit(event)}>
      <AllFields draft={draft} change={change} faultOf={faultFinder(problem)} />
      {isChange && changesIdentity(first, draft) && (
        <div class="notice warn" role="status">
          <p>
            This ends every grant to the client and its tokens. People are asked for consent again and see what changed.
          </p>
        </div>
      )}
      {problem !== undefined && <ProblemMessage problem={problem} />}
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

const ClientFormPage = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <>
    <PageHeading title={title} trail={[{ label: 'Clients', path: '/console/clients' }]} />
    {children}
  </>
);

export const NewClientPage = () => (
  <ClientFormPage title="Register a client">
    <ClientForm
      first={emptyDraft}
      act="Register"
      success="The client was registered."
      command={(body) => registerClient({ body })}
      back="/console/clients"
    />
  </ClientFormPage>
);

export const ChangeClientPage = ({ params }: PageProps) => {
  const { applicationId = '' } = params;
  const client = useResource(getClient({ applicationId }));
  return (
    <ClientFormPage title={client.content === undefined ? 'Change a client' : `Change ${client.content.name}`}>
      <AsyncContent source={client}>
        {(found) => (
          <ClientForm
            first={draftOf(found)}
            act="Change"
            success="The client was changed."
            command={(body) => changeClient({ applicationId, body })}
            back={clientPath(applicationId)}
            isChange
          />
        )}
      </AsyncContent>
    </ClientFormPage>
  );
};
