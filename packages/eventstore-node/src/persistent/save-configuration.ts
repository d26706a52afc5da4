/** Writes the configuration with one group added, changed or removed. */
import type { Refused, Transaction, Writer } from '../storage/writer';
import { configurationOf, configurationStream, type Definition, keyOf, targetOf } from './configuration';
import { deleteNotes, writeNewest } from './notes';

export interface ConfigurationChange {
  readonly others: readonly Definition[];
  /** Undefined: removed. */
  readonly changed: Definition | undefined;
  /** The key of the group whose notes go with it. */
  readonly removed?: string;
  readonly by: string;
}

/** The end as it is when the configuration is written, which is not part of what comes later. */
const endFor = ({ heads }: Transaction, definition: Definition, position: number): number =>
  targetOf(definition) === 'all' ? position : (heads.get(Buffer.from(definition.stream))?.last ?? -1);

const withEnd = (transaction: Transaction, definition: Definition, position: number): Definition => {
  if (definition.settings.startFrom !== 'end') return { ...definition, startedAfter: undefined };
  return { ...definition, startedAfter: definition.startedAfter ?? endFor(transaction, definition, position) };
};

/** The definition as written; false when the stream takes nothing any more. */
export const saveConfiguration = (
  writer: Writer,
  { others, changed, removed, by }: ConfigurationChange,
): Promise<readonly Definition[] | false | Refused> =>
  writer.write((transaction) => {
    let definitions = others;
    const value = (position: number) => {
      definitions = changed === undefined ? others : [...others, withEnd(transaction, changed, position)];
      return configurationOf(definitions, { by, at: transaction.now });
    };
    const written = writeNewest({ stream: configurationStream, type: '$PersistentConfig', value })(transaction);
    if (written && removed !== undefined) deleteNotes(transaction, removed);
    return written && definitions;
  });

export const definitionOf = (definitions: readonly Definition[], key: string): Definition | undefined =>
  definitions.find((definition) => keyOf(definition) === key);
