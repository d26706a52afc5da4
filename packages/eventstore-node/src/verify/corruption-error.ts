/** Names in one line where a log is corrupt. */

export interface CorruptionLocation {
  readonly table: 'log' | 'events' | 'streams' | 'marks' | 'pages';
  /** A page of the database's file. */
  readonly page?: number;
  readonly position?: number;
  readonly stream?: Buffer;
  readonly streamNumber?: number;
  readonly revision?: number;
}

const shortened = (name: Buffer): string => {
  const text = name.subarray(0, 200).toString('utf8');
  return JSON.stringify(name.length > 200 ? `${text}…` : text);
};

const formatLocation = ({ table, page, position, stream, streamNumber, revision }: CorruptionLocation): string => {
  const parts = page === undefined ? [`table ${table}`] : [`page ${page}`];
  if (position !== undefined) parts.push(`position ${position}`);
  if (stream !== undefined) parts.push(`stream ${shortened(stream)}`);
  if (streamNumber !== undefined) parts.push(`stream number ${streamNumber}`);
  if (revision !== undefined) parts.push(revision === Number.POSITIVE_INFINITY ? 'tombstone' : `revision ${revision}`);
  return parts.join(', ');
};

export class CorruptionError extends Error {
  constructor(location: CorruptionLocation, what: string) {
    super(`Damage in ${formatLocation(location)}: ${what}.`);
  }
}
