/** Use the API from a terminal: makes a credential of the reader's own, and the commands that use it. */
import { useState } from 'preact/hooks';
import { issueCredential, listScopes } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { CopyButton } from '../../components/copy-button';
import { PageHeading } from '../../components/page-heading';
import { ProblemMessage } from '../../components/problem-message';
import { countOf } from '../../kernel/format';
import { hasScope, ownPrincipal } from '../../kernel/permissions';
import type { Problem } from '../../kernel/problem';
import { useCommand } from '../../kernel/use-command';
import { useResource } from '../../kernel/use-resource';
import { principalPath } from '../paths';
import { ScopeField } from '../shared/scope-field';
import type { KnownScope } from '../wire';
import type { NewSecret } from './secret-dialog';

/** Writes what the guides and the README read. */
const saveCommand = ({ clientId, clientSecret }: NewSecret): string => `export SEPTET=${location.origin}
(umask 077; cat > admin.json) <<'END'
${JSON.stringify({ clientId, clientSecret })}
END`;

const tryCommand = `field() { node -pe "JSON.parse(require('fs').readFileSync(0, 'utf8')).$1"; }
TOKEN=$(curl -sS --fail-with-body $SEPTET/oauth/token -u "$(field clientId < admin.json):$(field clientSecret < admin.json)" \\
  -d grant_type=client_credentials | field access_token)
curl -sS --fail-with-body "$SEPTET/v1/principals?limit=3" -H "Authorization: Bearer $TOKEN"`;

interface SnippetProps {
  readonly title: string;
  readonly text: string;
  readonly command: string;
}

const Snippet = ({ title, text, command }: SnippetProps) => (
  <section class="section snippet">
    <div class="section-head">
      <h2>{title}</h2>
      <CopyButton text={command} label="Copy the command" />
    </div>
    <p class="help">{text}</p>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
    <pre tabIndex={0}>{command}</pre>
  </section>
);

const Made = ({ made }: { readonly made: NewSecret }) => (
  <>
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
    <p>
      <a href="/docs">The API reference</a> has every request.
    </p>
  </>
);

interface FormProps {
  /** What the reader may grant. */
  readonly own: readonly string[];
  readonly onMade: (made: NewSecret) => void;
}

const NewCredentialForm = ({ own, onMade }: FormProps) => {
  const [scopes, setScopes] = useState(own);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const send = useCommand();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const answer = await send(issueCredential({ principalId: ownPrincipal(), body: { scopes } }));
    setBusy(false);
    setProblem(answer.ok ? undefined : answer.problem);
    if (answer.ok) onMade(answer.content);
  };
  return (
    <form class="form section" onSubmit={(event) => void submit(event)}>
      <p>
        The credential may do what you may, for 90 days. It stops working when you are suspended, and you can revoke it
        among <a href={principalPath(ownPrincipal())}>your credentials</a>.
      </p>
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
  items.filter(({ name, isPersonal }) => !isPersonal && hasScope(name)).map(({ name }) => name);

const NewCredential = ({ onMade }: Pick<FormProps, 'onMade'>) => (
  <AsyncContent source={useResource(listScopes())} rows={3}>
    {({ items }) => <NewCredentialForm own={grantable(items)} onMade={onMade} />}
  </AsyncContent>
);

export const TerminalPage = () => {
  const [made, setMade] = useState<NewSecret>();
  return (
    <>
      <PageHeading
        title="Use the API from a terminal"
        lead="Programs authenticate with a client id and secret instead of a browser’s session."
      />
      {!hasScope('credentials:write') && (
        <p class="notice">Ask an administrator for a credential: you do not have the scope credentials:write.</p>
      )}
      {hasScope('credentials:write') &&
        (made === undefined ? <NewCredential onMade={setMade} /> : <Made made={made} />)}
    </>
  );
};
