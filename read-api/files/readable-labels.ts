/** Labels of a caller, computed once for each state of the access stream: a tenant may have a hundred thousand folders and grants. */
import { labelsReadableBy } from '../../domain/files/access/readable-labels';
import type { FileAccessState } from '../../domain/files/access/state';

export type ReadableLabels = (access: FileAccessState, principalId: string) => readonly string[];

/** A state that is folded on is forgotten with its labels. */
export const openReadableLabels = (): ReadableLabels => {
  const known = new WeakMap<FileAccessState, Map<string, readonly string[]>>();
  return (access, principalId) => {
    const ofState = known.get(access) ?? new Map<string, readonly string[]>();
    known.set(access, ofState);
    const labels = ofState.get(principalId) ?? labelsReadableBy(access, principalId);
    ofState.set(principalId, labels);
    return labels;
  };
};
