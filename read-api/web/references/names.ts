/** Names of what has an id. References that appear together are looked up together, in one request per hundred of a kind. */
import { effect, type Signal, signal } from '@preact/signals';
import {
  listAllCredentials,
  listBuiltInClients,
  listClients,
  listDocumentPeople,
  listFilePeople,
  listPlaceImports,
  listPrincipals,
  listRepositories,
  listTenantDocuments,
  listVideoPeople,
} from '../../../packages/client/src/operations';
import type { BuiltInClient, Principal } from '../../../packages/client/src/schemas';
import { read } from '../kernel/api-client';
import { hasScope } from '../kernel/permissions';
import { session } from '../kernel/session';
import { principalTypeNames } from './principal-type-names';
import { shortId } from './short-id';

export interface Name {
  readonly name: string;
  /** Of people. */
  readonly login?: string;
}

/** Null: not looked up yet, not known, or not for this reader: the id is shown. */
export type FoundName = Signal<Name | null>;

type Lookup = (ids: readonly string[]) => Promise<ReadonlyMap<string, Name>>;

const idsPerRequest = 100;

/** `scopes`: any of them suffices. */
const directory = (scopes: readonly string[], lookUp: Lookup) => {
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
      if (!scopes.some(hasScope)) return made;
      if (waiting.size === 0) setTimeout(() => void flush());
      waiting.add(id);
      return made;
    },
    /** Another tab, or this page, may have changed it. */
    forget: (id: string): void => void known.delete(id),
    clear: (): void => known.clear(),
  };
};

/** One without a name is called by its type and the beginning of its id: `AI agent 7d9f1c9e`. */
export const nameOfPrincipalRow = ({
  principalId,
  principalType,
  login,
  name,
}: Pick<Principal, 'principalId' | 'principalType' | 'login' | 'name'>): Name => {
  const label = name ?? login;
  if (label === null) return { name: `${principalTypeNames[principalType]} ${shortId(principalId)}` };
  return login === null || login === label ? { name: label } : { name: label, login };
};

/** For callers that may not read principals: names of people that share documents with them. */
const documentPeople: Lookup = async (ids) => {
  const answer = await read(listDocumentPeople({ principalIds: ids.join(',') }));
  if (!answer.ok) return new Map();
  return new Map(answer.content.items.map((row) => [row.principalId, nameOfPrincipalRow({ ...row, login: null })]));
};

interface PeopleQuery {
  readonly q?: string;
  readonly principalIds?: string;
}

export type SharedThings = 'files' | 'videos';

/** By name or ids, for callers that share files or videos with any principal of the tenant. */
export const tenantPeople = (query: PeopleQuery, shared: SharedThings) =>
  shared === 'files' ? listFilePeople(query) : listVideoPeople(query);

/** For callers that may not read principals. */
const sharingPeople: Lookup = async (ids) => {
  const answer = await read(tenantPeople({ principalIds: ids.join(',') }, hasScope('files:read') ? 'files' : 'videos'));
  if (!answer.ok) return new Map();
  return new Map(answer.content.items.map((row) => [row.principalId, nameOfPrincipalRow({ ...row, login: null })]));
};

const sharesWithAll = (): boolean => hasScope('files:read') || hasScope('videos:read');

const principals = directory(['principals:read', 'files:read', 'videos:read', 'documents:read'], async (ids) => {
  if (!hasScope('principals:read')) return sharesWithAll() ? sharingPeople(ids) : documentPeople(ids);
  const answer = await read(listPrincipals({ principalIds: ids.join(','), limit: idsPerRequest }));
  if (!answer.ok) return new Map();
  return new Map(answer.content.items.map((row) => [row.principalId, nameOfPrincipalRow(row)]));
});

let builtIn: Promise<readonly BuiltInClient[]> | undefined;

/** Empty where they cannot be read; the next call reads them again. */
export const builtInClients = (): Promise<readonly BuiltInClient[]> => {
  builtIn ??= read(listBuiltInClients()).then((answer) => {
    if (answer.ok) return answer.content.items;
    builtIn = undefined;
    return [];
  });
  return builtIn;
};

const registeredNames = async (ids: readonly string[]): Promise<readonly (readonly [string, Name])[]> => {
  if (ids.length === 0) return [];
  const answer = await read(listClients({ applicationIds: ids.join(','), limit: idsPerRequest }));
  return answer.ok ? answer.content.items.map(({ applicationId, name }) => [applicationId, { name }]) : [];
};

const applications = directory(['clients:read'], async (ids) => {
  const known = new Map<string, Name>();
  for (const { applicationId, name } of await builtInClients()) known.set(applicationId, { name });
  const others = await registeredNames(ids.filter((id) => !known.has(id)));
  return new Map([...known, ...others]);
});

/** Administrators only: other readers see the titles of their own documents, which lists of theirs have. */
const documents = directory(['documents:admin'], async (ids) => {
  const answer = await read(listTenantDocuments({ documentIds: ids.join(','), limit: idsPerRequest }));
  return new Map(answer.ok ? answer.content.items.map(({ documentId, title }) => [documentId, { name: title }]) : []);
});

const repositories = directory(['workflows:read'], async (ids) => {
  const answer = await read(listRepositories({ repositoryIds: ids.join(','), limit: idsPerRequest }));
  return new Map(answer.ok ? answer.content.items.map(({ id, name }) => [id, { name }]) : []);
});

const imports = directory(['places:write'], async (ids) => {
  const answer = await read(listPlaceImports({ importIds: ids.join(','), limit: idsPerRequest }));
  return new Map(answer.ok ? answer.content.items.map(({ importId, fileName }) => [importId, { name: fileName }]) : []);
});

/** Those without a label stay known by their ids. */
const credentials = directory(['principals:read'], async (ids) => {
  const answer = await read(listAllCredentials({ credentialIds: ids.join(','), limit: idsPerRequest }));
  if (!answer.ok) return new Map();
  return new Map(
    answer.content.items.flatMap(({ credentialId, label }) =>
      label === null ? [] : [[credentialId, { name: label }]],
    ),
  );
});

export const nameOfPrincipal = principals.of;
export const nameOfCredential = credentials.of;
export const nameOfApplication = applications.of;
export const nameOfDocument = documents.of;
export const nameOfRepository = repositories.of;
export const nameOfImport = imports.of;
export const forgetPrincipalName = principals.forget;

/** Names are stored for one reader only. */
effect(() => {
  if (session.value.kind !== 'signed-out') return;
  for (const { clear } of [principals, credentials, applications, documents, repositories, imports]) clear();
  builtIn = undefined;
});
