/**
 * Reads an exported log line by line: each event with its line number. It is complete only when its last line was read.
 */
import { isLeft } from 'fp-ts/Either';
import { TransferError } from '../transfer-error';
import { decodeEventLine, type LoggedEvent } from './event-line';
import { Header, isHeaderOrTrailer, Trailer } from './header';
import { type Line, linesOf } from './read-lines';

export interface LoggedLine {
  readonly line: number;
  readonly event: LoggedEvent;
}

export interface ExportedLog {
  readonly header: Header;
  /** Throws at an invalid line, and when the log ends before its last line. */
  readonly events: AsyncGenerator<LoggedLine, void>;
}

type Fields = Readonly<Record<string, unknown>>;

const parseFields = ({ number, text }: Line): Fields => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // Reported below, without the parser's message, which quotes the line.
  }
  throw new TransferError(`Line ${number} is not a JSON object.`);
};

const createCutOffError = (events: number): TransferError =>
  new TransferError(`The log is cut off after ${events} events: its last line, which counts them, is missing.`);

const parseHeader = (line: Line | undefined): Header => {
  const header = line === undefined ? undefined : Header.decode(parseFields(line));
  if (header === undefined || isLeft(header))
    throw new TransferError('Line 1 is not the header of an exported log that this version reads.');
  return header.right;
};

const checkTrailer = (fields: Fields, { number }: Line, events: number): void => {
  const trailer = Trailer.decode(fields);
  if (isLeft(trailer)) throw new TransferError(`Line ${number} is neither an event nor the last line of a log.`);
  if (trailer.right.events !== events)
    throw new TransferError(`Line ${number} counts ${trailer.right.events} events, but there are ${events}.`);
};

async function* readLoggedEvents(lines: AsyncGenerator<Line, void>): AsyncGenerator<LoggedLine, void> {
  let events = 0;
  let over = false;
  for await (const line of lines) {
    if (over) throw new TransferError(`Line ${line.number} comes after the last line of the log.`);
    const fields = parseFields(line);
    if (isHeaderOrTrailer(fields)) {
      checkTrailer(fields, line, events);
      over = true;
      continue;
    }
    const event = decodeEventLine(fields);
    if (isLeft(event)) throw new TransferError(`Line ${line.number}: ${event.left}.`);
    events += 1;
    yield { line: line.number, event: event.right };
  }
  if (!over) throw createCutOffError(events);
}

export const openLog = async (input: AsyncIterable<Buffer>): Promise<ExportedLog> => {
  const lines = linesOf(input);
  const { value } = await lines.next();
  return { header: parseHeader(value ?? undefined), events: readLoggedEvents(lines) };
};
