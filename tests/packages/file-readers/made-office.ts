/** Documents of Word and PowerPoint in raw XML, so that tests can write what programs write rarely. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { type MadeEntry, zipOf } from './made-files';

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const types = 'application/vnd.openxmlformats-officedocument';
export const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const slideShow = 'http://schemas.openxmlformats.org/presentationml/2006/main';
const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main';

/** Type of the relation, and the part that it leads to. */
export type Relations = Readonly<Record<string, readonly [type: string, target: string]>>;

export const relationsOf = (entries: Relations): string =>
  `<Relationships>${Object.entries(entries)
    .map(([id, [type, target]]) => `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const outer = (main: string, type: string): readonly MadeEntry[] => [
  {
    name: '[Content_Types].xml',
    content: `<Types><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="${types}.${type}.main+xml"/></Types>`,
  },
  { name: '_rels/.rels', content: relationsOf({ rId1: ['officeDocument', main] }) },
];

export interface MadeDocument {
  /** XML of `w:body`, without its root. */
  readonly body: string;
  /** XML of `w:styles`, without its root. */
  readonly styles?: string;
  /** Further parts: a whole file each, by name, with the type of the relation to it. Its id is the name. */
  readonly parts?: Readonly<Record<string, { readonly type: string; readonly xml: string }>>;
}

const namespaces = `xmlns:w="${word}" xmlns:r="${relations}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="urn:wps" xmlns:v="urn:v" xmlns:m="urn:m"`;

/** A part of Word's: `<w:footnotes>…`. */
export const wordPart = (root: string, xml: string): string => `<w:${root} ${namespaces}>${xml}</w:${root}>`;

export const documentOf = ({ body, styles, parts = {} }: MadeDocument): Buffer => {
  const all = {
    ...parts,
    ...(styles === undefined ? {} : { 'styles.xml': { type: 'styles', xml: wordPart('styles', styles) } }),
  };
  return zipOf([
    ...outer('word/document.xml', 'wordprocessingml.document'),
    { name: 'word/document.xml', content: wordPart('document', `<w:body>${body}</w:body>`) },
    {
      name: 'word/_rels/document.xml.rels',
      content: relationsOf(Object.fromEntries(Object.entries(all).map(([name, { type }]) => [name, [type, name]]))),
    },
    ...Object.entries(all).map(([name, { xml }]) => ({ name: `word/${name}`, content: xml })),
  ]);
};

export interface MadeSlide {
  /** XML within `p:spTree`. */
  readonly shapes: string;
  readonly isHidden?: boolean;
  /** The presentation names it, and has no part for it. */
  readonly isMissing?: boolean;
  /** XML within the `p:spTree` of its notes. */
  readonly notes?: string;
  readonly relations?: Relations;
}

export interface MadePresentation {
  readonly slides: readonly MadeSlide[];
  /** XML within the `p:spTree` of the only layout and of its master. */
  readonly layout?: string;
  readonly master?: string;
  readonly more?: readonly MadeEntry[];
}

const slidePart = (root: string, shapes: string, attributes = ''): string =>
  `<p:${root} xmlns:p="${slideShow}" xmlns:a="${drawing}" xmlns:r="${relations}" ${attributes}><p:cSld><p:spTree><p:nvGrpSpPr/><p:grpSpPr/>${shapes}</p:spTree></p:cSld></p:${root}>`;

const slideEntries = (slide: MadeSlide, number: number): readonly MadeEntry[] => [
  {
    name: `ppt/slides/slide${number}.xml`,
    content: slidePart('sld', slide.shapes, slide.isHidden === true ? 'show="0"' : ''),
  },
  {
    name: `ppt/slides/_rels/slide${number}.xml.rels`,
    content: relationsOf({
      layout: ['slideLayout', '../slideLayouts/slideLayout1.xml'],
      ...(slide.notes === undefined ? {} : { notes: ['notesSlide', `../notesSlides/notesSlide${number}.xml`] }),
      ...slide.relations,
    }),
  },
  ...(slide.notes === undefined
    ? []
    : [{ name: `ppt/notesSlides/notesSlide${number}.xml`, content: slidePart('notes', slide.notes) }]),
];

/** Slides are 1,000 units wide and 500 high. */
export const presentationOf = ({ slides, layout = '', master = '', more = [] }: MadePresentation): Buffer =>
  zipOf([
    ...outer('ppt/presentation.xml', 'presentationml.presentation'),
    {
      name: 'ppt/presentation.xml',
      content: `<p:presentation xmlns:p="${slideShow}" xmlns:r="${relations}"><p:sldIdLst>${slides
        .map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`)
        .join('')}</p:sldIdLst><p:sldSz cx="1000" cy="500"/></p:presentation>`,
    },
    {
      name: 'ppt/_rels/presentation.xml.rels',
      content: relationsOf(
        Object.fromEntries(slides.map((_, index) => [`rId${index + 1}`, ['slide', `slides/slide${index + 1}.xml`]])),
      ),
    },
    ...slides.flatMap((slide, index) => (slide.isMissing === true ? [] : slideEntries(slide, index + 1))),
    { name: 'ppt/slideLayouts/slideLayout1.xml', content: slidePart('sldLayout', layout) },
    {
      name: 'ppt/slideLayouts/_rels/slideLayout1.xml.rels',
      content: relationsOf({ master: ['slideMaster', '../slideMasters/slideMaster1.xml'] }),
    },
    { name: 'ppt/slideMasters/slideMaster1.xml', content: slidePart('sldMaster', master) },
    ...more,
  ]);

/** Writes the bytes for as long as `use` takes. */
export const withFile = async <Answer>(
  bytes: Buffer,
  name: string,
  use: (path: string) => Promise<Answer>,
): Promise<Answer> => {
  const directory = temporaryDirectory('file-readers');
  try {
    const path = join(directory.path, name);
    writeFileSync(path, bytes);
    return await use(path);
  } finally {
    directory.remove();
  }
};
