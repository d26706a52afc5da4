/** Text filters: the URL follows the input after a delay, without a history entry. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { navigate, withQuery } from './router';

const debounceMilliseconds = 250;

export interface FilterInput<Name extends string> {
  /** The filter in the URL. */
  readonly applied: Readonly<Record<Name, string>>;
  /** The filter in the input fields. */
  readonly typed: Readonly<Record<Name, string>>;
  readonly type: (name: Name, value: string) => void;
}

export const useFilterInput = <Name extends string>(
  path: string,
  query: URLSearchParams,
  names: readonly Name[],
): FilterInput<Name> => {
  const applied = Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as Record<Name, string>;
  const [typed, setTyped] = useState(applied);
  const here = withQuery(path, applied);
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
    setTyped(applied);
  }, [here]);
  return { applied, typed, type: (name, value) => setTyped((before) => ({ ...before, [name]: value })) };
};

/** Query parameters as an operation's input, unchecked: the server validates them. */
export const fromAddress = <Input>(parameters: NoInfer<{ readonly [Name in keyof Input]?: string | number }>): Input =>
  Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== '')) as Input;
