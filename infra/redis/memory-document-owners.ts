/** The twin of owners in Redis: processes of one test share a map. */
import { right } from 'fp-ts/Either';
import type { DocumentOwners } from '../ports/document-owners';

interface Owner {
  readonly holder: object;
  readonly address: string;
  readonly until: number;
}

export type SharedOwners = Map<string, Owner>;

export const openMemoryDocumentOwners = (shared: SharedOwners, address: string): DocumentOwners => {
  const holder = {};
  const find = (document: string): Owner | undefined => {
    const there = shared.get(document);
    return there === undefined || there.until <= performance.now() ? undefined : there;
  };
  const take = (document: string, milliseconds: number): void =>
    void shared.set(document, { holder, address, until: performance.now() + milliseconds });
  return {
    acquire: async (document, milliseconds, instead) => {
      const there = find(document);
      if (there !== undefined && there.address !== address && there.address !== instead)
        return right({ mine: false, address: there.address });
      take(document, milliseconds);
      return right({ mine: true, address });
    },
    renew: async (documents, milliseconds) => {
      const others = documents.filter((document) => (find(document)?.holder ?? holder) !== holder);
      for (const document of documents) if (!others.includes(document)) take(document, milliseconds);
      return right(others);
    },
    addressOf: async (document) => right(find(document)?.address),
    release: async (documents) => {
      for (const document of documents) if (find(document)?.holder === holder) shared.delete(document);
      return right(undefined);
    },
    close: async () => undefined,
  };
};
