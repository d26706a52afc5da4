/** Names of principals and clients. References that appear together are looked up together, in one request per hundred. */
import { effect, type Signal, signal } from '@preact/signals';
import { listClients, listPrincipals } from '../../../packages/client/src/operations';
import { read } from '../kernel/api-client';
import { hasScope } from '../kernel/permissions';
import { session } from '../kernel/session';

export interface Name {
  readonly name: string;
  /** Of people. */
  readonly login?: string;
}

/** Null: not looked up yet, without a name, or not for this reader: the id is shown. */
export type FoundName = Signal<Name | null>;

type Lookup = (ids: readonly string[]) => Promise<ReadonlyMap<string, Name>>;

const idsPerRequest = 100;

const directory = (scope: string, lookUp: Lookup) => {
  const known = new Map<string, FoundName>();
  let waiting = new Set<string>();
  const flush = async (): Promise<void> => {
    const ids = [...waiting];
    waiting = new Set();
    for (let from = 0; from < ids.length; from += idsPerRequest) {
      const some = ids.slice(from, from + idsPerRequest);
      const names = await lookUp(some);
      for (const id of some) {
        const found = known.get(id);
        if (found !== undefined) found.value = names.get(id) ?? null;
      }
    }
  };
  return {
    of: (id: string): FoundName => {
      const found = known.get(id);
      if (found !== undefined) return found;
      const made: FoundName = signal(null);
      known.set(id, made);
      if (!hasScope(scope)) return made;
      if (waiting.size === 0) setTimeout(() => void flush());
      waiting.add(id);
      return made;
    },
    /** Another tab, or this page, may have changed it. */
    forget: (id: string): void => void known.delete(id),
    clear: (): void => known.clear(),
  };
};

/** Of a principal's own fields; null: only its id is known. */
export const nameFrom = (login: string | null, name: string | null): Name | null => {
  const label = name ?? login;
  if (label === null) return null;
  return login === null || login === label ? { name: label } : { name: label, login };
};

const entriesOf = <Item>(items: readonly Item[], entry: (item: Item) => readonly [string, Name | null]) =>
  new Map(items.map(entry).filter((one): one is readonly [string, Name] => one[1] !== null));

const principals = directory('principals:read', async (ids) => {
  const answer = await read(listPrincipals({ principalIds: ids.join(','), limit: idsPerRequest }));
  if (!answer.ok) return new Map();
  return entriesOf(answer.content.items, ({ principalId, login, name }) => [principalId, nameFrom(login, name)]);
});

const applications = directory('clients:read', async (ids) => {
  const answer = await read(listClients({ applicationIds: ids.join(','), limit: idsPerRequest }));
  if (!answer.ok) return new Map();
  return entriesOf(answer.content.items, ({ applicationId, name }) => [applicationId, { name }]);
});

export const nameOfPrincipal = principals.of;
export const nameOfApplication = applications.of;
export const forgetPrincipalName = principals.forget;

/** Names are stored for one reader only. */
effect(() => {
  if (session.value.kind !== 'signed-out') return;
  principals.clear();
  applications.clear();
});
