/** The first and last lines of an exported log: what it is, and that it is complete. */
import * as t from 'io-ts';
import { finite } from '../../codec';

const format = 'eventstore-log';

export const Header = t.strict(
  {
    format: t.literal(format),
    version: t.literal(1),
    /** The version of the server that was read. */
    source: t.string,
    madeAt: t.string,
    /** The position where the export began; null: at the beginning. */
    from: t.union([finite, t.null]),
    /** Whether it includes system streams. */
    system: t.boolean,
  },
  'Header',
);
export type Header = t.TypeOf<typeof Header>;

export const Trailer = t.strict({ format: t.literal(format), end: t.literal(true), events: finite }, 'Trailer');
export type Trailer = t.TypeOf<typeof Trailer>;

export const encodeHeader = (header: Omit<Header, 'format' | 'version'>): string =>
  JSON.stringify({ format, version: 1, ...header });

export const encodeTrailer = (events: number): string => JSON.stringify({ format, end: true, events });

/** A field that no event has. */
export const isHeaderOrTrailer = (fields: Readonly<Record<string, unknown>>): boolean => fields.format === format;
