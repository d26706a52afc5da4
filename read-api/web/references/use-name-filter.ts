/** A filter that takes a name as well as an id: what is typed is looked up, and the list is of all that match. */
import { useEffect, useState } from 'preact/hooks';
import { listClients, listPrincipals } from '../../../packages/client/src/operations';
import type { BuiltInClient } from '../../../packages/client/src/schemas';
import { hasScope } from '../kernel/permissions';
import type { Problem } from '../kernel/problem';
import { useResource } from '../kernel/use-resource';
import { builtInClients } from './names';

export type NameFilter =
  | { readonly kind: 'off' }
  | { readonly kind: 'searching'; readonly problem: Problem | undefined; readonly reload: () => void }
  | { readonly kind: 'unknown' }
  /** `isCut`: more match than a list can be filtered by. */
  | { readonly kind: 'found'; readonly ids: readonly string[]; readonly isCut: boolean };

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const clientId = /^[a-z0-9][a-z0-9-]*[.~]\S+$/;

const off: NameFilter = { kind: 'off' };
const exactly = (id: string): NameFilter => ({ kind: 'found', ids: [id], isCut: false });
const found = (ids: readonly string[], isCut: boolean): NameFilter =>
  ids.length === 0 ? { kind: 'unknown' } : { kind: 'found', ids, isCut };

/** What the address of a list can hold. */
const mostPrincipals = 100;
const mostClients = 40;

/** Readers without the scope for names type ids. */
export const usePrincipalFilter = (text: string): NameFilter => {
  const wanted = text.trim();
  const isId = uuid.test(wanted) || !hasScope('principals:read');
  const request = wanted === '' || isId ? undefined : listPrincipals({ q: wanted, limit: mostPrincipals });
  const { content, problem, isOld, reload } = useResource(request);
  if (wanted === '') return off;
  if (isId) return exactly(wanted);
  if (content === undefined || isOld) return { kind: 'searching', problem, reload };
  return found(
    content.items.map(({ principalId }) => principalId),
    content.next_cursor !== null,
  );
};

/** `tenant~application`, or a part of the system, as `system:first-sign-in`. */
const otherActor = /^[a-z0-9][a-z0-9-]*~\S+$|^[a-z-]+:\S+$/;

/** Who did something: a principal by its name; a client or a part of the system by its id. */
export const useActorFilter = (text: string): NameFilter => {
  const wanted = text.trim();
  const isOther = otherActor.test(wanted);
  const principal = usePrincipalFilter(isOther ? '' : wanted);
  return isOther ? exactly(wanted) : principal;
};

const none: readonly BuiltInClient[] = [];

/** Undefined while they are loaded. */
export const useBuiltInClients = (): readonly BuiltInClient[] | undefined => {
  const [known, setKnown] = useState<readonly BuiltInClient[]>();
  const mayRead = hasScope('clients:read');
  useEffect(() => {
    let isGone = false;
    if (mayRead) void builtInClients().then((clients) => !isGone && setKnown(clients));
    return () => {
      isGone = true;
    };
  }, [mayRead]);
  return mayRead ? known : none;
};

export const useClientFilter = (text: string): NameFilter => {
  const wanted = text.trim();
  const isId = clientId.test(wanted) || !hasScope('clients:read');
  const builtIn = useBuiltInClients();
  const request = wanted === '' || isId ? undefined : listClients({ search: wanted, limit: mostClients });
  const { content, problem, isOld, reload } = useResource(request);
  if (wanted === '') return off;
  if (isId) return exactly(wanted);
  if (content === undefined || builtIn === undefined || isOld) return { kind: 'searching', problem, reload };
  const ownToEveryTenant = builtIn.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  return found(
    [...ownToEveryTenant, ...content.items].map((client) => client.clientId),
    content.next_cursor !== null,
  );
};

/** As a parameter of a list: empty without a filter. Undefined: there is nothing to list, yet or at all. */
export const idsOf = (filter: NameFilter): string | undefined => {
  if (filter.kind === 'off') return '';
  return filter.kind === 'found' ? filter.ids.join(',') : undefined;
};
