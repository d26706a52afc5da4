/** Decides which addresses the open document may show: a document has one content security policy, and some pages need another. */
import { matched } from '../kernel/path-pattern';
import type { Section } from './section';

/** Of the first page that has the address, as the gateway decides it; fields in one order, so that equal policies are equal texts. */
const policyAt = (sections: readonly Section[], path: string): string => {
  const page = sections.flatMap(({ pages }) => pages).find((one) => matched(one.path, path) !== undefined);
  return JSON.stringify(Object.entries(page?.policy ?? {}).sort());
};

/** `documentPath`: the address that the document was loaded from. */
export const needsOwnDocument = (sections: readonly Section[], documentPath: string): ((path: string) => boolean) => {
  const own = policyAt(sections, documentPath);
  return (path) => policyAt(sections, path) !== own;
};
