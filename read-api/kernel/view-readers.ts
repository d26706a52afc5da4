/** One reader over all stores. It routes each view to its store; a store that is off answers with the reason. */
import { left } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import type { View, ViewReader } from '../../infra/ports/views/view-store';

/** A reader, or the reason why there is none: a sentence for the caller. */
export type Readers = { readonly [Store in View['store']]?: ViewReader | string };

const off = (reason: string): ViewReader => {
  const refused = async () => left(fault('view-store-unavailable', reason));
  return { find: refused, findMany: refused, page: refused, checkpoint: refused, close: async () => undefined };
};

export const readersByStore = (readers: Readers): ViewReader => {
  const of = (store: View['store']): ViewReader => {
    const reader = readers[store] ?? 'Nothing is read from this store.';
    return typeof reader === 'string' ? off(reader) : reader;
  };
  return {
    find: (view, tenantId, key) => of(view.store).find(view, tenantId, key),
    findMany: (view, tenantId, keys) => of(view.store).findMany(view, tenantId, keys),
    page: (view, tenantId, request) => of(view.store).page(view, tenantId, request),
    checkpoint: (view) => of(view.store).checkpoint(view),
    close: async () => {
      await Promise.all([of('postgres').close(), of('elastic').close(), of('redis').close()]);
    },
  };
};
