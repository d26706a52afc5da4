/** Bytes of a workflow file to its tree, within bounds that hold for hostile files. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type ParsedNode,
  Parser,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { limits } from '../../../../domain/workflow/limits';
import type { DefinitionProblem } from '../../../../domain/workflow/run/events';
import { type FileNode, type MappingEntry, type Place, problemAt } from './nodes';

/** With what aliases stand for; it bounds the time of all that comes after. The largest files that people write have some thousands. */
const mostNodes = 20_000;
/** GitHub's parser searches the document up to the anchor for each alias. */
const mostAliases = 500;
const mostErrors = 100;

/** Scripts count with all their lines. */
const mostLines = 50_000;
/** Of YAML: indents, separators, values, comments and line breaks outside of values. A line of a usual file has six. */
const mostTokens = 100_000;

/** Of the tokenizer: the document, collections, and a value. */
const deepestStack = limits.definitionDepth + 2;
const tooDeep = `The file is nested deeper than ${limits.definitionDepth} levels.`;

interface Reading {
  readonly source: string;
  readonly lines: LineCounter;
  readonly anchors: Map<string, Node>;
  /** Anchored nodes that an alias inside them would make endless. */
  readonly open: Set<Node>;
  nodes: number;
  aliases: number;
}

/** Ends the reading at the first fault of the tree's shape. */
class Refusal extends Error {
  readonly problem: DefinitionProblem;
  constructor(problem: DefinitionProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

const placeAt = ({ lines }: Reading, offset: number): Place => {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
};

const placeOf = (reading: Reading, node: Node | null): Place => placeAt(reading, node?.range?.[0] ?? 0);

const refuse = (reading: Reading, node: Node | null, message: string): never => {
  throw new Refusal(problemAt(placeOf(reading, node), message));
};

/** Of the source, so that a place in a block of many lines is exact. */
const expressionPlaces = (reading: Reading, node: Scalar): readonly Place[] => {
  const [begin, end] = node.range ?? [0, 0];
  const places: Place[] = [];
  for (let at = reading.source.indexOf('${{', begin); at >= 0 && at < end; at = reading.source.indexOf('${{', at + 3))
    places.push(placeAt(reading, at));
  return places;
};

const scalarOf = (reading: Reading, node: Scalar): FileNode => {
  const { value } = node;
  const place = placeOf(reading, node);
  if (typeof value === 'string')
    return {
      kind: 'scalar',
      value,
      ...place,
      expressionPlaces: value.includes('${{') ? expressionPlaces(reading, node) : [],
    };
  if (value === null || value === undefined) return { kind: 'scalar', value: null, ...place, expressionPlaces: [] };
  if (typeof value === 'boolean') return { kind: 'scalar', value, ...place, expressionPlaces: [] };
  if (typeof value === 'number' && Number.isFinite(value))
    return { kind: 'scalar', value, ...place, expressionPlaces: [] };
  return refuse(reading, node, 'A value must be text, a finite number, true, false or null.');
};

const entryOf = (reading: Reading, key: unknown, value: Node | null, depth: number): MappingEntry => {
  if (!isScalar(key)) return refuse(reading, (key as Node | null) ?? value, 'A key must be text.');
  const text = String(key.value ?? '');
  if (text.includes('${{')) return refuse(reading, key, 'A key must not be an expression.');
  if (key.anchor !== undefined) reading.anchors.set(key.anchor, key);
  return { key: text, ...placeOf(reading, key), value: nodeOf(reading, value, depth) };
};

const mappingOf = (reading: Reading, node: YAMLMap, depth: number): FileNode => {
  const keys = new Set<string>();
  const entries = node.items.map(({ key, value }) => {
    const entry = entryOf(reading, key, value as Node | null, depth + 1);
    if (keys.has(entry.key)) throw new Refusal(problemAt(entry, `The key "${entry.key}" is already defined.`));
    keys.add(entry.key);
    return entry;
  });
  return { kind: 'mapping', ...placeOf(reading, node), entries };
};

/** In the order of the text, so that an alias finds the anchor that stands before it. */
const nodeOf = (reading: Reading, node: Node | null, depth: number): FileNode => {
  reading.nodes += 1;
  if (reading.nodes > mostNodes)
    return refuse(reading, node, `The file has more than ${mostNodes} values, with what its aliases stand for.`);
  if (depth > limits.definitionDepth) return refuse(reading, node, tooDeep);
  if (node === null) return { kind: 'scalar', value: null, line: 1, column: 1, expressionPlaces: [] };
  if (isAlias(node)) {
    reading.aliases += 1;
    if (reading.aliases > mostAliases) return refuse(reading, node, `The file has more than ${mostAliases} aliases.`);
    const target = reading.anchors.get(node.source);
    if (target === undefined) return refuse(reading, node, `The alias "${node.source}" has no anchor before it.`);
    if (reading.open.has(target)) return refuse(reading, node, `The alias "${node.source}" contains itself.`);
    return nodeOf(reading, target, depth);
  }
  if ('anchor' in node && typeof node.anchor === 'string') reading.anchors.set(node.anchor, node);
  if (isScalar(node)) return scalarOf(reading, node);
  reading.open.add(node);
  const made = isMap(node)
    ? mappingOf(reading, node, depth)
    : isSeq(node)
      ? {
          kind: 'sequence' as const,
          ...placeOf(reading, node),
          items: node.items.map((item) => nodeOf(reading, item as Node | null, depth + 1)),
        }
      : refuse(reading, node, 'A value must be text, a list or a mapping.');
  reading.open.delete(node);
  return made;
};

const decodeText = (bytes: Uint8Array): Either<DefinitionProblem, string> => {
  try {
    return right(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return left(problemAt(undefined, 'The file is not UTF-8.'));
  }
};

/** The number of the first line that is too many; undefined when there is none. */
const excessLine = (source: string): number | undefined => {
  let count = 1;
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) {
    count += 1;
    // The last line break begins no line.
    if (count > mostLines && at + 1 < source.length) return count;
  }
  return undefined;
};

/**
 * Tokens of the text, without recursion. The composer of documents recurses into what nests, and near the end of the stack V8 ends the
 * whole process when it compiles a regular expression: nothing deeper than the bound may reach it.
 */
const readTokens = (source: string, lines: LineCounter): Either<readonly DefinitionProblem[], readonly CST.Token[]> => {
  const line = excessLine(source);
  if (line !== undefined) return left([problemAt({ line, column: 1 }, `The file has more than ${mostLines} lines.`)]);
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  const errors: DefinitionProblem[] = [];
  const problemHere = (offset: number, message: string): DefinitionProblem => {
    const { line, col } = lines.linePos(offset);
    return problemAt({ line, column: col }, message);
  };
  lines.addNewLine(0);
  let count = 0;
  for (const lexeme of new Lexer().lex(source)) {
    count += 1;
    if (count > mostTokens)
      return left([problemHere(parser.offset, `The file has more than ${mostTokens} tokens of YAML.`)]);
    for (const token of parser.next(lexeme)) {
      tokens.push(token);
      if (token.type === 'error') errors.push(problemHere(token.offset, token.message));
    }
    if (errors.length >= mostErrors) return left(errors);
    if (parser.stack.length > deepestStack) return left([problemHere(parser.offset, tooDeep)]);
  }
  for (const token of parser.end()) tokens.push(token);
  return right(tokens);
};

type Composed = Document.Parsed<ParsedNode>;

const compose = (source: string, lines: LineCounter): Either<readonly DefinitionProblem[], Composed> => {
  const tokens = readTokens(source, lines);
  if (isLeft(tokens)) return tokens;
  const problemOf = (offset: number, message: string): DefinitionProblem => {
    const { line, col } = lines.linePos(offset);
    return problemAt({ line, column: col }, message);
  };
  let document: Composed | undefined;
  for (const each of new Composer({ uniqueKeys: false, logLevel: 'silent' }).compose(
    tokens.right,
    true,
    source.length,
  )) {
    if (document !== undefined) return left([problemOf(each.range[0], 'The file holds more than one YAML document.')]);
    document = each;
  }
  const errors = document?.errors.slice(0, mostErrors) ?? [];
  if (errors.length > 0) return left(errors.map(({ pos, message }) => problemOf(pos[0], message)));
  return document?.contents === null || document === undefined
    ? left([problemAt(undefined, 'The file is empty.')])
    : right(document);
};

export interface WorkflowFile {
  readonly source: string;
  readonly root: FileNode;
}

const read = (bytes: Uint8Array): Either<readonly DefinitionProblem[], WorkflowFile> => {
  if (bytes.byteLength > limits.definitionBytes)
    return left([problemAt(undefined, `The file is larger than ${limits.definitionBytes} bytes.`)]);
  const decoded = decodeText(bytes);
  if (isLeft(decoded)) return left([decoded.left]);
  const source = decoded.right;
  const lines = new LineCounter();
  const document = compose(source, lines);
  if (isLeft(document)) return document;
  try {
    const reading: Reading = { source, lines, anchors: new Map(), open: new Set(), nodes: 0, aliases: 0 };
    return right({ source, root: nodeOf(reading, document.right.contents, 0) });
  } catch (error) {
    if (error instanceof Refusal) return left([error.problem]);
    throw error;
  }
};

/** Their source, in bytes: what a file's tree takes is bounded by its number of values. */
const mostRemembered = 1_048_576;
const remembered = new Map<string, { readonly file: WorkflowFile; readonly bytes: number }>();
let rememberedBytes = 0;

const remember = (key: string, file: WorkflowFile, bytes: number): void => {
  remembered.set(key, { file, bytes });
  rememberedBytes += bytes;
  for (const [oldest, { bytes: freed }] of remembered) {
    if (rememberedBytes <= mostRemembered) break;
    remembered.delete(oldest);
    rememberedBytes -= freed;
  }
};

/**
 * Left: what is wrong with the file as YAML, or that it exceeds a bound. A file is read for the event that starts its run, and soon after for its
 * jobs: the second time, the tree is remembered.
 */
export const readFile = (bytes: Uint8Array): Either<readonly DefinitionProblem[], WorkflowFile> => {
  const key = createHash('sha256').update(bytes).digest('base64');
  const known = remembered.get(key);
  if (known !== undefined) return right(known.file);
  const file = read(bytes);
  if (!isLeft(file)) remember(key, file.right, bytes.byteLength);
  return file;
};
