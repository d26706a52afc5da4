/** One reference to anything that has an id: its name where it has one, the id, and the way to its page. */
import { hasScope, ownTenant } from '../kernel/permissions';
import { nameOfSystemActor } from './actor-names';
import { CopyableId } from './copyable-id';
import {
  type FoundName,
  type Name,
  nameOfApplication,
  nameOfDocument,
  nameOfImport,
  nameOfPrincipal,
  nameOfRepository,
} from './names';
import { shortId } from './short-id';
import { isActorPrincipal, type Kind, pathOf } from './targets';

type Found = Pick<FoundName, 'value'>;

const unnamed: { readonly value: null } = { value: null };

/** `tenant~application`; a principal's client is the principal itself. */
const partsOfClient = (clientId: string): { readonly isApplication: boolean; readonly id: string } => {
  const at = clientId.search(/[.~]/);
  return { isApplication: clientId.charAt(at) === '~', id: clientId.slice(at + 1) };
};

const nameOfClient = (clientId: string): Found => {
  const { isApplication, id } = partsOfClient(clientId);
  return isApplication ? nameOfApplication(id) : nameOfPrincipal(id);
};

/** What is only known by its id is called by its kind: `Run 3fa85f64`. */
const byKind =
  (label: string) =>
  (id: string): Found => ({ value: { name: `${label} ${shortId(id)}` } });

const nameless = (): Found => unnamed;

const namesOf: { readonly [kind in Kind]: (id: string) => Found } = {
  principal: nameOfPrincipal,
  application: nameOfApplication,
  client: nameOfClient,
  document: nameOfDocument,
  repository: nameOfRepository,
  import: nameOfImport,
  session: byKind('Session'),
  grant: byKind('Grant'),
  run: byKind('Run'),
  file: byKind('File'),
  video: byKind('Video'),
  place: nameless,
  // Their ids are names.
  view: nameless,
  stream: nameless,
  event: nameless,
};

const nameOf = (kind: Kind, id: string): Found => namesOf[kind](id);

interface Props {
  readonly kind: Kind;
  readonly id: string;
  /** In a line of text: the name only. */
  readonly isShort?: boolean;
}

export const Reference = (props: Props) => <NamedReference {...props} found={nameOf(props.kind, props.id).value} />;

interface NamedProps extends Props {
  readonly found: Name | null;
}

/** Members of a document know each other by name; the page of a principal is for readers of principals. */
const hasPage = (kind: Kind): boolean => kind !== 'principal' || hasScope('principals:read');

/** Where the row itself has the name. */
export const NamedReference = ({ kind, id, isShort = false, found }: NamedProps) => {
  const label = found?.name ?? id;
  const isId = found === null ? { class: 'mono' } : {};
  const name = hasPage(kind) ? (
    <a {...isId} href={pathOf(kind, id)} title={id}>
      {label}
    </a>
  ) : (
    <span {...isId} title={id}>
      {label}
    </span>
  );
  if (found === null) return name;
  return (
    <span class="reference">
      {name}
      {!isShort && (
        <span class="below">
          {found.login !== undefined && <span class="login">{found.login}</span>}
          <CopyableId id={id} of={found.name} />
        </span>
      )}
    </span>
  );
};

/** In a form, whose page a link would leave. */
export const PrincipalName = ({ id }: { readonly id: string }) => {
  const { name = id, login } = nameOf('principal', id).value ?? {};
  return (
    <strong title={id}>
      {name}
      {login !== undefined && ` (${login})`}
    </strong>
  );
};

const isOwnTenant = (tenantId: string | undefined): boolean => tenantId === undefined || tenantId === ownTenant();

interface ActorProps {
  readonly actor: string | undefined;
  /** Of the event; principals of other tenants have no page here. */
  readonly tenantId?: string | undefined;
}

const runnerIn = (actor: string): string | undefined => /^runner:(.+)$/.exec(actor)?.[1];

/** Clients redeem codes and refresh tokens in their own name. */
const isOwnClient = (actor: string): boolean => actor.startsWith(`${ownTenant()}~`);

/** Who recorded an event: a principal, a client, a runner of workflows, or a process of the system. */
export const Actor = ({ actor, tenantId }: ActorProps) => {
  if (actor === undefined) return <span class="faint">—</span>;
  const runnerId = runnerIn(actor);
  if (runnerId !== undefined) return <span title={actor}>Runner {shortId(runnerId)}</span>;
  if (isOwnClient(actor)) return <Reference kind="client" id={actor} isShort />;
  const part = nameOfSystemActor(actor);
  if (part !== undefined) return <span title={actor}>{part}</span>;
  if (!isActorPrincipal(actor) || !isOwnTenant(tenantId)) return <span class="mono">{actor}</span>;
  return <Reference kind="principal" id={actor} isShort />;
};

/** A name for a title: undefined while, or because, it is not known. */
export const useName = (kind: Kind, id: string): string | undefined =>
  id === '' ? undefined : nameOf(kind, id).value?.name;
