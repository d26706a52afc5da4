/** Only whether there was such a version: what it was is the owner's to find, and to record. */
import { type Operation, payloads } from '../../operation';
import { isRecord } from '../values';
import { done, type Resolution, type ResolveContext, rejected } from './context';

const { restoreVersion } = payloads;

export const resolveRestore = (operation: Operation, context: ResolveContext): Resolution => {
  const { payload } = operation;
  const asked = { version: isRecord(payload) ? payload.version : undefined };
  if (!restoreVersion.is(asked)) return rejected('malformed');
  if (asked.version >= context.version) return rejected('version-unknown');
  return done({ ...operation, targetIds: [], payload: { version: asked.version } });
};
