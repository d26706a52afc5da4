/** Use the API from a terminal: makes a credential of the reader's own, and the commands that use it. */
import { useState } from 'preact/hooks';
import { issueCredential, listScopes } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { NewTabLink } from '../../components/new-tab-link';
import { PageHeading } from '../../components/page-heading';
import { ProblemMessage } from '../../components/problem-message';
import { ResultHeading } from '../../components/result-heading';
import { Snippet } from '../../components/snippet';
import { countOf } from '../../kernel/format';
import { renderTime } from '../../kernel/now';
import { hasScope, ownPrincipal } from '../../kernel/permissions';
import type { Problem } from '../../kernel/problem';
import { useUnsavedSecret } from '../../kernel/unsaved-secret';
import { useCommand } from '../../kernel/use-command';
import { useResource } from '../../kernel/use-resource';
import { useName } from '../../references/reference';
import { credentialsPath } from '../fixed-paths';
import { credentialPath, principalPath } from '../paths';
import { DescriptionList } from '../shared/display';
import { ScopeField } from '../shared/scope-field';
import type { KnownScope } from '../wire';
import { CredentialLabelField } from './make-credential';
import type { NewSecret } from './secret-dialog';

/** Writes what the guides and the README read. */
const saveCommand = ({ credentialId, clientId, clientSecret }: NewSecret): string => `export SEPTET=${location.origin}
(umask 077; cat > admin.json) <<'END'
${JSON.stringify({ credentialId, clientId, clientSecret })}
END`;

const tryCommand = `field() { node -pe "JSON.parse(require('fs').readFileSync(0, 'utf8')).$1"; }
TOKEN=$(curl -sS --fail-with-body $SEPTET/oauth/token -u "$(field clientId < admin.json):$(field clientSecret < admin.json)" \\
  -d grant_type=client_credentials | field access_token)
curl -sS --fail-with-body "$SEPTET/v1/principals?limit=3" -H "Authorization: Bearer $TOKEN"`;

interface MadeCredential extends NewSecret {
  readonly label: string;
}

const Made = ({ made }: { readonly made: MadeCredential }) => {
  useUnsavedSecret(made.clientSecret);
  return (
    <>
      <section class="section">
        <ResultHeading title="The credential was created" />
        <DescriptionList
          facts={[
            ['Label', made.label === '' ? '—' : made.label],
            [
              'Credential id',
              <NewTabLink key="id" class="mono" href={credentialPath(made.credentialId)}>
                {made.credentialId}
              </NewTabLink>,
            ],
            [
              'Client id',
              <span key="client" class="mono">
                {made.clientId}
              </span>,
            ],
          ]}
        />
        <p class="notice">
          admin.json has both ids. When you no longer need the credential, or someone else may have seen the file,
          revoke it under <NewTabLink href={credentialsPath}>Credentials</NewTabLink>.
        </p>
      </section>
      <Snippet
        title="Save it"
        text="Paste this into a terminal, in an empty directory or where you work. It writes the credential to admin.json, which only you can read. The secret is shown only once."
        command={saveCommand(made)}
      />
      <Snippet
        title="Try it"
        text="Gets an access token with the credential, and lists principals with the token. Tokens are valid for minutes; get another in the same way."
        command={tryCommand}
      />
      <p class="section">
        <NewTabLink href="/docs">The API reference</NewTabLink> has every request.
      </p>
    </>
  );
};

interface FormProps {
  /** What the reader may grant. */
  readonly own: readonly string[];
  readonly onMade: (made: MadeCredential) => void;
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
/** Of a label. */
const maxLength = 120;

/** `Terminal of Ada Lovelace, 29 Nov` */
const useUsualLabel = (): string => {
  const name = useName('principal', ownPrincipal());
  const day = dayFormat.format(renderTime());
  const whole = name === undefined ? `Terminal, ${day}` : `Terminal of ${name}, ${day}`;
  return whole.length > maxLength ? `Terminal, ${day}` : whole;
};

const NewCredentialForm = ({ own, onMade }: FormProps) => {
  const [scopes, setScopes] = useState(own);
  const [typedLabel, setLabel] = useState<string>();
  const usualLabel = useUsualLabel();
  const label = typedLabel ?? usualLabel;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const send = useCommand();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const named = label.trim() === '' ? {} : { label: label.trim() };
    const body = { scopes, ...named };
    const answer = await send(issueCredential({ principalId: ownPrincipal(), body }));
    setBusy(false);
    setProblem(answer.ok ? undefined : answer.problem);
    if (answer.ok) onMade({ ...answer.content, label: label.trim() });
  };
  return (
    <form class="form wide-form section" onSubmit={(event) => void submit(event)}>
      <p>
        The credential may do what you may, for 90 days. It stops working when you are suspended, and you can revoke it
        among <a href={principalPath(ownPrincipal())}>your credentials</a>.
      </p>
      <CredentialLabelField label={label} onType={setLabel} />
      <details>
        <summary>{countOf(scopes.length, 'scope')}: choose fewer</summary>
        <ScopeField
          help="A credential for one task is best limited to its scopes."
          chosen={scopes}
          onChoose={setScopes}
        />
      </details>
      {problem !== undefined && <ProblemMessage problem={problem} />}
      <div class="actions">
        <button type="submit" class="button primary" disabled={isBusy}>
          Create a credential
        </button>
        <a class="button" href={principalPath(ownPrincipal())}>
          Cancel
        </a>
      </div>
    </form>
  );
};

/** Scopes about a person's own account are for clients that act for the person. */
const grantable = (items: readonly KnownScope[]): readonly string[] =>
  items
    .filter(({ name, isPersonal, audience }) => !isPersonal && audience === null && hasScope(name))
    .map(({ name }) => name);

const NewCredential = ({ onMade }: Pick<FormProps, 'onMade'>) => (
  <AsyncContent source={useResource(listScopes())} rows={3}>
    {({ items }) => <NewCredentialForm own={grantable(items)} onMade={onMade} />}
  </AsyncContent>
);

export const TerminalPage = () => {
  const [made, setMade] = useState<MadeCredential>();
  return (
    <>
      <PageHeading
        title="Use the API from a terminal"
        lead="Programs authenticate with a client id and secret instead of a browser’s session."
      />
      {!hasScope('credentials:write') && (
        <p class="notice">
          You need the scope <code>credentials:write</code>. An administrator grants it on{' '}
          <a href={principalPath(ownPrincipal())}>your page</a>; then you create a credential here. Nobody else can
          create one of yours.
        </p>
      )}
      {hasScope('credentials:write') &&
        (made === undefined ? <NewCredential onMade={setMade} /> : <Made made={made} />)}
    </>
  );
};
