/** Makes a request of an input; throws if the input cannot be one. */
import type { Row } from '../operation';

export type Input = Readonly<Record<string, unknown>>;

export interface PreparedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A segment of dots would change the path, even percent-encoded. */
const encodeSegment = (name: string, value: unknown): string => {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (text === '' || text === '.' || text === '..') throw new TypeError(`${name} cannot be a part of a path.`);
  return encodeURIComponent(text);
};

const buildPath = ({ path }: Row, input: Input): string =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeSegment(name, input[name]));

const buildQuery = ({ query = [] }: Row, input: Input): string => {
  const present = query.filter((name) => input[name] !== undefined && input[name] !== null);
  return new URLSearchParams(present.map((name): [string, string] => [name, String(input[name])])).toString();
};

const encodeForm = (body: unknown): string => {
  const fields = Object.entries((body ?? {}) as object).filter(([, value]) => value !== undefined);
  return new URLSearchParams(fields.map(([name, value]): [string, string] => [name, String(value)])).toString();
};

const encodeBody = ({ body: type }: Row, { body }: Input): Pick<PreparedRequest, 'headers' | 'body'> => {
  if (type === undefined || body === undefined) return { headers: {} };
  return type === 'json'
    ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    : { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: encodeForm(body) };
};

export const buildRequest = (base: string, row: Row, input: Input): PreparedRequest => {
  const query = buildQuery(row, input);
  const url = `${base}${buildPath(row, input)}${query === '' ? '' : `?${query}`}`;
  return { method: row.method, url, ...encodeBody(row, input) };
};
