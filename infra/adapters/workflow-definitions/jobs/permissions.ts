/** `permissions` of a job's token. */
import type { JobPermissions } from '../../../../domain/workflow/protocol/job-content';
import { entriesOf, type FileNode, textOf } from '../file/nodes';

const isLevel = (text: string | undefined): text is 'read' | 'write' | 'none' =>
  text === 'read' || text === 'write' || text === 'none';

/** The job's own replace the workflow's. Undefined: the file names none. The parser has refused unknown names. */
export const readPermissions = (...nodes: readonly (FileNode | undefined)[]): JobPermissions | undefined => {
  const node = nodes.find((each) => each !== undefined);
  if (node === undefined) return undefined;
  const text = textOf(node);
  if (text === 'read-all' || text === 'write-all') return { all: text === 'read-all' ? 'read' : 'write' };
  return Object.fromEntries(
    entriesOf(node).flatMap(({ key, value }) => {
      const level = textOf(value);
      return isLevel(level) ? [[key, level]] : [];
    }),
  );
};
