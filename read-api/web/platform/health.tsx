/** Every process and what it depends on: whether it works, and if not, why. */
import { useResource } from '../kernel/resource';
import { Heading } from '../parts/heading';
import { Loaded } from '../parts/loaded';

export const HealthPage = () => {
  const health = useResource<unknown>('/healthz', { everyMilliseconds: 3_000 });
  return (
    <>
      <Heading title="Health" lead="Every process and what it depends on, asked just now." />
      <Loaded source={health} rows={5}>
        {(content) => <pre>{JSON.stringify(content)}</pre>}
      </Loaded>
    </>
  );
};
