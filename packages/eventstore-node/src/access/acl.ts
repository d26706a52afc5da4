/**
 * What access lists allow: a stream's own first, then `$settings`, then everybody for streams of users and
 * administrators for those of the system.
 */
import { eventKey } from '../storage/database';
import { isMetadataStream, ownerOf } from '../storage/heads';
import { type Acl, type DefaultAcls, defaultAclsOf } from '../storage/metadata';
import { dataOf } from '../storage/record';
import type { Storage } from '../storage/storage';
import type { Caller } from './caller';

export type Action = keyof Acl;

export const administrators = '$admins';
export const operators = '$ops';
const everybody = '$all';

export const allStream = Buffer.from('$all');
const settingsStream = Buffer.from('$settings');
const noDefaults: DefaultAcls = { userStreams: undefined, systemStreams: undefined };

/** Read again when `$settings` has a new event. */
const settingsOf = ({ tables, heads }: Storage) => {
  let revision = -1;
  let settings = noDefaults;
  return (): DefaultAcls => {
    const head = heads.get(settingsStream);
    if (head === undefined || head.last === revision) return settings;
    const position = tables.events.get(eventKey(head.number, head.last));
    const record = position === undefined ? undefined : tables.log.get(position);
    settings = record === undefined ? noDefaults : defaultAclsOf(dataOf(record));
    revision = head.last;
    return settings;
  };
};

export const isSystemStream = (stream: Buffer): boolean => stream[0] === 0x24;

/** An action on `$$x` is one on the metadata of `x`. */
const governed = (action: Action, stream: Buffer): readonly [Action, Buffer] => {
  if (!isMetadataStream(stream)) return [action, stream];
  return [action === 'read' || action === 'readMetadata' ? 'readMetadata' : 'writeMetadata', ownerOf(stream)];
};

export const isMember = (caller: Caller, roles: readonly string[]): boolean => {
  if (caller.kind === 'system') return true;
  if (caller.kind === 'anonymous') return false;
  return roles.some((role) => role === everybody || role === caller.login || caller.groups.includes(role));
};

export type Allowed = (caller: Caller, action: Action, stream: Buffer) => boolean;

export const createAcl = (storage: Storage): Allowed => {
  const settings = settingsOf(storage);
  return (caller, action, stream) => {
    if (caller.kind === 'system') return true;
    // Nobody writes to the log as a whole.
    if (stream.equals(allStream) && (action === 'write' || action === 'delete')) return false;
    if (isMember(caller, [administrators])) return true;
    const [asked, owner] = governed(action, stream);
    const system = isSystemStream(owner);
    const { userStreams, systemStreams } = settings();
    const given = storage.heads.get(owner)?.acl?.[asked] ?? (system ? systemStreams : userStreams)?.[asked];
    return isMember(caller, given ?? (system ? [administrators] : [everybody]));
  };
};
