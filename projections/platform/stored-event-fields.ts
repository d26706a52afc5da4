/** Fields of any stored event for the platform's views, which accept every event, also foreign and undecodable ones. */
import * as t from 'io-ts';
import { Instant } from '../../domain/kernel/codec';
import { parseStreamName } from '../../domain/kernel/ids';
import type { StoredEvent } from '../../infra/ports/event-store';

/** A name longer than this fits no index; such streams are in the log only. */
const longestName = 1_000;

const AnyMetadata = t.partial({ $correlationId: t.string, $causationId: t.string, commandId: t.string, at: Instant });
export type AnyMetadata = t.TypeOf<typeof AnyMetadata>;

export const metadataOf = ({ metadata }: StoredEvent): AnyMetadata => (AnyMetadata.is(metadata) ? metadata : {});

export const isNamed = ({ stream, type }: StoredEvent): boolean =>
  stream.length <= longestName && type.length <= longestName;

/** Longer ones than any id of ours, or of another shape, are of foreign events. */
const idShape = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,191}$/;

/** The id that the data of an event has in this field. */
export const idIn = ({ data }: StoredEvent, field: string): string | null => {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, field)) return null;
  const value: unknown = data[field as keyof typeof data];
  return typeof value === 'string' && idShape.test(value) ? value : null;
};

/** Streams without a tenant get the empty tenant, to which no principal belongs. */
export const tenantOf = (stream: string): string => parseStreamName(stream)?.tenant ?? '';
