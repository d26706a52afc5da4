/** The code blocks of a document. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CodeBlock {
  readonly language: string;
  readonly text: string;
  /** Of its first line, in the document. */
  readonly line: number;
}

const root = join(__dirname, '..', '..', '..');
const fence = /^```(\S*)\n([\s\S]*?)^```$/gm;

/** `document` is a path from the root. */
export const codeBlocksOf = (document: string): readonly CodeBlock[] => {
  const markdown = readFileSync(join(root, document), 'utf8');
  return [...markdown.matchAll(fence)].map(({ 1: language = '', 2: text = '', index }) => {
    const line = markdown.slice(0, index).split('\n').length + 1;
    return { language, text, line };
  });
};

/** A program names the file that readers save it in, in a comment on its first line. */
export const fileNameOf = ({ text }: CodeBlock): string | undefined => /^\/\/ (\S+\.(?:mjs|cjs))\b/.exec(text)?.[1];
