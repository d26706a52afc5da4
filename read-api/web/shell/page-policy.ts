/** Decides which addresses the open document may show: a document has one content security policy, and some pages need another. */
import { matched } from '../kernel/path-pattern';
import type { PagePolicy, Section } from './section';

/** The gateway marks the document where the object store has an origin of its own; elsewhere every page reaches it. */
const isStoreElsewhere = (): boolean => document.documentElement.dataset.objectStore === 'elsewhere';

/** Fields in one order, so that equal policies are equal texts. */
const textOf = (policy: PagePolicy): string =>
  JSON.stringify(
    Object.entries(policy)
      .filter(([addition]) => addition !== 'objectStore' || isStoreElsewhere())
      .sort(),
  );

/** Of the first page that has the address, as the gateway decides it. */
const policyAt = (sections: readonly Section[], path: string): string => {
  const page = sections.flatMap(({ pages }) => pages).find((one) => matched(one.path, path) !== undefined);
  return textOf(page?.policy ?? {});
};

/** `documentPath`: the address that the document was loaded from. */
export const needsOwnDocument = (sections: readonly Section[], documentPath: string): ((path: string) => boolean) => {
  const own = policyAt(sections, documentPath);
  return (path) => policyAt(sections, path) !== own;
};
