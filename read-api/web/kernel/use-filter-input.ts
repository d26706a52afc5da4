/** Filters that are typed: the address follows a moment later, and takes no place of its own in the history. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { navigate, withQuery } from './router';

const debounceMilliseconds = 250;

export interface FilterInput<Name extends string> {
  /** The filter in the URL. */
  readonly given: Readonly<Record<Name, string>>;
  /** As in the fields. */
  readonly typed: Readonly<Record<Name, string>>;
  readonly type: (name: Name, value: string) => void;
}

export const useFilterInput = <Name extends string>(
  path: string,
  query: URLSearchParams,
  names: readonly Name[],
): FilterInput<Name> => {
  const given = Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as Record<Name, string>;
  const [typed, setTyped] = useState(given);
  const here = withQuery(path, given);
  const wanted = withQuery(path, typed);
  const sent = useRef(here);
  useEffect(() => {
    if (wanted === sent.current) return undefined;
    const timer = setTimeout(() => {
      sent.current = wanted;
      navigate(wanted, 'replace');
    }, debounceMilliseconds);
    return () => clearTimeout(timer);
  }, [wanted]);
  useEffect(() => {
    // The URL changed by navigation, so the fields follow it.
    if (here === sent.current) return;
    sent.current = here;
    setTyped(given);
  }, [here]);
  return { given, typed, type: (name, value) => setTyped((before) => ({ ...before, [name]: value })) };
};

/** Texts of an address as an operation's input: as they are, so that the server says what is wrong with them. */
export const fromAddress = <Input>(given: NoInfer<{ readonly [Name in keyof Input]?: string | number }>): Input =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')) as Input;
