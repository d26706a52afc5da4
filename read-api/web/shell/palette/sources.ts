/** What the palette finds, each kind for those with its scope. */
import {
  listAllCredentials,
  listClients,
  listDocuments,
  listFiles,
  listPlatformStreams,
  listPrincipals,
  listRefusedRequests,
  listRepositories,
  listTenantDocuments,
  searchPlaces,
} from '../../../../packages/client/src/operations';
import { documentPath } from '../../editor/paths';
import { filePath } from '../../files/paths';
import { placePath } from '../../geo/paths';
import { clientPath, credentialPath, principalPath, refusedRequestsOf } from '../../identity/paths';
import { type Answer, read } from '../../kernel/api-client';
import { may, type Who } from '../../kernel/session';
import { streamPath } from '../../platform/paths';
import { runsPath } from '../../workflow/paths';
import type { Link } from '../navigation';
import { sectionsFor } from '../sections';

export interface Hit {
  readonly path: string;
  readonly label: string;
  /** Distinguishes it from others of that label. */
  readonly note?: string;
  /** Of a page: its section, which is no id. */
  readonly section?: string;
}

export interface Source {
  readonly title: string;
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Hit[]>;
}

/** Of each kind. */
const maxHits = 6;
/** Of the query. */
const maxFileNamePart = 100;

const includes = (value: string, text: string): boolean => value.toLowerCase().includes(text.toLowerCase());

/** Throws where the server refuses: the palette shows that something is missing. */
const itemsOf = <Item>(answer: Answer<{ readonly items: readonly Item[] }>): readonly Item[] => {
  if (!answer.ok) throw new Error(answer.problem.title);
  return answer.content.items;
};

type Findable = Pick<Link, 'path' | 'label' | 'words'>;

/** Pages outside of the console, for everybody. */
const otherPages: readonly Findable[] = [
  { path: '/account', label: 'Your account', words: ['password', 'passkey', 'second factor', 'profile', 'log out'] },
  { path: '/docs/guides', label: 'Guides', words: ['help', 'documentation'] },
];

/** Shorter texts begin too many words. */
const minWordLength = 3;

const isCalled = ({ label, words = [] }: Findable, text: string): boolean =>
  includes(label, text) || (text.length >= minWordLength && words.some((word) => word.startsWith(text.toLowerCase())));

/** The whole text, or each of its words: `add a person` finds what has the words `add` and `person`. */
const isNamedBy =
  (text: string) =>
  (page: Findable): boolean => {
    const parts = text.split(/\s+/).filter(({ length }) => length >= minWordLength);
    return isCalled(page, text) || (parts.length > 1 && parts.every((part) => isCalled(page, part)));
  };

export const findPages = (who: Who, text: string): readonly Hit[] => [
  ...sectionsFor(who).flatMap(({ title, links, furtherLinks = [] }) =>
    [...links, ...furtherLinks].filter(isNamedBy(text)).map(({ path, label }) => ({ path, label, section: title })),
  ),
  ...(text === '' ? [] : otherPages.filter(isNamedBy(text)).map(({ path, label }) => ({ path, label }))),
];

const principals: Source = {
  title: 'Principals',
  find: async (text, signal) =>
    itemsOf(await read(listPrincipals({ q: text, limit: maxHits }), signal)).map(({ principalId, login, name }) => ({
      path: principalPath(principalId),
      label: name ?? login ?? principalId,
      ...(name === null && login === null ? {} : { note: name === null ? principalId : (login ?? principalId) }),
    })),
};

/** Of the newest clients; a tenant has few. */
const maxClients = 200;

const clients: Source = {
  title: 'Clients',
  find: async (text, signal) => {
    const found = itemsOf(await read(listClients({ limit: maxClients }), signal));
    return found
      .filter(({ name, clientId }) => includes(name, text) || includes(clientId, text))
      .slice(0, maxHits)
      .map(({ applicationId, name, clientId }) => ({ path: clientPath(applicationId), label: name, note: clientId }));
  },
};

