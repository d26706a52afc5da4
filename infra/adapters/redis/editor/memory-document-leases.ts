/** Document leases in memory; processes of one test share the map. */
import { right } from 'fp-ts/Either';
import type { DocumentLeases } from '../../../ports/editor/document-leases';

interface LeaseEntry {
  readonly holder: object;
  readonly address: string;
  readonly until: number;
}

export type SharedLeases = Map<string, LeaseEntry>;

export const openMemoryDocumentLeases = (shared: SharedLeases, address: string): DocumentLeases => {
  const holder = {};
  const find = (document: string): LeaseEntry | undefined => {
    const there = shared.get(document);
    return there === undefined || there.until <= performance.now() ? undefined : there;
  };
  const take = (document: string, milliseconds: number): void =>
    void shared.set(document, { holder, address, until: performance.now() + milliseconds });
  return {
    acquire: async (document, milliseconds, instead) => {
      const there = find(document);
      if (there !== undefined && there.address !== address && there.address !== instead)
        return right({ isHeld: false, address: there.address });
      take(document, milliseconds);
      return right({ isHeld: true, address });
    },
    renew: async (documents, milliseconds) => {
      const others = documents.filter((document) => (find(document)?.holder ?? holder) !== holder);
      for (const document of documents) if (!others.includes(document)) take(document, milliseconds);
      return right(others);
    },
    holderAddress: async (document) => right(find(document)?.address),
    release: async (documents) => {
      for (const document of documents) if (find(document)?.holder === holder) shared.delete(document);
      return right(undefined);
    },
    close: async () => undefined,
  };
};
