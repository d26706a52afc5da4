/** One reference to anything that has an id: its name where it has one, the id, and the way to its page. */
import { ownTenant } from '../kernel/permissions';
import { CopyableId } from './copyable-id';
import { type FoundName, type Name, nameOfApplication, nameOfPrincipal } from './names';
import { isActorPrincipal, type Kind, pathOf } from './targets';

const unnamed: { readonly value: null } = { value: null };

/** `tenant~application`; a principal's client is the principal itself. */
const partsOfClient = (clientId: string): { readonly isApplication: boolean; readonly id: string } => {
  const at = clientId.search(/[.~]/);
  return { isApplication: clientId.charAt(at) === '~', id: clientId.slice(at + 1) };
};

const nameOf = (kind: Kind, id: string): Pick<FoundName, 'value'> => {
  if (kind === 'principal') return nameOfPrincipal(id);
  if (kind === 'application') return nameOfApplication(id);
  if (kind !== 'client') return unnamed;
  const client = partsOfClient(id);
  return client.isApplication ? nameOfApplication(client.id) : nameOfPrincipal(client.id);
};

/** Sessions have long random ids. */
const visibleLength: { readonly [kind in Kind]?: number } = { session: 12 };

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

/** Where the row itself has the name. */
export const NamedReference = ({ kind, id, isShort = false, found }: NamedProps) => {
  const visibleId = visibleLength[kind] === undefined ? id : id.slice(0, visibleLength[kind]);
  if (found === null)
    return (
      <a class="mono" href={pathOf(kind, id)} title={id}>
        {visibleId}
      </a>
    );
  return (
    <span class="reference">
      <a href={pathOf(kind, id)} title={id}>
        {found.name}
      </a>
      {!isShort && (
        <span class="below">
          {found.login !== undefined && <span class="login">{found.login}</span>}
          <CopyableId id={id} of={found.name} />
        </span>
      )}
    </span>
  );
};

const isOwnTenant = (tenantId: string | undefined): boolean => tenantId === undefined || tenantId === ownTenant();

interface ActorProps {
  readonly actor: string | undefined;
  /** Of the event; principals of other tenants have no page here. */
  readonly tenantId?: string | undefined;
}

/** Who recorded an event: a principal, or a process of the system. */
export const Actor = ({ actor, tenantId }: ActorProps) => {
  if (actor === undefined) return <span class="faint">—</span>;
  if (!isActorPrincipal(actor) || !isOwnTenant(tenantId)) return <span class="mono">{actor}</span>;
  return <Reference kind="principal" id={actor} isShort />;
};

/** A name for a title: undefined while, or because, it is not known. */
export const useName = (kind: Kind, id: string): string | undefined =>
  id === '' ? undefined : nameOf(kind, id).value?.name;
