/** Where to read on: a guide, and the operations of the API. Both are pages of this server. */
interface Props {
  /** The name of its file in `docs/`, without `.md`, perhaps with a heading: `places`, `rate-limiter#raise-a-limit`. */
  readonly name: string;
  /** Of the API reference. */
  readonly group: string;
}

export const guidePath = (name: string): string => `/docs/guides/${name}`;

export const Guide = ({ name, group }: Props) => (
  <>
    Read the <a href={guidePath(name)}>guide</a> or the <a href={`/docs/${encodeURIComponent(group)}`}>API reference</a>
    .
  </>
);
