/** Command lines from one declaration. */
export {
  type Command,
  type CommandSet,
  commandSet,
  type Parsed,
  type ParsedCommand,
  type Program,
  type Refusal,
  type Tool,
  tool,
} from './declaration';
export { helpOf, usageOf } from './help';
export { mistakeIn, parseCommandSet, parseTool } from './parse';
export { describeUnknown, similarNames, suggestion } from './similar-names';
