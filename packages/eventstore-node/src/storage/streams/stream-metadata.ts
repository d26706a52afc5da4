/** Decodes `$metadata` events: visible events and access. */

export interface Retention {
  /** Number of visible events, from the end. */
  readonly maxCount?: number;
  /** Seconds. */
  readonly maxAge?: number;
  /** Events below this revision are hidden; `truncateAll` after a soft delete. */
  readonly before?: number;
}

/** Logins, groups, or `$all` for every authenticated user. */
type Roles = readonly string[];

/** Absent actions follow the node's settings. */
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
export const truncateAll = Number.MAX_SAFE_INTEGER;

/** Invalid metadata counts as none, as in EventStoreDB. */
const invalidMetadata = new Error('not as metadata should be');

type Json = Readonly<Record<string, unknown>>;

const decodeObject = (value: unknown): Json => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidMetadata;
  return value as Json;
};

const decodeNatural = (value: unknown): number => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw invalidMetadata;
  return Math.min(value, truncateAll);
};

const decodeRoles = (value: unknown): Roles => {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((role) => {
    if (typeof role !== 'string') throw invalidMetadata;
    return role;
  });
};

/** Decodes present fields under our names; null counts as absent. */
const decodeFields = <Field extends string, Value>(
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

const decodeAcl = (value: unknown): Acl | undefined =>
  value === undefined || value === null ? undefined : decodeFields(decodeObject(value), aclNames, decodeRoles);

const parseJsonObject = (data: Uint8Array): Json => decodeObject(JSON.parse(Buffer.from(data).toString('utf8')));

export const decodeStreamMetadata = (data: Uint8Array): StreamMetadata => {
  try {
    const json = parseJsonObject(data);
    return { retention: decodeFields(json, retentionNames, decodeNatural), acl: decodeAcl(json.$acl) };
  } catch {
    return { retention: {}, acl: undefined };
  }
};

export interface DefaultAcls {
  readonly userStreams: Acl | undefined;
  readonly systemStreams: Acl | undefined;
}

/** Decodes the newest event of `$settings`. */
export const decodeDefaultAcls = (data: Uint8Array): DefaultAcls => {
  try {
    const json = parseJsonObject(data);
    return { userStreams: decodeAcl(json.$userStreamAcl), systemStreams: decodeAcl(json.$systemStreamAcl) };
  } catch {
    return { userStreams: undefined, systemStreams: undefined };
  }
};
