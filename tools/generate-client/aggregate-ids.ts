/** Which field holds the ids of each aggregate, for the console: pages import no domain. */
import { aggregates } from '../../domain/aggregates';

/** `RunId` is in `runId`. */
const fieldOf = (codec: string): string => `${codec.charAt(0).toLowerCase()}${codec.slice(1)}`;

export const aggregateIdsFile = (): string => {
  const fields = aggregates.map(
    ({ family: { category, idName } }) => [category, idName === undefined ? null : fieldOf(idName)] as const,
  );
  const head = '// Made by `npm run generate:client` of the aggregates; never edited by hand.\n';
  return `${head}\n/** By category of their streams; null: their ids are in no field, as a hash of a login. */\nexport const aggregateIds = ${JSON.stringify(Object.fromEntries(fields))} as const;\n`;
};
