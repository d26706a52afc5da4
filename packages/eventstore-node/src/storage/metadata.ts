/** What a stream's newest `$metadata` event says: which events may be seen, and by whom. */

export interface Retention {
  /** The stream's last so many events are visible. */
  readonly maxCount?: number;
  /** Seconds. */
  readonly maxAge?: number;
  /** Events below this revision are hidden; `hidesAll` after a soft delete. */
  readonly before?: number;
}

/** Logins, groups, or `$all` for everybody who is known. */
type Roles = readonly string[];

/** An action that is not named follows the node's settings. */
export interface Acl {
  readonly read?: Roles;
  readonly write?: Roles;
  readonly delete?: Roles;
  readonly readMetadata?: Roles;
  readonly writeMetadata?: Roles;
}

export interface StreamMetadata {
  readonly retention: Retention;
  readonly acl: Acl | undefined;
}

/** A soft delete writes int64's maximum as `$tb`. */
export const hidesAll = Number.MAX_SAFE_INTEGER;

/** Metadata that is not as it should be counts as none at all, as EventStoreDB has it. */
const wrong = new Error('not as metadata should be');

type Json = Readonly<Record<string, unknown>>;

const objectIn = (value: unknown): Json => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong;
  return value as Json;
};

const natural = (value: unknown): number => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw wrong;
  return Math.min(value, hidesAll);
};

const roles = (value: unknown): Roles => {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((role) => {
    if (typeof role !== 'string') throw wrong;
    return role;
  });
};

/** The fields that are there, under our names; null is as good as absent. */
const picked = <Field extends string, Value>(
  json: Json,
  names: Readonly<Record<string, Field>>,
  decode: (value: unknown) => Value,
): Partial<Record<Field, Value>> => {
  const found: Partial<Record<Field, Value>> = {};
  for (const [wire, field] of Object.entries(names)) {
    const value = json[wire];
    if (value !== undefined && value !== null) found[field] = decode(value);
  }
  return found;
};

const retentionNames = { $maxCount: 'maxCount', $maxAge: 'maxAge', $tb: 'before' } as const;
const aclNames = { $r: 'read', $w: 'write', $d: 'delete', $mr: 'readMetadata', $mw: 'writeMetadata' } as const;

const aclIn = (value: unknown): Acl | undefined =>
  value === undefined || value === null ? undefined : picked(objectIn(value), aclNames, roles);

const parse = (data: Uint8Array): Json => objectIn(JSON.parse(Buffer.from(data).toString('utf8')));

export const metadataOf = (data: Uint8Array): StreamMetadata => {
  try {
    const json = parse(data);
    return { retention: picked(json, retentionNames, natural), acl: aclIn(json.$acl) };
  } catch {
    return { retention: {}, acl: undefined };
  }
};

export interface DefaultAcls {
  readonly userStreams: Acl | undefined;
  readonly systemStreams: Acl | undefined;
}

/** The data of `$settings`' newest event. */
export const defaultAclsOf = (data: Uint8Array): DefaultAcls => {
  try {
    const json = parse(data);
    return { userStreams: aclIn(json.$userStreamAcl), systemStreams: aclIn(json.$systemStreamAcl) };
  } catch {
    return { userStreams: undefined, systemStreams: undefined };
  }
};
