/** Where to read on: a guide, and the operations of the API. Both are pages of this server. */
import { NewTabLink } from './new-tab-link';

interface Props {
  /** The name of its file in `docs/`, without `.md`, perhaps with a heading: `places`, `rate-limiter#raise-a-limit`. */
  readonly name: string;
  /** Of the API reference. */
  readonly group: string;
  /** The page must stay open. */
  readonly isInNewTab?: boolean;
}

export const guidePath = (name: string): string => `/docs/guides/${name}`;

export const Guide = ({ name, group, isInNewTab = false }: Props) => {
  const [guide, reference] = [guidePath(name), `/docs/${encodeURIComponent(group)}`];
  return isInNewTab ? (
    <>
      Read the <NewTabLink href={guide}>guide</NewTabLink> or the{' '}
      <NewTabLink href={reference}>API reference</NewTabLink>.
    </>
  ) : (
    <>
      Read the <a href={guide}>guide</a> or the <a href={reference}>API reference</a>.
    </>
  );
};
