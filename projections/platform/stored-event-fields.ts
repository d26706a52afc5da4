/** What the platform's views say of any event, whoever recorded it: they accept every fact, also those that nobody else can read. */
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

/** What is of no tenant is of the empty one, which nobody belongs to. */
export const tenantOf = (stream: string): string => parseStreamName(stream)?.tenant ?? '';
