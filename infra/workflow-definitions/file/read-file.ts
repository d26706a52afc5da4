/** Bytes of a workflow file to its tree, within bounds that hold for hostile files. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { limits } from '../../../domain/workflow/limits';
import type { DefinitionProblem } from '../../../domain/workflow/run/events';
import { type FileNode, type MappingEntry, type Place, problemAt } from './nodes';

/** With what aliases stand for. A file of the largest size without aliases has fewer than half as many. */
const mostNodes = 200_000;

interface Reading {
  readonly source: string;
  readonly lines: LineCounter;
  readonly anchors: Map<string, Node>;
  /** Anchored nodes that an alias inside them would make endless. */
  readonly open: Set<Node>;
  nodes: number;
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

const mappingOf = (reading: Reading, node: YAMLMap, depth: number): FileNode => ({
  kind: 'mapping',
  ...placeOf(reading, node),
  entries: node.items.map(({ key, value }) => entryOf(reading, key, value as Node | null, depth + 1)),
});

/** In the order of the text, so that an alias finds the anchor that stands before it. */
const nodeOf = (reading: Reading, node: Node | null, depth: number): FileNode => {
  reading.nodes += 1;
  if (reading.nodes > mostNodes)
    return refuse(reading, node, `The file has more than ${mostNodes} values, with what its aliases stand for.`);
  if (depth > limits.definitionDepth)
    return refuse(reading, node, `The file is nested deeper than ${limits.definitionDepth} levels.`);
  if (node === null) return { kind: 'scalar', value: null, line: 1, column: 1, expressionPlaces: [] };
  if (isAlias(node)) {
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

const syntaxProblems = (document: Document, source: string): readonly DefinitionProblem[] =>
  document.errors.slice(0, 100).map(({ message, linePos }) => {
    const [at] = linePos ?? [];
    const text = message.split(' at line ')[0] ?? message;
    return problemAt(at === undefined || source === '' ? undefined : { line: at.line, column: at.col }, text);
  });

export interface WorkflowFile {
  readonly source: string;
  readonly root: FileNode;
}

/** Left: what is wrong with the file as YAML, or that it exceeds a bound. */
export const readFile = (bytes: Uint8Array): Either<readonly DefinitionProblem[], WorkflowFile> => {
  if (bytes.byteLength > limits.definitionBytes)
    return left([problemAt(undefined, `The file is larger than ${limits.definitionBytes} bytes.`)]);
  const decoded = decodeText(bytes);
  if (isLeft(decoded)) return left([decoded.left]);
  const source = decoded.right;
  const lines = new LineCounter();
  try {
    const document = parseDocument(source, { lineCounter: lines, uniqueKeys: false, logLevel: 'silent' });
    if (document.errors.length > 0) return left(syntaxProblems(document, source));
    if (document.contents === null) return left([problemAt(undefined, 'The file is empty.')]);
    const reading: Reading = { source, lines, anchors: new Map(), open: new Set(), nodes: 0 };
    return right({ source, root: nodeOf(reading, document.contents, 0) });
  } catch (error) {
    if (error instanceof Refusal) return left([error.problem]);
    if (error instanceof RangeError)
      return left([problemAt(undefined, `The file is nested deeper than ${limits.definitionDepth} levels.`)]);
    throw error;
  }
};
