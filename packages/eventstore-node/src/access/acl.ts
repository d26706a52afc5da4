/**
 * Evaluates access lists: the stream's own first, then `$settings`, then the defaults: everybody for streams of users,
 * administrators for system streams.
 */
import { eventKey } from '../storage/lmdb-tables';
import { dataOf } from '../storage/records/record-format';
import type { Storage } from '../storage/storage';
import { describedStreamOf, isMetadataStream } from '../storage/streams/stream-heads';
import { type Acl, type DefaultAcls, decodeDefaultAcls } from '../storage/streams/stream-metadata';
import type { Caller } from './caller';

export type Action = keyof Acl;

export const administrators = '$admins';
export const operators = '$ops';
const everyone = '$all';

export const allStream = Buffer.from('$all');
const settingsStream = Buffer.from('$settings');
const noDefaults: DefaultAcls = { userStreams: undefined, systemStreams: undefined };

/** Reloaded when `$settings` has a new event. */
const createSettingsReader = ({ tables, heads }: Storage) => {
  let revision = -1;
  let settings = noDefaults;
  return (): DefaultAcls => {
    const head = heads.get(settingsStream);
    if (head === undefined || head.last === revision) return settings;
    const position = tables.events.get(eventKey(head.number, head.last));
    const record = position === undefined ? undefined : tables.log.get(position);
    settings = record === undefined ? noDefaults : decodeDefaultAcls(dataOf(record));
    revision = head.last;
    return settings;
  };
};

export const isSystemStream = (stream: Buffer): boolean => stream[0] === 0x24;

/** An action on `$$x` concerns the metadata of `x`. */
const resolveMetadataAction = (
  action: Action,
  stream: Buffer,
): { readonly action: Action; readonly stream: Buffer } => {
  if (!isMetadataStream(stream)) return { action, stream };
  const isReading = action === 'read' || action === 'readMetadata';
  return { action: isReading ? 'readMetadata' : 'writeMetadata', stream: describedStreamOf(stream) };
};

export const isMember = (caller: Caller, roles: readonly string[]): boolean => {
  if (caller.kind === 'system') return true;
  if (caller.kind === 'anonymous') return false;
  return roles.some((role) => role === everyone || role === caller.login || caller.groups.includes(role));
};

export type IsAllowed = (caller: Caller, action: Action, stream: Buffer) => boolean;

export const createAcl = (storage: Storage): IsAllowed => {
  const settings = createSettingsReader(storage);
  return (caller, action, stream) => {
    if (caller.kind === 'system') return true;
    // No one may write to `$all`.
    if (stream.equals(allStream) && (action === 'write' || action === 'delete')) return false;
    if (isMember(caller, [administrators])) return true;
    const { action: effectiveAction, stream: owner } = resolveMetadataAction(action, stream);
    const system = isSystemStream(owner);
    const { userStreams, systemStreams } = settings();
    const allowedRoles =
      storage.heads.get(owner)?.acl?.[effectiveAction] ?? (system ? systemStreams : userStreams)?.[effectiveAction];
    return isMember(caller, allowedRoles ?? (system ? [administrators] : [everyone]));
  };
};
