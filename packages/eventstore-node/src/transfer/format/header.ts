/** The first and the last line of an exported log: what it is, and that it is all there. */
import * as t from 'io-ts';
import { finite } from '../../codec';

const format = 'eventstore-log';

export const Header = t.strict(
  {
    format: t.literal(format),
    version: t.literal(1),
    /** Of the server that was read. */
    source: t.string,
    madeAt: t.string,
    /** Where it was begun; null: at the beginning. */
    from: t.union([finite, t.null]),
    /** Whether streams of the system are in it. */
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

/** No event has this field. */
export const isHeaderOrTrailer = (fields: Readonly<Record<string, unknown>>): boolean => fields.format === format;
