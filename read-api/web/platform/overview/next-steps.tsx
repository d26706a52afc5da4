/** What a fresh installation needs first, with the commands to copy. Shown until there are a person and a client. */
import { listClients, listCredentials, listPrincipals } from '../../../../packages/client/src/operations';
import { CopyButton } from '../../components/copy-button';
import { StatusBadge } from '../../components/status-badge';
import { terminalPath } from '../../identity/fixed-paths';
import { hasScope, isMe, ownPrincipal } from '../../kernel/permissions';
import { useResource } from '../../kernel/use-resource';

interface Step {
  readonly title: string;
  readonly text: string;
  readonly path: string;
  /** To copy; undefined: the page has it. */
  readonly command: string | undefined;
  readonly isDone: boolean;
}

/** A field to a line: cards are narrow. */
const linesOf = (body: object): string =>
  Object.entries(body)
    .map(([name, value]) => `  "${name}": ${JSON.stringify(value).replaceAll('","', '", "')}`)
    .join(',\n');

const post = (path: string, body: object): string =>
  `curl -sS --fail-with-body ${location.origin}${path} \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{
${linesOf(body)}
}'`;

interface Progress {
  readonly hasCredential: boolean;
  readonly hasPerson: boolean;
  readonly hasClient: boolean;
}

const stepsFor = ({ hasCredential, hasPerson, hasClient }: Progress): readonly Step[] => [
  {
    title: 'Use the API from a terminal',
    text: 'Creates a credential of yours, and shows the commands that use it. The next commands need its TOKEN.',
    path: terminalPath,
    command: undefined,
    isDone: hasCredential,
  },
  {
    title: 'Register a person',
    text: 'You get a link that works once, to send to the person, who then chooses how to sign in.',
    path: '/console/principals?register=HUMAN',
    command: post('/v1/people', { login: 'ada@example.org', displayName: 'Ada Lovelace' }),
    isDone: hasPerson,
  },
  {
    title: 'Register a client',
    text: 'An application that signs people in.',
    path: '/console/clients/new',
    command: post('/v1/clients', {
      name: 'Orders',
      grantTypes: ['authorization_code', 'refresh_token'],
      redirectUris: ['http://127.0.0.1:3000/callback'],
      scopes: ['openid', 'profile', 'email', 'offline_access'],
    }),
    isDone: hasClient,
  },
];

const StepItem = ({ step: { title, text, path, command, isDone } }: { readonly step: Step }) => (
  <li class="step">
    <div class="section-head">
      <h3>
        <a href={path}>{title}</a>
      </h3>
      {isDone && <StatusBadge tone="good">done</StatusBadge>}
      {!isDone && command !== undefined && <CopyButton text={command} label="Copy the command" />}
    </div>
    <p class="help">{text}</p>
    {!isDone && command !== undefined && (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      <pre tabIndex={0}>{command}</pre>
    )}
  </li>
);

const complete: Progress = { hasCredential: true, hasPerson: true, hasClient: true };

/** Undefined: not known yet, so that what is below must wait or it moves. */
export const useProgress = (): Progress | undefined => {
  const isReader = hasScope('principals:read') && hasScope('clients:read');
  const people = useResource(isReader ? listPrincipals({ principalType: 'HUMAN', limit: 2 }) : undefined);
  const clients = useResource(isReader ? listClients({ limit: 1 }) : undefined);
  const credentials = useResource(isReader ? listCredentials({ principalId: ownPrincipal(), limit: 50 }) : undefined);
  if (!isReader || people.problem !== undefined || clients.problem !== undefined || credentials.problem !== undefined)
    return complete;
  if (people.content === undefined || clients.content === undefined || credentials.content === undefined)
    return undefined;
  return {
    hasCredential: credentials.content.items.some(({ createdBy }) => isMe(createdBy)),
    hasPerson: people.content.items.some(({ principalId }) => !isMe(principalId)),
    hasClient: clients.content.items.length > 0,
  };
};

export const NextSteps = (progress: Progress) => {
  if (progress.hasPerson && progress.hasClient) return null;
  return (
    <section class="section">
      <h2>Next steps</h2>
      <ol class="steps">
        {stepsFor(progress).map((step) => (
          <StepItem key={step.title} step={step} />
        ))}
      </ol>
    </section>
  );
};