const wholeId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** By the id that stands in a file. */
const credentials: Source = {
  title: 'Credentials',
  find: async (text, signal) => {
    if (!wholeId.test(text)) return [];
    const found = itemsOf(await read(listAllCredentials({ credentialId: text, limit: maxHits }), signal));
    return found.map(({ credentialId, label }) => ({
      path: credentialPath(credentialId),
      label: label ?? credentialId,
      ...(label === null ? {} : { note: credentialId }),
    }));
  },
};

/** What the gateway accepts of a caller that names its requests itself. */
const requestIdShape = /^[A-Za-z0-9._:-]{4,128}$/;

/** By the id that every answer has: one that reads like an id always leads there, any other where it was refused. */
const refusedRequest: Source = {
  title: 'Refused requests',
  find: async (text, signal) => {
    if (!requestIdShape.test(text)) return [];
    const found =
      wholeId.test(text) || itemsOf(await read(listRefusedRequests({ requestId: text, limit: 1 }), signal)).length > 0;
    return found
      ? [{ path: refusedRequestsOf({ requestId: text }), label: 'Find the refused request', note: text }]
      : [];
  },
};

const documents = (who: Who): Source => ({
  title: 'Documents',
  find: async (text, signal) => {
    if (may(who, 'documents:admin')) {
      const found = itemsOf(await read(listTenantDocuments({ search: text, limit: maxHits }), signal));
      return found.map(({ documentId, title }) => ({ path: documentPath(documentId), label: title, note: documentId }));
    }
    const found = itemsOf(await read(listDocuments({ search: text, limit: maxHits }), signal));
    return found.map(({ id, title }) => ({ path: documentPath(id), label: title, note: id }));
  },
});

/** Anywhere on earth. */
const places: Source = {
  title: 'Places',
  find: async (text, signal) => {
    const answer = await read(
      searchPlaces({ lat: 0, lng: 0, bbox: '-90,-180,90,180', query: text, limit: maxHits }),
      signal,
    );
    if (!answer.ok) throw new Error(answer.problem.title);
    return answer.content.results.map((place) => ({
      path: placePath(place),
      label: place.name,
      note: place.snippet ?? place.category,
    }));
  },
};

/** Of the newest repositories; a tenant has few. */
const maxRepositories = 100;

const repositories: Source = {
  title: 'Repositories',
  find: async (text, signal) => {
    const found = itemsOf(await read(listRepositories({ limit: maxRepositories }), signal));
    return found
      .filter(({ name }) => includes(name, text))
      .slice(0, maxHits)
      .map(({ id, name }) => ({ path: runsPath(id), label: name, note: id }));
  },
};

/** By name, also in folders; what stands in them, the pages of files find. */
const files: Source = {
  title: 'Files',
  find: async (text, signal) => {
    if (text.length > maxFileNamePart) return [];
    const found = itemsOf(await read(listFiles({ name: text, limit: maxHits }), signal));
    return found.map(({ fileId, filename }) => ({ path: filePath(fileId), label: filename ?? fileId, note: fileId }));
  },
};

const streams: Source = {
  title: 'Streams',
  find: async (text, signal) => {
    const wanted = { search: text, order: 'changed', limit: maxHits } as const;
    const found = itemsOf(await read(listPlatformStreams(wanted), signal));
    return found.map(({ stream, lastType }) => ({ path: streamPath(stream), label: stream, note: lastType }));
  },
};

export const sourcesFor = (who: Who): readonly Source[] => [
  ...(may(who, 'principals:read') ? [principals, credentials] : []),
  ...(may(who, 'security:read') ? [refusedRequest] : []),
  ...(may(who, 'clients:read') ? [clients] : []),
  ...(may(who, 'documents:read') ? [documents(who)] : []),
  ...(may(who, 'files:read') ? [files] : []),
  ...(may(who, 'places:read') ? [places] : []),
  ...(may(who, 'workflows:read') ? [repositories] : []),
  ...(may(who, 'platform:read') ? [streams] : []),
];
