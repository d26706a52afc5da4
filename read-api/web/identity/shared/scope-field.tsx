/** Chooses from the scopes that the reader can grant. */
import { useMemo } from 'preact/hooks';
import { listScopes } from '../../../../packages/client/src/operations';
import { AsyncContent } from '../../components/async-content';
import { CheckboxList } from '../../components/checkbox-list';
import { useResource } from '../../kernel/use-resource';
import type { KnownScope } from '../wire';
import { isGrantable } from './grantable';

interface Props {
  readonly help?: string;
  readonly fault?: string | undefined;
  readonly chosen: readonly string[];
  readonly onChoose: (scopes: readonly string[]) => void;
  /** Offers the scopes about a person's own account, too, which clients request of people. */
  readonly hasPersonal?: boolean;
}

export const ScopeField = ({ hasPersonal = false, ...field }: Props) => {
  const known = useResource(listScopes());
  const { content } = known;
  const options = useMemo(() => {
    const isOffered = (scope: KnownScope) => (scope.isPersonal ? hasPersonal : isGrantable(scope));
    return (content?.items ?? []).filter(isOffered).map(({ name, description }) => ({ value: name, description }));
  }, [content, hasPersonal]);
  return (
    <AsyncContent source={known} rows={3}>
      {() => <CheckboxList label="Scopes" options={options} {...field} />}
    </AsyncContent>
  );
};
