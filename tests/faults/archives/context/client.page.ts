/** Requests of the archives' routes, as the generated client has them for contexts that are shipped. */
import { endpoint, type Operation } from '../../../../packages/client/src/operation';
import type { PartTag, PartToSign, SignedPart, UploadPlan } from '../../../../read-api/web/kernel/upload';

const answers = { '200': 'anything' } as const;

export interface Archive {
  readonly archiveId: string;
  readonly name: string;
  readonly state: string;
  readonly documents: number;
  readonly reason: string | null;
}

export interface FoundDocument {
  readonly archiveId: string;
  readonly path: string;
  readonly score: number;
  readonly excerpt: readonly { readonly text: string; readonly isMatch: boolean }[];
}

interface Page<Item> {
  readonly items: readonly Item[];
}
interface Named {
  readonly archiveId: string;
}
type Of<Input, Body> = Operation<'command', Input, Body, string>;
interface NewArchive {
  readonly name: string;
  readonly size: number;
  readonly lastModified: number;
}

const post = { kind: 'command', method: 'POST', body: 'json', answers } as const;

export const openArchive = endpoint<Of<{ readonly body: NewArchive }, Named>>({
  ...post,
  operation: 'openArchive',
  path: '/v1/archives',
});
export const planArchiveUpload = endpoint<Of<Named, UploadPlan>>({
  ...post,
  operation: 'planArchiveUpload',
  path: '/v1/archives/{archiveId}/uploads',
});
export const signArchivePart = endpoint<Of<Named & { readonly body: PartToSign }, SignedPart>>({
  ...post,
  operation: 'signArchivePart',
  path: '/v1/archives/{archiveId}/parts',
});
export const storeArchive = endpoint<Of<Named & { readonly body: { readonly parts: readonly PartTag[] } }, Named>>({
  ...post,
  operation: 'storeArchive',
  path: '/v1/archives/{archiveId}/complete',
});
export const listArchives = endpoint<Operation<'page', object, Page<Archive>, string>>({
  operation: 'listArchives',
  kind: 'page',
  method: 'GET',
  path: '/v1/archives',
  query: ['limit', 'cursor'],
  next: { parameter: 'cursor', field: 'next_cursor' },
  waits: true,
  answers,
});
export const searchArchives = endpoint<Operation<'query', { readonly q: string }, Page<FoundDocument>, string>>({
  operation: 'searchArchives',
  kind: 'query',
  method: 'GET',
  path: '/v1/archives/search',
  query: ['q'],
  waits: true,
  answers,
});
